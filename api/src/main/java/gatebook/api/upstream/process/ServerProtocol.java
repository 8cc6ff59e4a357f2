package gatebook.api.upstream.process;

import static gatebook.api.upstream.mcp.StatelessMeta.withMeta;

import gatebook.api.upstream.mcp.McpRevisions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The protocol that a server supports. */
public sealed interface ServerProtocol {

  /**
   * The params of a request in this protocol.
   *
   * @param capabilities of the caller, as the text of an object
   */
  @Nullable String params(@Nullable String params, String capabilities);

  /** The same for a caller without capabilities. */
  default @Nullable String params(@Nullable String params) {
    return params(params, "{}");
  }

  /**
   * A session that {@code initialize} opened.
   *
   * @param initializeResult of the server, unchanged
   */
  record Sessions(String initializeResult) implements ServerProtocol {
    @Override
    public @Nullable String params(@Nullable String params, String capabilities) {
      return params;
    }
  }

  /**
   * Each request names its sender and the sender's capabilities.
   *
   * @param version of the protocol
   * @param clientInfo of Gatebook, as the text of an object
   * @param discoverResult of the server, unchanged; absent when it only refused a version
   */
  record Stateless(String version, String clientInfo, @Nullable String discoverResult)
      implements ServerProtocol {

    /** Leaves params alone that carry the metadata already. */
    @Override
    public @Nullable String params(@Nullable String params, String capabilities) {
      return withMeta(params, version, capabilities, clientInfo);
    }

    /** With a version that both support; empty when there is none. */
    static Optional<Stateless> of(
        List<String> supported, String clientInfo, @Nullable String discovered) {
      return McpRevisions.STATELESS.stream()
          .filter(supported::contains)
          .findFirst()
          .map(version -> new Stateless(version, clientInfo, discovered));
    }
  }
}
