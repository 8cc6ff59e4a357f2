package gatebook.api.upstream.agent;

import static gatebook.api.dialect.A2aVersion.V0_3;
import static gatebook.api.dialect.A2aVersion.V1_0;
import static gatebook.api.upstream.agent.client.AgentFixture.artifact;
import static gatebook.api.upstream.agent.client.AgentFixture.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.agent.client.AgentItem;
import gatebook.api.upstream.agent.client.AgentItemReader;
import gatebook.api.upstream.agent.client.AgentOutcome;
import gatebook.api.upstream.agent.client.StreamEnd;
import gatebook.events.call.StreamSummary;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The items of an agent's stream on their way to a listener. */
final class RelayedItemsTest {
  private static final Ended NO_COUNTERPART =
      new Ended.Failure(new UnsupportedOperation("SubscribeToTask", "no word"));

  private final List<String> relayed = new ArrayList<>();
  private boolean accepts = true;

  @Test
  void lastItemIsTheEndOfTheStream() {
    RelayedItems items = items(V0_3, V0_3);
    String last = status(V0_3, A2aTaskState.COMPLETED, true);

    take(items, V0_3, artifact(V0_3, "t1"));
    take(items, V0_3, last);

    assertThat(relayed).containsExactly(artifact(V0_3, "t1"));
    assertThat(items.end(new StreamEnd(2, A2aTaskState.COMPLETED), true))
        .isEqualTo(new Ended.Streamed(last, false, true, new StreamSummary(2, "completed")));
  }

  @Test
  void endOfTheTaskWaitsForTheNextItem() {
    RelayedItems items = items(V0_3, V0_3);
    String completed = status(V0_3, A2aTaskState.COMPLETED, false);

    take(items, V0_3, completed);
    assertThat(relayed).isEmpty();
    take(items, V0_3, artifact(V0_3, "t1"));

    assertThat(relayed).containsExactly(completed, artifact(V0_3, "t1"));
    assertThat(items.end(new StreamEnd(2, A2aTaskState.COMPLETED), false))
        .isEqualTo(
            new Ended.Streamed(
                artifact(V0_3, "t1"), true, false, new StreamSummary(2, "completed")));
  }

  @Test
  void updatesAreTranslatedIntoTheOtherVersion() {
    RelayedItems newer = items(V0_3, V1_0);
    take(newer, V0_3, status(V0_3, A2aTaskState.WORKING, false));
    take(newer, V0_3, artifact(V0_3, "t1"));
    assertThat(relayed)
        .containsExactly(status(V1_0, A2aTaskState.WORKING, false), artifact(V1_0, "t1"));

    relayed.clear();
    RelayedItems older = items(V1_0, V0_3);
    take(older, V1_0, status(V1_0, A2aTaskState.INPUT_REQUIRED, false));
    assertThat(relayed)
        .containsExactly(
            """
            {"taskId":"t1","contextId":"c1","status":{"state":"input-required"},\
            "kind":"status-update","final":true}\
            """);
  }

  @Test
  void itemWithoutCounterpartStopsTheStream() {
    RelayedItems items = items(V0_3, V1_0);

    CompletableFuture<Void> turn =
        items.onItem(item(V0_3, status(V0_3, A2aTaskState.UNKNOWN, false)));

    assertThat(turn).isNotDone();
    assertThat(items.stopped()).isCompletedWithValue(NO_COUNTERPART);
    assertThat(relayed).isEmpty();
  }

  @Test
  void itemThatNobodyTakesStopsTheStream() {
    accepts = false;
    RelayedItems items = items(V0_3, V0_3);

    CompletableFuture<Void> turn =
        items.onItem(item(V0_3, status(V0_3, A2aTaskState.WORKING, false)));

    assertThat(turn).isNotDone();
    assertThat(items.stopped())
        .isCompletedWithValue(new Ended.Failure(new ServiceUnavailable(Cause.SHUTTING_DOWN, null)));
  }

  private RelayedItems items(A2aVersion spoken, A2aVersion caller) {
    return new RelayedItems(
        spoken,
        new AgentTranslation(spoken, caller),
        message -> {
          relayed.add(new String(message, UTF_8));
          return CompletableFuture.completedFuture(accepts);
        },
        _ -> NO_COUNTERPART);
  }

  private static void take(RelayedItems items, A2aVersion version, String json) {
    assertThat(items.onItem(item(version, json))).isCompleted();
  }

  private static AgentItem item(A2aVersion version, String json) {
    return ((AgentOutcome.Success<AgentItem>) AgentItemReader.streamed(version, json)).value();
  }
}
