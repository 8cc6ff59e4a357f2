package gatebook.api.gateway;

import static gatebook.api.gateway.SettableClock.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.gateway.message.FakeQueryGateway;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.quota.GivenQuotas;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.gateway.report.ErrorReporter;
import gatebook.api.mcp.McpMethods;
import gatebook.api.upstream.Retries;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.ServerFault.ConfigurationError;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BackgroundCallsTest {
  private static final ReceiveCall CALL = HeldCallsTest.HOLD.call();
  private static final TaskId TASK = TaskId.generate(CALL.callId());
  private static final TaskCreated CREATED =
      new TaskCreated(CALL.callId(), TASK.text(), TaskCreated.Form.TASK, NOON, 60_000);
  private static final TaskStatus ANSWERED = status(new CallOutcome.Answered(false, "{}"));
  private static final Rules RULES = RulesFixture.rules(Action.FORWARD, GatewayLimits.DEFAULT);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private final CompletableFuture<Upstream.Response> response = new CompletableFuture<>();
  private final BackgroundCalls backgroundCalls =
      new BackgroundCalls(services(), Map.of(Dialect.MCP, McpMethods.ofSources("1")));

  private GatewayCore.Services services() {
    SettableClock clock = new SettableClock();
    NodeQuotas quotas = GivenQuotas.quotas();
    CommandSender commandSender =
        new CommandSender(FakeCommandGateway.withOutcome(new CallOutcome.Answered(false, "{}")));
    return new GatewayCore.Services(
        commandSender,
        new QuerySender(FakeQueryGateway.of(_ -> answer()), Runnable::run),
        () -> new RoutingSnapshot(RULES, Map.of("scripted", upstream), null),
        new Retries(timer),
        (_, _) -> new ConfigurationError("no source returns errors of its own"),
        quotas,
        new SignedOnOwners(),
        new HeldCalls(commandSender, () -> RULES, clock, timer, quotas),
        new OutageRecorder(commandSender, clock),
        new RefusalThrottle(commandSender, clock, (_, _) -> 0),
        (fault, _, _) -> new ErrorResponse(Dialect.MCP, -1, fault.toString(), null, null),
        new ErrorReporter(new SimpleMeterRegistry()),
        RecordedTaskChanges.NONE,
        new CallsInFlight(),
        clock,
        timer);
  }

  /** The task ends after its status is read for the first time, and before that is told. */
  private CompletableFuture<?> answer() {
    boolean hasEnded = !response.complete(new Upstream.Ended.Result("{}", false));
    return CompletableFuture.completedFuture(hasEnded ? ANSWERED : status(new TaskState.Working()));
  }

  private static TaskStatus status(TaskState state) {
    return new TaskStatus.Known(CREATED, state, NOON, NOON, NOON, NOON, null);
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void taskMayEndWhileItsStatusIsRead() {
    upstream.response = () -> response;
    backgroundCalls.start(CALL, RulesFixture.SOURCE, CREATED, Map.of());

    var status = backgroundCalls.tasksOf("ada").await(TASK, 60_000, _ -> true);

    assertThat(status).isCompletedWithValue(new CommandResult.Stored<>(ANSWERED));
    assertThat(upstream.calls).hasSize(1);
  }
}
