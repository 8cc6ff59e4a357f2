package gatebook.command.rules;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An allowed address of webhooks, which callers choose within it.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in lower case; one that begins with {@code *.} stands for all names below it
 * @param port the scheme's own one when the rules name none
 * @param path an address has this path or one below it; empty for any
 */
public record AllowedAddress(String scheme, String host, int port, String path) {
  public static final String ANY_BELOW = "*.";

  static final String HIDDEN = "[REDACTED]";

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** The port that a URL means. */
  public static int port(URI url) {
    int ofScheme = "https".equalsIgnoreCase(url.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    return url.getPort() < 0 ? ofScheme : url.getPort();
  }

  /** Whether this URL is one of the addresses. A URL with a user or a fragment never is. */
  public boolean allows(URI url) {
    return url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawFragment() == null
        && scheme.equalsIgnoreCase(url.getScheme())
        && isHost(url.getHost().toLowerCase(Locale.ROOT))
        && port == port(url)
        && isPath(url.getRawPath());
  }

  /** A URL as operators may see it: without what is below this address, which may be secret. */
  String shown(URI url) {
    return shown(url, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  /** The same without an address of which the path may be seen. */
  static String shownWithoutPath(URI url) {
    return shown(url, "");
  }

  private static String shown(URI url, String knownPath) {
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    String address = "%s://%s%s%s".formatted(url.getScheme(), url.getHost(), port, knownPath);
    String rest = url.getRawPath().substring(knownPath.length());
    String query = url.getRawQuery() == null ? "" : "?" + HIDDEN;
    return address + (rest.length() > 1 ? "/" + HIDDEN : rest + query);
  }

  private boolean isHost(String other) {
    return host.startsWith(ANY_BELOW)
        ? other.length() >= host.length() && other.endsWith(host.substring(1))
        : other.equals(host);
  }

  /** A path that leads upwards, as some servers read it, is below nothing. */
  private boolean isPath(String rawPath) {
    String other = rawPath.isEmpty() ? "/" : rawPath;
    return !leadsUpwards(other)
        && (path.isEmpty()
            || other.equals(path)
            || other.startsWith(path.endsWith("/") ? path : path + "/"));
  }

  private static boolean leadsUpwards(String rawPath) {
    List<String> segments = Arrays.asList(decoded(decoded(rawPath)).split("[/\\\\;]", -1));
    return segments.contains("..") || segments.contains(".");
  }

  /** Some servers decode twice. A plus sign means itself in a path. */
  private static String decoded(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return "..";
    }
  }
}
