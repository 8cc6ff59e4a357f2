package gatebook.api.operator.signin;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import java.util.Optional;

/**
 * The cookie with the key of a browser whose operator signs in at an authorization server. The
 * browser sends it also when the page of that server leads back here, but not with other requests
 * of foreign pages.
 */
public final class SignOnCookie {
  private static final String NAME = "gatebook_sign_on";

  private SignOnCookie() {}

  public static Optional<String> of(HttpRequest<?> request) {
    return request.getCookies().findCookie(NAME).map(Cookie::getValue);
  }

  /**
   * The header that sets the cookie until the browser is closed: the key is worth nothing by then.
   *
   * @param isSecure whether the browser may send it by TLS only
   */
  public static String set(String browserKey, boolean isSecure) {
    return "%s=%s; Path=/console/sign-on; HttpOnly; SameSite=Lax%s"
        .formatted(NAME, browserKey, isSecure ? "; Secure" : "");
  }

  /** The header that removes the cookie. */
  public static String removed(boolean isSecure) {
    return set("", isSecure) + "; Max-Age=0";
  }
}
