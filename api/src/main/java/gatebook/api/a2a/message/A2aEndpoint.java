package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint of A2A, as its path names it: {@code /a2a}, {@code /a2a/v1}, {@code /a2a/{agent}} or
 * {@code /a2a/{agent}/v1}. Agents are never named like versions.
 *
 * @param agent absent where the path names none
 * @param segment of the path that names the version, supported or not; absent where none does
 */
public record A2aEndpoint(@Nullable String agent, @Nullable String segment) {
  private static final String ROOT = "/a2a";
  private static final A2aEndpoint BARE = new A2aEndpoint(null, null);

  /** Whether a version is spoken here that is supported. */
  public boolean isServed() {
    return new A2aProfile(segment, null).refusal().isEmpty();
  }

  /** Whether a path is that of an endpoint. */
  public static boolean isAt(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  /** The endpoint at a path, with or without a slash at its end. */
  public static A2aEndpoint at(String path) {
    if (!isAt(path)) {
      return BARE;
    }
    List<String> segments = List.of(path.substring(ROOT.length()).split("/"));
    String first = segments.size() > 1 ? segments.get(1) : null;
    String second = segments.size() > 2 ? segments.get(2) : null;
    if (first == null) {
      return BARE;
    }
    return second == null && A2aProfile.namesVersion(first)
        ? new A2aEndpoint(null, first)
        : new A2aEndpoint(first, second);
  }
}
