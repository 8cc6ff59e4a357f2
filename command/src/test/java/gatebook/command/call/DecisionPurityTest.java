package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.gateInput;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenCall.withArguments;
import static gatebook.command.GivenCall.withDeferral;
import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.rule;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.GivenSources;
import gatebook.command.GivenTree;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.approval.ApprovalBinding;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.task.SettleTask;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.gateway.GatewayCommandHandlers;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.policy.PolicyFile;
import gatebook.command.policy.PolicyReading;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.rules.Source;
import gatebook.command.tree.CancelTreeTask;
import gatebook.command.tree.ChangeTree;
import gatebook.command.tree.CopyTasks;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.RetryTreeTask;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.StartTreeTask;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.GetWebhook;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.execution.TakeOverExecution;
import gatebook.command.tree.handler.TreeCommandHandlers;
import gatebook.events.ApprovalGranted;
import gatebook.events.CallForwarded;
import gatebook.events.Event;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import gatebook.events.keys.ContentKeys;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.core.Message;
import org.axonframework.test.fixture.AxonTestFixture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Handles each command twice with the same handlers and once with new ones, after the same events:
 * the decision is the same each time. What a decision reads besides the command and the state of
 * its call is given here: the rules, the clock, the times that are measured, and the content keys.
 */
@Timeout(300)
final class DecisionPurityTest {
  private static final Source SOURCE =
      GivenSources.source("s", "", GivenSources.expose(Exposure.BLOCKLIST, "hidden"));
  private static final Rules RULES =
      new Rules(
          "sha256:1",
          List.of(SOURCE),
          new Governance(
              Action.FORWARD,
              List.of(
                  rule(1, "drop", Action.DENY, null),
                  rule(2, "deploy", Action.APPROVE, "ops"),
                  rule(3, "pay*", Action.POLICY, null))),
          Map.of("ops", WORKFLOW),
          policies(),
          List.copyOf(InspectorRegistry.NAMES),
          Principals.NONE,
          List.of(),
          List.of(),
          RedactionRules.DEFAULT,
          RecordRules.DEFAULT,
          GatewayLimits.DEFAULT);
  private static final ReceiveCall DEPLOY = call("deploy", RULES);
  private static final Deferral TASK =
      new Deferral("gb_1", TaskCreated.Form.TASK, Deferral.Condition.IF_HELD_AS_REQUESTED, 7_000L);

  /** What one command decided. */
  private record Decided(List<Object> events, Object outcome) {}

  /** Caches no decision: whether one was cached is recorded, and differs the second time. */
  private static CedarPolicies policies() {
    PolicyFile file =
        new PolicyFile(
            "p.cedar", "permit(principal, action, resource) when { resource.arguments.a > 1 };");
    return switch (CedarPolicies.compile(List.of(file), null, 0)) {
      case PolicyReading.Compiled(var cedarPolicies, _) -> cedarPolicies;
      case PolicyReading.Invalid(var mistakes) -> throw new AssertionError(mistakes);
    };
  }

  static Stream<Object> commands() {
    List<ReceiveCall> received =
        List.of(
            call("echo", RULES),
            call("hidden", RULES),
            call("drop", RULES),
            call("pay", RULES),
            withArguments("{\"a\":2}", call("pay", RULES)),
            withArguments(SECRET_ARGUMENTS, call("echo", RULES)),
            call(new Intent.Act("echo", TargetKind.TOOL, List.of("pay", "drop")), "1", RULES),
            DEPLOY,
            withDeferral(TASK, DEPLOY),
            call(GivenCall.tool("deploy"), null, RULES));
    HeldCall heldCall = new HeldCall(DEPLOY, gateInput("deploy"), request().approvalRequest());
    return Stream.of(
            received.stream(),
            Stream.of(new ResumeCall(heldCall, RULES.hash(), NOON.plusSeconds(5))),
            CommandJsonTest.commands().filter(command -> !isQuery(command)))
        .flatMap(it -> it);
  }

  private static boolean isQuery(Object command) {
    return command instanceof CallQuery
        || command instanceof GetAgentTaskOwner
        || command instanceof FindSentMessage
        || command instanceof GetTree
        || command instanceof GetTreeTask
        || command instanceof GetWebhook;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandIsDecidedTheSameEachTime(Object command) {
    Object[] handlers = handlers();
    Decided first = decided(command, handlers);

    assertThat(decided(command, handlers)).isEqualTo(first);
    assertThat(decided(command, handlers())).isEqualTo(first);
  }

  private static Decided decided(Object command, Object[] handlers) {
    List<Object> events = new ArrayList<>();
    List<Object> outcome = new ArrayList<>();
    AxonTestFixture fixture = AxonTestFixture.with(configurer(handlers));
    try {
      fixture
          .given()
          .events((Object[]) before(command))
          .when()
          .command(command)
          .then()
          .success()
          .resultMessagePayloadSatisfies(outcome::add)
          .eventsSatisfy(all -> all.stream().map(Message::payload).forEach(events::add));
    } finally {
      fixture.stop();
    }
    return new Decided(events, outcome);
  }

  /** A granted call that waits; nothing for a command that is the first about its call. */
  static Event[] before(Object command) {
    return switch (command) {
      case SettleTask _ ->
          new Event[] {
            received(DEPLOY, "s", "deploy"),
            new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null)
          };
      case DecideApproval _ ->
          new Event[] {received(DEPLOY, "s", "deploy"), request().approvalRequest()};
      case CallCommand _ ->
          new Event[] {
            received(DEPLOY, "s", "deploy"),
            request().approvalRequest(),
            new ApprovalGranted(CALL, CALL, null, "ada", "fine", NOON.plusSeconds(1))
          };
      case SettleTreeTask _, CancelTreeTask _, RetryTreeTask _ ->
          new Event[] {GivenTree.created(GivenTree.root("a")), GivenTree.started("a", 1)};
      case RecordDelivery _ ->
          new Event[] {
            GivenTree.created(GivenTree.root("a")), GivenTree.webhookStarted("a", false)
          };
      case EndExecution _, TakeOverExecution _ ->
          new Event[] {GivenTree.created(GivenTree.root("a")), GivenTree.executionStarted("a")};
      case StartExecution _ ->
          new Event[] {
            GivenTree.created(GivenTree.root("a")),
            GivenTree.started("a", 1),
            GivenTree.failed("a", 1)
          };
      case ChangeTree _, CopyTasks _, StartTreeTask _ ->
          new Event[] {GivenTree.created(GivenTree.root("a"))};
      default -> new Event[0];
    };
  }

  private static HeldCall request() {
    return GivenCall.heldCall(
        DEPLOY,
        gateInput("deploy"),
        null,
        WORKFLOW,
        GivenCall.RECORDER.digest(ApprovalBinding.content(DEPLOY, gateInput("deploy"), SOURCE)),
        new GateChain(() -> 0).evaluate(gateInput("deploy"), RULES).rulings(),
        NOON.plusSeconds(600),
        NOON.plusSeconds(300));
  }

  static Object[] handlers() {
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(RULES);
    return new Object[] {
      GivenCall.handlers(rulesByHash, new UnlimitedQuota()),
      new TreeCommandHandlers(
          rulesByHash, GivenCall.RECORDERS, () -> Scrubber.BUILT_IN, Scrubber.BUILT_IN::scrub),
      new GatewayCommandHandlers(GivenCall.CLOCK)
    };
  }

  private static final class UnlimitedQuota implements CallQuotas {
    @Override
    public QuotaResult take(QuotaRequest request) {
      return QuotaResult.TAKEN;
    }

    @Override
    public void giveBack(UUID callId) {}
  }

  private static EventSourcingConfigurer configurer(Object... handlers) {
    return CommandConfiguration.configure(
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE)),
        CommandConfiguration.executors(ContentKeys.NONE),
        handlers);
  }
}
