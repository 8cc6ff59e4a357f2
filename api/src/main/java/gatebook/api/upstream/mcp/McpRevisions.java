package gatebook.api.upstream.mcp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of MCP that are spoken here. Until the last of the older ones, two sides first
 * agree on how they talk; since then every request says it.
 */
public final class McpRevisions {

  /** The stateless ones, the newest first. */
  public static final List<String> STATELESS = List.of("2026-07-28");

  /** Those that begin with a handshake, the newest first. */
  public static final List<String> AGREED = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  /** Where a stateless request says which revision it is of. */
  public static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

  /** Where a stateless request says what its sender can do. */
  public static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

  private static final String DATE = "\\d{4}-\\d{2}-\\d{2}";

  private McpRevisions() {}

  /** Whether a revision, known or not, is one of those without a handshake. */
  public static boolean isStateless(@Nullable String version) {
    return version != null && version.matches(DATE) && version.compareTo(STATELESS.getLast()) >= 0;
  }
}
