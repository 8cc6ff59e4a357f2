package gatebook.api.upstream.mcp;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The supported revisions of MCP. In the older ones, client and server first negotiate the revision
 * with {@code initialize}; in the stateless ones, every request names it.
 */
public final class McpRevisions {

  /** The stateless revisions, the newest first. */
  public static final List<String> STATELESS = List.of("2026-07-28");

  /** The revisions that begin with {@code initialize}, the newest first. */
  public static final List<String> NEGOTIATED = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  /** All of them, the newest first. */
  public static final List<String> SUPPORTED =
      Stream.concat(STATELESS.stream(), NEGOTIATED.stream()).toList();

  /** The metadata key for the revision of a stateless request. */
  public static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

  /** The metadata key for the capabilities of its sender. */
  public static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

  /** The metadata key for the name and the version of its sender. */
  public static final String CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo";

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private McpRevisions() {}

  /** Whether a revision is supported. */
  public static boolean isSupported(String version) {
    return SUPPORTED.contains(version);
  }

  /** Whether a revision, supported or not, is one of those without {@code initialize}. */
  public static boolean isStateless(@Nullable String version) {
    return version != null
        && version.compareTo(STATELESS.getLast()) >= 0
        && DATE.matcher(version).matches();
  }
}
