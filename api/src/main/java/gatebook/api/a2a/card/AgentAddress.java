package gatebook.api.a2a.card;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.message.A2aCapabilities;
import gatebook.api.dialect.A2aVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of an agent here, as its card has it.
 *
 * @param baseUrl the URL of this server, without a slash at its end
 * @param agent absent for the built-in one
 */
record AgentAddress(String baseUrl, @Nullable String agent) {
  private static final String BINDING = "JSONRPC";

  /** The members in which version 0.3 has the address, each with a comma. */
  String inV03() {
    String url = quoted(url(A2aVersion.V0_3));
    return """
    "protocolVersion":"0.3.0","url":%1$s,"preferredTransport":"%2$s",\
    "additionalInterfaces":[{"url":%1$s,"transport":"%2$s"}],\
    "supportsAuthenticatedExtendedCard":%3$b,\
    """
        .formatted(url, BINDING, A2aCapabilities.EXTENDED_CARD);
  }

  /** The interfaces of version 1.0, an array. */
  String interfaces() {
    return List.of(A2aVersion.V1_0, A2aVersion.V0_3).stream()
        .map(version ->
            """
            {"url":%s,"protocolBinding":"%s","protocolVersion":"%s"}\
            """
                .formatted(quoted(url(version)), BINDING, version.text()))
        .collect(joining(",", "[", "]"));
  }

  private String url(A2aVersion version) {
    return "%s/a2a/%s%s".formatted(baseUrl, agent == null ? "" : agent + "/", version.segment());
  }
}
