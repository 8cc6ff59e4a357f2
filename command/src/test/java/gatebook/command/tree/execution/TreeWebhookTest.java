package gatebook.command.tree.execution;

import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.EXECUTION;
import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.RULES;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.delivery;
import static gatebook.command.GivenTree.execute;
import static gatebook.command.GivenTree.executeWithWebhook;
import static gatebook.command.GivenTree.executionEnded;
import static gatebook.command.GivenTree.executionStarted;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.webhookStarted;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.execution.RecordDelivery.Outcome;
import gatebook.command.tree.handler.TreeQueryHandlers;
import gatebook.events.Event;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is recorded of the webhook of an execution, and until when it is open. */
@Timeout(300)
final class TreeWebhookTest {
  private static final Outcome DELIVERED = new Outcome.Delivered(204);
  private static final Outcome FAILED = new Outcome.NotDelivered(503, "no", false);
  private static final Outcome GIVEN_UP = new Outcome.NotDelivered(null, "no", true);

  private final AxonTestFixture fixture = AxonTestFixture.with(GivenTree.configurer(RULES));
  private final List<Event> history = new ArrayList<>();

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @Test
  void aWebhookStartsWithItsExecution() {
    given(created(root("a")));

    when(executeWithWebhook("a"))
        .resultMessagePayload(new TreeOutcome.Done())
        .events(webhookStarted("a", false));
    assertThat(webhookStarted("a", false).toString()).doesNotContain("s3cret");
  }

  @Test
  void anExecutionThatIsTakenOverKeepsItsWebhook() {
    given(created(root("a")), webhookStarted("a", false));

    when(new TakeOverExecution(TREE, EXECUTION, NOON, NOON))
        .resultMessagePayload(true)
        .events(webhookStarted("a", true));
  }

  @Test
  void eachAttemptIsRecorded() {
    given(created(root("a")), webhookStarted("a", false));

    when(delivery(false, 1, FAILED)).resultMessagePayload(true).events(failed(false, 1, FAILED));
    given(failed(false, 1, FAILED));
    when(delivery(false, 2, DELIVERED)).resultMessagePayload(true).events(delivered(false, 2));
  }

  @Test
  void nothingFollowsTheLastDelivery() {
    for (Event settled : List.of(delivered(true, 1), failed(true, 4, GIVEN_UP))) {
      history.clear();
      given(created(root("a")), webhookStarted("a", false), ended(), settled);

      when(delivery(true, 1, DELIVERED)).resultMessagePayload(false).noEvents();
      when(takeOver()).resultMessagePayload(false).noEvents();
    }
  }

  @Test
  void aFailedLastDeliveryStaysOpen() {
    given(created(root("a")), webhookStarted("a", false), ended(), failed(true, 1, FAILED));

    when(delivery(true, 2, DELIVERED)).resultMessagePayload(true).events(delivered(true, 2));
  }

  @Test
  void anEarlierMessageThatIsGivenUpSettlesNothing() {
    given(created(root("a")), webhookStarted("a", false), failed(false, 4, GIVEN_UP));

    when(delivery(true, 1, DELIVERED)).resultMessagePayload(true).events(delivered(true, 1));
  }

  @Test
  void anExecutionWithoutAWebhookRecordsNothing() {
    given(created(root("a")), executionStarted("a"));

    when(delivery(false, 1, DELIVERED)).resultMessagePayload(false).noEvents();
  }

  @Test
  void onlyOneProcessTakesAWebhookOver() {
    given(created(root("a")), webhookStarted("a", false), ended());
    TreeWebhookTakenOver takenOver =
        new TreeWebhookTakenOver(TREE, OWNER, EXECUTION, NOON.plusSeconds(1));

    when(takeOver()).resultMessagePayload(true).events(takenOver);
    given(takenOver);
    when(takeOver()).resultMessagePayload(false).noEvents();
  }

  @Test
  void theWebhookOfARunningExecutionIsNotTakenOver() {
    given(created(root("a")), webhookStarted("a", false));

    when(takeOver()).resultMessagePayload(false).noEvents();
  }

  @Test
  void theNextExecutionLeavesAnOpenWebhook() {
    given(created(root("a")), webhookStarted("a", false), ended());

    when(execute("a")).resultMessagePayload(new TreeOutcome.Done());
    when(delivery(true, 1, DELIVERED)).resultMessagePayload(true).events(delivered(true, 1));
  }

  @Test
  void anOpenWebhookIsReadWithTheEnd() {
    assertThat(read(webhookStarted("a", false), ended()))
        .isEqualTo(
            new GetWebhook.Result(
                Optional.of(GivenTree.WEBHOOK_CONFIG),
                Optional.of(new GetWebhook.End(TreeStatus.FAILED, List.of("b"), NOON))));
    assertThat(read(webhookStarted("a", false)).end()).isEmpty();
    assertThat(read(webhookStarted("a", false), ended(), delivered(true, 1)).config()).isEmpty();
  }

  private static GetWebhook.Result read(Event... events) {
    TreeWebhookEntity entity = new TreeWebhookEntity();
    Stream.of(events)
        .forEach(event -> {
          switch (event) {
            case TreeExecutionStarted started -> entity.on(started);
            case TreeExecutionEnded ended -> entity.on(ended);
            case TreeWebhookDelivered delivered -> entity.on(delivered);
            default -> throw new IllegalArgumentException(event.toString());
          }
        });
    return new TreeQueryHandlers().handle(new GetWebhook(EXECUTION, RULES.hash()), entity);
  }

  private static TakeOverWebhook takeOver() {
    return new TakeOverWebhook(EXECUTION, NOON, NOON.plusSeconds(1));
  }

  private static TreeExecutionEnded ended() {
    return executionEnded(TreeStatus.FAILED, "b");
  }

  private static TreeWebhookDelivered delivered(boolean last, int attempt) {
    return new TreeWebhookDelivered(
        TREE, OWNER, EXECUTION, last ? "final" : "task_start", "a", last, attempt, 204, NOON);
  }

  private static TreeWebhookFailed failed(boolean last, int attempt, Outcome outcome) {
    Outcome.NotDelivered notDelivered = (Outcome.NotDelivered) outcome;
    return new TreeWebhookFailed(
        TREE,
        OWNER,
        EXECUTION,
        last ? "final" : "task_start",
        "a",
        last,
        attempt,
        notDelivered.status(),
        notDelivered.reason(),
        notDelivered.givenUp(),
        NOON);
  }

  private void given(Event... events) {
    history.addAll(Arrays.asList(events));
  }

  private AxonTestPhase.Then.Command when(Object command) {
    return fixture.given().events(history.toArray()).when().command(command).then();
  }
}
