package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients and servers written with the official SDK behave the same with Gatebook in between. */
final class SdkClientProcessTest {
  private static final Set<String> GOVERNED =
      Set.of(
          "tools/call",
          "prompts/get",
          "resources/read",
          "resources/subscribe",
          "completion/complete");

  @TempDir private Path temp;

  @ParameterizedTest
  @EnumSource(ProtocolRevision.class)
  void aClientSeesTheSameAndItsCallsAreRecorded(ProtocolRevision revision) {
    try (FixtureServer fixture = FixtureServer.start(revision);
        ServerProcess server = serve(fixture)) {
      Transcript directly =
          Transcript.of(
              revision.clientScript(), temp.resolve("directly"), fixture.url().toString());
      Transcript through =
          Transcript.of(revision.clientScript(), temp.resolve("through"), server.mcp().toString());

      assertThat(through.differences(directly)).isEmpty();
      assertThat(through.calls()).isEqualTo(directly.calls());
      assertThat(recordedCalls(server)).isEqualTo(through.calls());
    }
  }

  private ServerProcess serve(FixtureServer fixture) {
    return ServerProcess.start(
        ServerDirectory.forwardingAll(temp.resolve("node"), fixture.url()).directory(),
        ServerProcess.StartOptions.DEFAULTS);
  }

  /** All governed calls, as operators see them. */
  private static List<String> recordedCalls(ServerProcess server) {
    List<String> calls = new ArrayList<>();
    for (JsonNode call : server.calls("\"dialect\":\"mcp\"")) {
      if (GOVERNED.contains(call.get("method").asText())) {
        JsonNode found = server.lookup(call.get("callId").asText()).get(0);
        calls.add(Transcript.call(found.get("method"), found.get("target"), outcome(found)));
      }
    }
    return calls.stream().sorted().toList();
  }

  private static String outcome(JsonNode call) {
    JsonNode last = call.get("events").get(call.get("events").size() - 1);
    return switch (last.get("name").asText()) {
      case "CallAnswered" ->
          last.get("data").get("outcome").asText().equals("tool-error") ? "tool error" : "result";
      case "ErrorTranslated" ->
          call.get("fault").asText().equals("UpstreamError")
              ? "error " + call.get("code")
              : call.get("fault").asText();
      case "CallAbandoned" -> "none";
      case String other -> other;
    };
  }
}
