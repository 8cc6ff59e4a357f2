package gatebook.command.call.handler;

import static gatebook.command.GivenCall.ADA;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.DIGESTS;
import static gatebook.command.GivenCall.INSPECTORS;
import static gatebook.command.GivenCall.RECORDERS;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.withArguments;
import static gatebook.command.GivenCall.withDeferral;
import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.Decision;
import gatebook.command.call.Deferral;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.policy.PolicyFile;
import gatebook.command.policy.PolicyReading;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Candidate;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.Proof;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Exposure;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.ObservedVerdict.Outcome;
import gatebook.events.fault.Misdirected;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A candidate changes nothing in what is decided but its own verdict, whatever it is. */
final class CandidateEffectTest {
  private static final QuotaResult USED_UP =
      new QuotaResult.UsedUp(new Misdirected.RateLimited(Misdirected.Limit.BUDGET, 3L));

  private static final int CALLS = Proof.rounds(3_000, 100_000);

  /** The hash of rules under which the candidate's inspectors fail. */
  private static final String FAULTY = "faulty";

  private static final List<String> TOOLS = List.of("read", "drop", "deploy", "pay", "t_read");
  private static final List<String> PATTERNS = List.of("read", "d*", "pay", "*a*", "*", "none");
  private static final CedarPolicies POLICIES =
      compiled(
          "permit (principal, action, resource);",
          "@id(\"strict\") forbid (principal, action, resource) when { resource.arguments.a > 1"
              + " };");

  private static final Principals ADA_ALONE =
      Principals.of(List.of(new KnownPrincipal(Bytes.of(new byte[32]), ADA)));

  private static final Deferral TASK =
      new Deferral("gb_1", TaskCreated.Form.TASK, Deferral.Condition.IF_HELD_AS_REQUESTED, 7_000L);

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final ReceiveDecider decider =
      new ReceiveDecider(
          new GateChain(() -> 0),
          INSPECTORS,
          new InspectorChain(CandidateEffectTest::scrubber),
          RECORDERS,
          DIGESTS,
          TRANSLATOR,
          CLOCK);

  private static Scrubber scrubber(Rules rules) {
    if (rules.hash().equals(FAULTY)) {
      throw new IllegalStateException("of the candidate");
    }
    return Scrubber.BUILT_IN;
  }

  private static CedarPolicies compiled(String... texts) {
    PolicyFile file = new PolicyFile("p.cedar", String.join("\n", texts));
    return switch (CedarPolicies.compile(List.of(file), null, 0)) {
      case PolicyReading.Compiled(var policies, _) -> policies;
      case PolicyReading.Invalid(var mistakes) -> throw new AssertionError(mistakes);
    };
  }

  @Test
  void onlyTheVerdictDiffers() {
    Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
    for (int i = 0; i < CALLS; i++) {
      Rules inForce = randomRules("in force");
      Rules candidate =
          random.nextInt(20) == 0
              ? null
              : randomRules(random.nextInt(20) == 0 ? FAULTY : "candidate");
      ReceiveCall call = randomCall(inForce);
      QuotaResult quotaResult =
          any(List.of(QuotaResult.TAKEN, QuotaResult.PRINCIPAL_FULL, QuotaResult.FULL, USED_UP));

      Decision<ReceiveOutcome> observing =
          decider.decide(
              call, inForce.withObserved(new Candidate("candidate", candidate)), quotaResult);

      assertThat(withoutVerdict(observing))
          .as("seed %d, call %d: %s", seed, i, call)
          .isEqualTo(decider.decide(call, inForce, quotaResult));
      verdicts(observing).forEach(verdict -> seen.add(verdict.outcome()));
    }
    assertThat(seen).containsExactly(Outcome.values());
  }

  @Test
  void anExceptionIsAVerdict() {
    Rules inForce = rules(List.of(source("s", "", expose(Exposure.ALL))));
    Candidate candidate = new Candidate(FAULTY, withGovernance(FAULTY, inForce.governance()));

    Decision<ReceiveOutcome> decision =
        decider.decide(call("read", inForce), inForce.withObserved(candidate), QuotaResult.TAKEN);

    assertThat(verdicts(decision))
        .containsExactly(
            ObservedVerdict.failed(FAULTY, "exception", List.of("IllegalStateException")));
    assertThat(decision.outcome()).isInstanceOf(ReceiveOutcome.Forwarded.class);
  }

  private Rules randomRules(String hash) {
    List<Rule> governed = new ArrayList<>();
    for (int place = 1; place <= random.nextInt(5); place++) {
      Action action = any(List.of(Action.values()));
      governed.add(
          rule(
              place,
              any(PATTERNS),
              action,
              action == Action.APPROVE && random.nextBoolean() ? "gone" : null));
    }
    return withGovernance(hash, new Governance(any(List.of(Action.values())), governed));
  }

  /** Rules that know the principal of each call three times out of four. */
  private Rules withGovernance(String hash, Governance governance) {
    boolean hidesSome = random.nextBoolean();
    List<Source> sources =
        List.of(
            source("s", "", expose(Exposure.BLOCKLIST, hidesSome ? "drop" : "nothing")),
            source("t", "t_", expose(Exposure.ALL)));
    return new Rules(
        hash,
        sources,
        governance,
        Map.of("ops", WORKFLOW),
        POLICIES,
        List.copyOf(InspectorRegistry.NAMES),
        hash.equals("candidate") && random.nextInt(4) == 0 ? Principals.NONE : ADA_ALONE,
        List.of(),
        List.of(),
        RedactionRules.DEFAULT,
        RecordRules.DEFAULT,
        GatewayLimits.DEFAULT);
  }

  private ReceiveCall randomCall(Rules rules) {
    List<String> others = random.nextInt(8) == 0 ? List.of(any(TOOLS)) : List.of();
    ReceiveCall call =
        call(
            new Intent.Act(any(TOOLS), TargetKind.TOOL, others),
            random.nextInt(8) == 0 ? null : "1",
            rules);
    ReceiveCall deferred = random.nextInt(4) == 0 ? withDeferral(TASK, call) : call;
    return switch (random.nextInt(4)) {
      case 0 -> withArguments(SECRET_ARGUMENTS, deferred);
      case 1 -> withArguments("{\"a\":\"no number\"}", deferred);
      case 2 -> withArguments("{\"a\":2}", deferred);
      default -> deferred;
    };
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static List<ObservedVerdict> verdicts(Decision<?> decision) {
    return decision.events().stream()
        .flatMap(event ->
            Stream.ofNullable(
                switch (event) {
                  case CallAdmitted admitted -> admitted.observed();
                  case GateDenied denied -> denied.observed();
                  case ApprovalRequested requested -> requested.observed();
                  default -> null;
                }))
        .toList();
  }

  private static Decision<ReceiveOutcome> withoutVerdict(Decision<ReceiveOutcome> decision) {
    return new Decision<>(
        decision.events().stream().map(CandidateEffectTest::withoutVerdict).toList(),
        switch (decision.outcome()) {
          case ReceiveOutcome.Held(var heldCall) ->
              new ReceiveOutcome.Held(withoutVerdict(heldCall));
          case ReceiveOutcome.Deferred(var heldCall, var task, var usesIdAgain) ->
              new ReceiveOutcome.Deferred(withoutVerdict(heldCall), task, usesIdAgain);
          case ReceiveOutcome other -> other;
        });
  }

  private static HeldCall withoutVerdict(HeldCall held) {
    return new HeldCall(
        held.call(), held.gateInput(), (ApprovalRequested) withoutVerdict(held.approvalRequest()));
  }

  private static Event withoutVerdict(Event event) {
    return switch (event) {
      case CallAdmitted it ->
          new CallAdmitted(it.callId(), it.rulesHash(), it.rulings(), it.logicVersion(), null);
      case GateDenied it ->
          new GateDenied(
              it.callId(),
              it.rulesHash(),
              it.target(),
              it.principal(),
              it.rulings(),
              it.logicVersion(),
              null);
      case ApprovalRequested it ->
          new ApprovalRequested(
              it.callId(),
              it.approvalId(),
              it.taskId(),
              it.workflow(),
              it.destination(),
              it.bound(),
              it.requestedAt(),
              it.deadline(),
              it.heldUntil(),
              it.onTimeout(),
              it.rulesHash(),
              it.rulings(),
              it.logicVersion(),
              null);
      default -> event;
    };
  }
}
