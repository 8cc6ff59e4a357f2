package gatebook.command.call.handler;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.received;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.GivenSources;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CallQuotas;
import gatebook.command.call.HeldCall;
import gatebook.command.call.OrphanCall;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RetryCall;
import gatebook.command.call.approval.ApprovalBinding;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.gate.GateChain;
import gatebook.command.gateway.GatewayCommandHandlers;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.Event;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import gatebook.events.keys.ContentKeys;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.test.fixture.AxonTestFixture;
import org.axonframework.test.fixture.AxonTestPhase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class CallCommandHandlersTest {
  private static final Source SOURCE =
      GivenSources.source("s", "", GivenSources.expose(Exposure.ALL));
  private static final Rules RULES =
      GivenSources.rules(List.of(SOURCE), GivenSources.rule(2, "deploy", Action.APPROVE, "ops"));
  private static final Instant SOON = NOON.plusSeconds(5);
  private static final ReceiveCall DEPLOY = call("deploy", RULES);

  private final Slots slots = new Slots();
  private final AxonTestFixture fixture = AxonTestFixture.with(configurer());

  private static final class Slots implements CallQuotas {
    private final List<UUID> taken = new ArrayList<>();
    private QuotaResult result = QuotaResult.TAKEN;

    @Override
    public QuotaResult take(QuotaRequest request) {
      taken.add(request.callId());
      return result;
    }

    @Override
    public void giveBack(UUID callId) {
      taken.remove(callId);
    }
  }

  private EventSourcingConfigurer configurer() {
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(RULES);
    return CommandConfiguration.configure(
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE)),
        CommandConfiguration.executors(ContentKeys.NONE),
        GivenCall.handlers(rulesByHash, slots),
        new GatewayCommandHandlers(GivenCall.CLOCK));
  }

  @AfterEach
  void stop() {
    fixture.stop();
  }

  @Test
  void aHeldCallTakesASlot() {
    fixture
        .given()
        .noPriorActivity()
        .when()
        .command(DEPLOY)
        .then()
        .resultMessagePayloadSatisfies(
            outcome -> assertThat(outcome).isInstanceOf(ReceiveOutcome.Held.class))
        .eventsSatisfy(events ->
            assertThat(events)
                .extracting(event -> event.type().name())
                .containsExactly("gatebook.CallReceived", "gatebook.ApprovalRequested"));
    assertThat(slots.taken).containsExactly(CALL);
  }

  @Test
  void aFullQuotaRefusesTheCall() {
    slots.result = CallQuotas.QuotaResult.FULL;

    fixture
        .given()
        .noPriorActivity()
        .when()
        .command(DEPLOY)
        .then()
        .resultMessagePayloadSatisfies(
            outcome -> assertThat(outcome).isInstanceOf(ReceiveOutcome.Refused.class));
  }

  @Test
  void aCallThatIsNotHeldTakesNoSlot() {
    fixture
        .given()
        .noPriorActivity()
        .when()
        .command(call("read", RULES))
        .then()
        .resultMessagePayload(new ReceiveOutcome.Forwarded(SOURCE));
    assertThat(slots.taken).isEmpty();
  }

  @Test
  void aRetryRecordsTheSourceByItsId() {
    given(received(DEPLOY, "s", "deploy"))
        .command(new RetryCall(CALL, "ada", "s", RULES.hash(), "read", 2, "no route"))
        .then()
        .resultMessagePayload(true)
        .events(new CallForwarded(CALL, 2, "s", "http://127.0.0.1:1/s", 30_000, "no route"));
  }

  @Test
  void anApprovalIsGranted() {
    DecideApproval command = new DecideApproval(CALL, "ada", true, "fine", SOON);

    given(received(DEPLOY, "s", "deploy"), request())
        .command(command)
        .then()
        .resultMessagePayload(new DecideApproval.Outcome.Granted())
        .events(new ApprovalGranted(CALL, CALL, null, "ada", "fine", SOON));
  }

  @Test
  void anEarlierDecisionStands() {
    given(
            received(DEPLOY, "s", "deploy"),
            request(),
            new ApprovalGranted(CALL, CALL, null, "ada", null, SOON))
        .command(new DecideApproval(CALL, "eve", false, null, SOON.plusSeconds(1)))
        .then()
        .resultMessagePayload(new DecideApproval.Outcome.AlreadyDecided(true, "ada", SOON))
        .noEvents();
  }

  @Test
  void aGrantedCallIsForwarded() {
    HeldCall heldCall = new HeldCall(DEPLOY, GivenCall.gateInput("deploy"), request());

    given(
            received(DEPLOY, "s", "deploy"),
            request(),
            new ApprovalGranted(CALL, CALL, null, "ada", null, SOON))
        .command(new ResumeCall(heldCall, RULES.hash(), SOON))
        .then()
        .resultMessagePayload(new ResumeOutcome.Forwarded(SOURCE));
  }

  @Test
  void anOpenCallIsAbandoned() {
    given(received(DEPLOY, "s", "deploy"))
        .command(new AbandonCall(CALL, CallAbandoned.Cause.DISCONNECTED, NOON, SOON))
        .then()
        .resultMessagePayload(true)
        .events(new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 5_000));
  }

  @Test
  void anEndedCallIsNotAbandoned() {
    given(
            received(DEPLOY, "s", "deploy"),
            new CallAnswered(
                CALL, CallAnswered.Outcome.SUCCESS, RECORDER.keepResult("{}"), 1, 2L, 3))
        .command(new AbandonCall(CALL, CallAbandoned.Cause.DISCONNECTED, NOON, SOON))
        .then()
        .resultMessagePayload(false)
        .noEvents();
  }

  @Test
  void aCallOfADeadProcessIsOrphaned() {
    given(
            received(DEPLOY, "s", "deploy"),
            new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null))
        .command(new OrphanCall(CALL, "n-1", SOON))
        .then()
        .resultMessagePayload(true)
        .events(new CallOrphaned(CALL, "n-1", true));
  }

  private AxonTestPhase.When given(Event... events) {
    return fixture.given().events((Object[]) events).when();
  }

  private static ApprovalRequested request() {
    return GivenCall.heldCall(
            DEPLOY,
            GivenCall.gateInput("deploy"),
            null,
            GivenSources.WORKFLOW,
            RECORDER.digest(ApprovalBinding.content(DEPLOY, GivenCall.gateInput("deploy"), SOURCE)),
            new GateChain(() -> 0).evaluate(GivenCall.gateInput("deploy"), RULES).rulings(),
            NOON.plusSeconds(600),
            NOON.plusSeconds(300))
        .approvalRequest();
  }
}
