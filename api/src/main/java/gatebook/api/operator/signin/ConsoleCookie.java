package gatebook.api.operator.signin;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import java.util.Optional;

/** A cookie of the console with a key that the node gave to a browser. Scripts cannot read it. */
public enum ConsoleCookie {
  /** The key of an operator's session. */
  SESSION("gatebook_session", "/", "Strict"),
  /**
   * The key of a browser whose operator signs in at an authorization server. The browser sends it
   * also when the page of that server leads back here, but not with other requests of foreign
   * pages.
   */
  SIGN_ON("gatebook_sign_on", "/console/sign-on", "Lax");

  private final String cookieName;
  private final String path;
  private final String sameSite;

  ConsoleCookie(String cookieName, String path, String sameSite) {
    this.cookieName = cookieName;
    this.path = path;
    this.sameSite = sameSite;
  }

  /** The key that a request has. */
  public Optional<String> of(HttpRequest<?> request) {
    return request.getCookies().findCookie(cookieName).map(Cookie::getValue);
  }

  /**
   * The header that sets the cookie until the browser is closed.
   *
   * @param isSecure whether the browser may send it by TLS only
   */
  public String set(String key, boolean isSecure) {
    return "%s=%s; Path=%s; HttpOnly; SameSite=%s%s"
        .formatted(cookieName, key, path, sameSite, isSecure ? "; Secure" : "");
  }

  /** The header that removes the cookie. */
  public String removed(boolean isSecure) {
    return set("", isSecure) + "; Max-Age=0";
  }
}
