package gatebook.api.operator.signin;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import java.util.Optional;

/** The cookie with the key of an operator's session. Scripts cannot read it. */
public final class SessionCookie {
  static final String NAME = "gatebook_session";

  private SessionCookie() {}

  /** The key of the session that a request belongs to. */
  public static Optional<String> of(HttpRequest<?> request) {
    return request.getCookies().findCookie(NAME).map(Cookie::getValue);
  }

  /**
   * The header that sets the cookie until the browser is closed.
   *
   * @param isSecure whether the browser may send it by TLS only
   */
  public static String set(String sessionKey, boolean isSecure) {
    return "%s=%s; Path=/; HttpOnly; SameSite=Strict%s"
        .formatted(NAME, sessionKey, isSecure ? "; Secure" : "");
  }

  /** The header that removes the cookie. */
  public static String removed(boolean isSecure) {
    return set("", isSecure) + "; Max-Age=0";
  }
}
