package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that start their own server see the same when Gatebook wraps it. */
final class WrappedServerProcessTest {
  private static final String LAUNCHER =
      Path.of(System.getProperty("gatebook.root"), "gatebook").toString();

  @TempDir private Path temp;

  @Test
  void aClientOfTheFixtureServerSeesTheSame() {
    assertSeesTheSame("client/sessions.mjs", NpmPeers.node("fixture/sessions.mjs", "--stdio"));
  }

  @Test
  void aClientOfTheReferenceServerSeesTheSame() {
    assertSeesTheSame(
        "client/everything.mjs",
        NpmPeers.node(
            "node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio"));
  }

  private void assertSeesTheSame(String client, List<String> server) {
    Path data = temp.resolve("data");
    Transcript directly = run(client, temp.resolve("directly"), List.of(), server);
    Transcript through =
        run(
            client,
            temp.resolve("through"),
            List.of(LAUNCHER, "wrap", "--data", data.toString(), "--"),
            server);

    assertThat(through.differences(directly)).isEmpty();
    assertThat(through.calls()).isEqualTo(directly.calls());
    assertThat(recordedCalls(data)).as("the log: %s", through.log()).isEqualTo(through.calls());
  }

  private static Transcript run(
      String client, Path folder, List<String> through, List<String> server) {
    return Transcript.of(
        client,
        folder,
        Stream.of(List.of("--"), through, server).flatMap(List::stream).toArray(String[]::new));
  }

  private static List<String> recordedCalls(Path data) {
    return StreamSupport.stream(
            StoredEvents.read(data, Optional.empty(), Map.of()).calls().spliterator(), false)
        .filter(call -> received(call).target() != null)
        .map(call ->
            "%s %s: %s".formatted(received(call).method(), received(call).target(), outcome(call)))
        .sorted()
        .toList();
  }

  private static CallReceived received(List<CallEvent> call) {
    return StoredEvents.first(call, CallReceived.class).orElseThrow();
  }

  private static String outcome(List<CallEvent> call) {
    return switch (call.getLast()) {
      case CallAnswered answered ->
          answered.outcome() == CallAnswered.Outcome.TOOL_ERROR ? "tool error" : "result";
      case ErrorTranslated translated -> "error " + translated.told().code();
      case CallAbandoned _ -> "none";
      case CallEvent other -> other.getClass().getSimpleName();
    };
  }
}
