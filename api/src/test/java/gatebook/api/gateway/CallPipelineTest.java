package gatebook.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.gateway.message.MessageOverHttp;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.quota.GivenQuotas;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.gateway.report.ErrorReporter;
import gatebook.api.mcp.McpMethods;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.call.HeldCall;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RefuseMessage;
import gatebook.command.call.SettleCall;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.gate.GateInput;
import gatebook.command.gateway.ReportOutage;
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
import org.axonframework.messaging.core.configuration.MessagingConfigurer;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps of a call, with commands decided by the test. */
@Timeout(300)
final class CallPipelineTest {

  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool"}}\
      """;
  private static final Rules RULES = RulesFixture.rules(Action.APPROVE, GatewayLimits.DEFAULT);
  private static final CallerConnection GONE =
      action -> {
        action.accept(gatebook.events.CallAbandoned.Cause.DISCONNECTED);
        return () -> {};
      };

  private static final List<DialectHandler> HANDLERS = List.of(McpMethods.ofSources("1"));

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private final FakeCommandGateway fakeCommandGateway = new FakeCommandGateway(this::decided);
  private final NodeQuotas quotas = GivenQuotas.quotas();
  private volatile Supplier<ReceiveOutcome> receiveOutcome =
      () -> new ReceiveOutcome.Forwarded(RulesFixture.SOURCE);
  private volatile RoutingSnapshot routingSnapshot =
      new RoutingSnapshot(RULES, Map.of("scripted", upstream), null);

  private final Gateway gateway =
      new Gateway(
          new GatewayCore(
              fakeCommandGateway,
              new QuerySender(
                  MessagingConfigurer.create().build().getComponent(QueryGateway.class),
                  Runnable::run),
              HANDLERS,
              () -> routingSnapshot,
              quotas,
              (_, _) -> new ConfigurationError("no source returns errors of its own"),
              (fault, dialectVersion, _) ->
                  new ErrorResponse(dialectVersion.dialect(), -1, fault.toString(), null, null),
              new ErrorReporter(new SimpleMeterRegistry()),
              RecordedTaskChanges.NONE,
              new SettableClock()),
          HANDLERS);

  @AfterEach
  void close() {
    gateway.close();
  }

  @Test
  void callIsAbandonedWhenItsCallerLeftBeforeTheHold() {
    hold();

    Reply reply = serve(CALL, GONE).orTimeout(120, TimeUnit.SECONDS).join();

    assertThat(reply).isEqualTo(new Reply("c", 202, null));
    assertThat(quotas.heldCount()).isZero();
    assertThat(upstream.calls).isEmpty();
    assertThat(fakeCommandGateway.sent()).hasAtLeastOneElementOfType(AbandonCall.class);
  }

  @Test
  void callGoesToTheRecordedSourceAfterARulesChange() {
    ScriptedUpstream other = new ScriptedUpstream();
    receiveOutcome =
        () -> {
          routingSnapshot = new RoutingSnapshot(Rules.NONE, Map.of("scripted", other), null);
          return new ReceiveOutcome.Forwarded(RulesFixture.SOURCE);
        };

    assertThat(MessageOverHttp.body(serve(CALL, CallerConnection.UNOBSERVED)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
    assertThat(upstream.calls).hasSize(1);
    assertThat(other.calls).isEmpty();
  }

  @Test
  void callIsAnsweredAfterItsSourceIsRemoved() {
    receiveOutcome =
        () -> {
          routingSnapshot = new RoutingSnapshot(Rules.NONE, Map.of(), null);
          return new ReceiveOutcome.Forwarded(RulesFixture.SOURCE);
        };

    assertThat(MessageOverHttp.body(serve(CALL, CallerConnection.UNOBSERVED)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  @Test
  void unrecordedEndingIsAnErrorAndReportedAsLost() {
    fakeCommandGateway.decide(command ->
        command instanceof SettleCall
            ? FakeCommandGateway.refused(FakeCommandGateway.STOPPED)
            : decided(command));

    assertThat(MessageOverHttp.body(serve(CALL, CallerConnection.UNOBSERVED)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-1,\
            "message":"ServiceUnavailable[cause=OUTCOME_NOT_RECORDED, retryAfterSeconds=null]"}}\
            """);
    gateway.close(); // reports the counts
    assertThat(fakeCommandGateway.sent())
        .contains(
            new ReportOutage(SettableClock.NOON, SettableClock.NOON, "outcome-not-recorded", 0, 1));
    assertThat(upstream.calls).hasSize(1);
  }

  @Test
  void onlyACallThatMayBeOpenIsClosedLater() {
    assertThat(closedAfter(FakeCommandGateway.STOPPED)).isZero();
    assertThat(closedAfter(new Append.InDoubt("the reply was lost"))).isEqualTo(1);
  }

  /** How many calls are closed when the journal is back after this refusal. */
  private long closedAfter(Append.Refused refusal) {
    fakeCommandGateway.decide(_ -> FakeCommandGateway.refused(refusal));
    assertThat(MessageOverHttp.body(serve(CALL, CallerConnection.UNOBSERVED)))
        .contains("cause=JOURNAL");

    fakeCommandGateway.decide(_ -> CompletableFuture.completedFuture(true));
    gateway.close(); // reports the counts
    gateway.close(); // then closes open calls
    return fakeCommandGateway.sent().stream().filter(CloseUnrecordedCall.class::isInstance).count();
  }

  @Test
  void failureBeforeTheCallIsRecordedIsAnInternalError() {
    fakeCommandGateway.decide(command ->
        command instanceof ReceiveCall
            ? CompletableFuture.failedFuture(new IllegalStateException("for the test"))
            : decided(command));

    assertThat(MessageOverHttp.body(serve(CALL, CallerConnection.UNOBSERVED)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"%s"}}\
            """
                .formatted(new InternalError("serving a message", "IllegalStateException")));
  }

  /** From now on calls are held without a decision. */
  private void hold() {
    fakeCommandGateway.decide(command ->
        switch (command) {
          case ReceiveCall call -> {
            quotas.takeAnyway(QuotaRequest.ofHeld(call, null, RULES));
            yield CompletableFuture.completedFuture(new ReceiveOutcome.Held(held(call)));
          }
          case ResumeCall _ -> CompletableFuture.completedFuture(new ResumeOutcome.StillHeld());
          case AbandonCall _ -> new CompletableFuture<Boolean>(); // does not complete
          default -> decided(command);
        });
  }

  private static HeldCall held(ReceiveCall call) {
    return new HeldCall(
        call,
        new GateInput(
            call.principal(),
            call.method(),
            "tool",
            GateInput.TargetKind.TOOL,
            null,
            call.receivedAt()),
        RulesFixture.approvalRequest(
            call.callId(), call.receivedAt(), call.receivedAt().plusSeconds(300)));
  }

  private CompletableFuture<?> decided(Object command) {
    return CompletableFuture.completedFuture(
        switch (command) {
          case ReceiveCall _ -> receiveOutcome.get();
          case SettleCall(_, _, _, _, _, _, SettleCall.Ending.Failure(var fault, _), _, _, _) ->
              new CallOutcome.Failed(
                  fault, new ErrorResponse(Dialect.MCP, -1, fault.toString(), null, null));
          case SettleCall _ -> new CallOutcome.Answered(false, "{}");
          case RefuseMessage refused ->
              new ErrorResponse(Dialect.MCP, -1, refused.fault().toString(), null, null);
          default -> true;
        });
  }

  private CompletableFuture<Reply> serve(String message, CallerConnection callerConnection) {
    return gateway.serve(Dialect.MCP, MessageOverHttp.of(message, callerConnection));
  }
}
