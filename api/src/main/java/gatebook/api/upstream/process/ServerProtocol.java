package gatebook.api.upstream.process;

import static gatebook.api.upstream.mcp.StatelessMeta.withMeta;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.upstream.mcp.McpRevisions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a server wants to be spoken to. */
public sealed interface ServerProtocol {

  /**
   * The params of a request as this era has them.
   *
   * @param capabilities of the caller, as the text of an object
   */
  @Nullable String dressed(@Nullable String params, String capabilities);

  /** The same of a caller who can do nothing but ask. */
  default @Nullable String dressed(@Nullable String params) {
    return dressed(params, "{}");
  }

  /**
   * It was introduced to once, and remembers.
   *
   * @param introduction what it said of itself, as it came
   */
  record Sessions(String introduction) implements ServerProtocol {
    @Override
    public @Nullable String dressed(@Nullable String params, String capabilities) {
      return params;
    }
  }

  /**
   * Each request says who asks, and what he can do.
   *
   * @param version of the protocol
   * @param asker what we call ourselves, as the text of an object
   * @param discovered what the server said of itself, as it came; absent when it only refused a
   *     version
   */
  record Stateless(String version, String asker, @Nullable String discovered)
      implements ServerProtocol {

    private static final String META = "_meta";
    private static final String ASKER = "io.modelcontextprotocol/clientInfo";

    /** Callers who say it themselves are not corrected. */
    @Override
    public @Nullable String dressed(@Nullable String params, String capabilities) {
      String said = withMeta(params, version, capabilities);
      return said == null || said.equals(params)
          ? params
          : MemberSplice.with(said, List.of(META, ASKER), asker);
    }

    /** That of a version which both sides know; empty when there is none. */
    static Optional<Stateless> of(List<String> theirs, String asker, @Nullable String discovered) {
      return McpRevisions.STATELESS.stream()
          .filter(theirs::contains)
          .findFirst()
          .map(version -> new Stateless(version, asker, discovered));
    }
  }
}
