package gatebook.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.mcp.McpMethods;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CloseCall;
import gatebook.command.call.HeldCall;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RefuseMessage;
import gatebook.command.call.ReportOutage;
import gatebook.command.call.ResumeCall;
import gatebook.command.call.ResumeOutcome;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleOutcome;
import gatebook.command.gate.GateInput;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.call.Action;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.journal.Append;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens between the steps of a call, each decided as the test says. */
@Timeout(300)
final class CallPipelineTest {

  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tool\"}}";
  private static final Rules RULES = Given.rules(Action.APPROVE, GatewayLimits.DEFAULT);
  private static final CallerConnection GONE =
      action -> {
        action.accept(gatebook.events.CallAbandoned.Cause.DISCONNECTED);
        return () -> {};
      };

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private final Commands commands = new Commands(this::decided);
  private final NodeHoldQuota seats = new NodeHoldQuota();
  private volatile Supplier<ReceiveOutcome> reception =
      () -> new ReceiveOutcome.Forwarded(Given.SOURCE);
  private volatile RoutingSnapshot routingSnapshot =
      new RoutingSnapshot(RULES, Map.of("scripted", upstream), null);

  private final Gateway gateway =
      new Gateway(
          commands,
          List.of(new McpMethods("1")),
          () -> routingSnapshot,
          seats,
          (_, _) -> new ConfigurationError("no source answers with errors of its own"),
          (fault, dialectVersion, _) ->
              new ErrorResponse(dialectVersion.dialect(), -1, fault.toString(), null, null),
          new ErrorReporter(new SimpleMeterRegistry()),
          new SetClock());

  @AfterEach
  void close() {
    gateway.close();
  }

  @Test
  void aCallerWhoLeftBeforeHisCallWasHeldIsNotWaitedFor() {
    hold();

    Reply reply = serve(CALL, GONE).orTimeout(120, TimeUnit.SECONDS).join();

    assertThat(reply).isEqualTo(new Reply("c", 202, null));
    assertThat(seats.count()).isZero();
    assertThat(upstream.calls).isEmpty();
    assertThat(commands.sent()).hasAtLeastOneElementOfType(AbandonCall.class);
  }

  @Test
  void aCallGoesToTheSourceThatWasRecordedThoughTheRulesChangedMeanwhile() {
    ScriptedUpstream other = new ScriptedUpstream();
    reception =
        () -> {
          routingSnapshot = new RoutingSnapshot(Rules.NONE, Map.of("scripted", other), null);
          return new ReceiveOutcome.Forwarded(Given.SOURCE);
        };

    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN)))
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    assertThat(upstream.calls).hasSize(1);
    assertThat(other.calls).isEmpty();
  }

  @Test
  void aCallIsAnsweredWhenItsSourceWasTakenOutOfTheRulesMeanwhile() {
    reception =
        () -> {
          routingSnapshot = new RoutingSnapshot(Rules.NONE, Map.of(), null);
          return new ReceiveOutcome.Forwarded(Given.SOURCE);
        };

    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN)))
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
  }

  @Test
  void aSeatIsGivenBackWhenTheHoldCannotBeRecorded() {
    commands.decide(command -> {
      if (command instanceof ReceiveCall call) {
        seats.take(call.callId(), "ada", GatewayLimits.DEFAULT);
      }
      return Commands.refused(Commands.STOPPED);
    });

    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":"
                + "\"ServiceUnavailable[cause=JOURNAL, retryAfterSeconds=null]\"}}");
    assertThat(seats.count()).isZero();
    assertThat(upstream.calls).isEmpty();
  }

  @Test
  void anEndingThatCannotBeRecordedIsToldAndReportedAsLost() {
    commands.decide(command ->
        command instanceof SettleCall ? Commands.refused(Commands.STOPPED) : decided(command));

    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":"
                + "\"ServiceUnavailable[cause=OUTCOME_NOT_RECORDED, retryAfterSeconds=null]\"}}");
    gateway.close(); // which reports what was counted
    assertThat(commands.sent())
        .contains(new ReportOutage(SetClock.NOON, SetClock.NOON, "outcome-not-recorded", 0, 1));
    assertThat(upstream.calls).hasSize(1);
  }

  @Test
  void onlyACallThatMayHaveBegunHasToBeEndedLater() {
    assertThat(closedAfter(Commands.STOPPED)).isZero();
    assertThat(closedAfter(new Append.InDoubt("the reply was lost"))).isEqualTo(1);
  }

  /** How many calls are ended once the journal is back that refused their beginning so. */
  private long closedAfter(Append.Refused refusal) {
    commands.decide(_ -> Commands.refused(refusal));
    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN))).contains("cause=JOURNAL");

    commands.decide(_ -> CompletableFuture.completedFuture(true));
    gateway.close(); // which reports what was counted
    gateway.close(); // and then ends what is open
    return commands.sent().stream().filter(CloseCall.class::isInstance).count();
  }

  @Test
  void whatFailsBeforeThereIsACallIsRefusedAsAFaultOfOurs() {
    commands.decide(command ->
        command instanceof ReceiveCall
            ? CompletableFuture.failedFuture(new IllegalStateException("for the test"))
            : decided(command));

    assertThat(Sent.body(serve(CALL, CallerConnection.UNSEEN)))
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"%s\"}}"
                .formatted(new InternalError("serving a message", "IllegalStateException")));
  }

  /** Nobody decides about the calls that come from now on. */
  private void hold() {
    commands.decide(command ->
        switch (command) {
          case ReceiveCall call -> {
            seats.take(call.callId(), "ada", GatewayLimits.DEFAULT);
            yield CompletableFuture.completedFuture(new ReceiveOutcome.Held(held(call)));
          }
          case ResumeCall _ -> CompletableFuture.completedFuture(new ResumeOutcome.StillHeld());
          case AbandonCall _ -> new CompletableFuture<Boolean>(); // it takes its time
          default -> decided(command);
        });
  }

  private static HeldCall held(ReceiveCall call) {
    return new HeldCall(
        call,
        new GateInput(
            call.principal(), call.method(), "tool", GateInput.On.TOOL, null, call.receivedAt()),
        Given.question(call.callId(), call.receivedAt(), call.receivedAt().plusSeconds(300)));
  }

  private CompletableFuture<?> decided(Object command) {
    return CompletableFuture.completedFuture(
        switch (command) {
          case ReceiveCall _ -> reception.get();
          case SettleCall(_, _, _, _, _, SettleCall.Ending.Failure(var fault, _), _, _) ->
              new SettleOutcome.Failed(
                  fault, new ErrorResponse(Dialect.MCP, -1, fault.toString(), null, null));
          case SettleCall _ -> new SettleOutcome.Answered();
          case RefuseMessage refused ->
              new ErrorResponse(Dialect.MCP, -1, refused.fault().toString(), null, null);
          default -> true;
        });
  }

  private CompletableFuture<Reply> serve(String message, CallerConnection callerConnection) {
    return gateway.serve(Dialect.MCP, Sent.of(message, callerConnection));
  }
}
