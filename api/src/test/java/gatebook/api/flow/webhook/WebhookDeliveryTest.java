package gatebook.api.flow.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.executor.ExecutorRegistry;
import gatebook.api.flow.executor.RetryingSender;
import gatebook.api.flow.executor.TaskExecutors;
import gatebook.api.flow.executor.ToolLists;
import gatebook.api.flow.executor.ToolSchemas;
import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.command.rules.AllowedAddress;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.execution.RecordDelivery.Outcome;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.tree.TreeStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When a message of a webhook is sent again, and what is recorded of it. */
final class WebhookDeliveryTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID EXECUTION = new UUID(1, 2);
  private static final WebhookMessage MESSAGE =
      new WebhookMessage(
          "final", "a", TreeStatus.COMPLETED, 1, "Execution completed", NOON, true, null, null);

  private final List<ExchangeResult> results = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private final List<Outcome> recorded = new ArrayList<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private RoutingSnapshot routingSnapshot = allowing("hooks.example.com");

  @Test
  void anAcceptedMessageIsRecordedOnce() {
    results.add(response(204));

    assertThat(deliver()).isTrue();
    assertThat(recorded).containsExactly(new Outcome.Delivered(204));
    assertThat(steps).containsExactly("send", "record 1");
  }

  @Test
  void aFailingReceiverIsTriedAgainLater() {
    IntStream.range(0, 4).forEach(_ -> results.add(response(503)));

    assertThat(deliver()).isFalse();
    assertThat(steps)
        .containsExactly(
            "send",
            "record 1",
            "pause 1000",
            "send",
            "record 2",
            "pause 2000",
            "send",
            "record 3",
            "pause 4000",
            "send",
            "record 4");
    assertThat(recorded)
        .containsExactly(
            new Outcome.NotDelivered(503, "the receiver failed", false),
            new Outcome.NotDelivered(503, "the receiver failed", false),
            new Outcome.NotDelivered(503, "the receiver failed", false),
            new Outcome.NotDelivered(503, "the receiver failed", true));
    assertThat(counted("retried")).isEqualTo(3);
    assertThat(counted("given_up")).isEqualTo(1);
    assertThat(counted("delivered")).isZero();
  }

  @Test
  void aPauseIsAtMostAMinute() {
    IntStream.range(0, 101).forEach(_ -> results.add(response(503)));

    assertThat(delivery(this::pause, 100).deliver(MESSAGE).join()).isFalse();
    assertThat(steps.stream().filter(step -> step.startsWith("pause")).skip(6).distinct())
        .containsExactly("pause 60000");
    assertThat(recorded).hasSize(101);
  }

  @ParameterizedTest
  @MethodSource("failuresOfTheNetwork")
  void failuresOfTheNetworkAreRetried(ExchangeResult failure) {
    results.add(failure);
    results.add(response(200));

    assertThat(deliver()).isTrue();
    assertThat(steps).containsExactly("send", "record 1", "pause 1000", "send", "record 2");
    assertThat(recorded.getFirst()).isInstanceOf(Outcome.NotDelivered.class);
    assertThat(counted("delivered")).isEqualTo(1);
  }

  static Stream<ExchangeResult> failuresOfTheNetwork() {
    return Stream.of(
        new ExchangeResult.NotConnected("connection refused"),
        new ExchangeResult.Overloaded(),
        new ExchangeResult.TimedOut(30_000),
        new ExchangeResult.Broken(Defect.CLOSED_BEFORE_ANSWER));
  }

  @ParameterizedTest
  @CsvSource({
    "400, the receiver refused the message",
    "404, the receiver refused the message",
    "429, the receiver refused the message",
    "301, redirects are not followed",
    "307, redirects are not followed"
  })
  void refusalsAndRedirectsAreNotRetried(int status, String reason) {
    results.add(response(status));

    assertThat(deliver()).isFalse();
    assertThat(recorded).containsExactly(new Outcome.NotDelivered(status, reason, true));
  }

  @Test
  void eachAttemptIsDecidedByTheRulesInForce() {
    results.add(response(500));

    CompletableFuture<Boolean> delivered =
        delivery(
                millis -> {
                  routingSnapshot = allowing("other.example.com");
                  return pause(millis);
                })
            .deliver(MESSAGE);

    assertThat(delivered.join()).isFalse();
    assertThat(steps).containsExactly("send", "record 1", "pause 1000", "record 2");
    assertThat(recorded.getLast())
        .isEqualTo(new Outcome.NotDelivered(null, "the rules do not allow the address", true));
  }

  @Test
  void aMessageWaitsWhileThereAreNoRules() {
    results.add(response(200));
    RoutingSnapshot usable = routingSnapshot;
    routingSnapshot =
        new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("it has mistakes"));

    CompletableFuture<Boolean> delivered =
        delivery(
                millis -> {
                  routingSnapshot = usable;
                  return pause(millis);
                })
            .deliver(MESSAGE);

    assertThat(delivered.join()).isTrue();
    assertThat(steps).containsExactly("pause 1000", "send", "record 1");
  }

  private boolean deliver() {
    return delivery(this::pause).deliver(MESSAGE).join();
  }

  private WebhookDelivery delivery(LongFunction<CompletableFuture<Void>> pauses) {
    return delivery(pauses, 3);
  }

  private WebhookDelivery delivery(LongFunction<CompletableFuture<Void>> pauses, int retriesMax) {
    return new WebhookDelivery(
        services(),
        new WebhookServices(new ScriptedClient(), new WebhookMeters(meters), pauses),
        EXECUTION,
        "root",
        new WebhookConfig("https://hooks.example.com/a", Map.of(), "POST", 30, retriesMax));
  }

  private CompletableFuture<Void> pause(long millis) {
    steps.add("pause " + millis);
    return CompletableFuture.completedFuture(null);
  }

  private double counted(String outcome) {
    return meters.get("gatebook.webhook.deliveries").tag("outcome", outcome).counter().count();
  }

  private static ExchangeResult response(int status) {
    return new Answered(status, EmptyHttpHeaders.INSTANCE, new byte[0]);
  }

  private static RoutingSnapshot allowing(String host) {
    Rules none = Rules.NONE;
    Rules rules =
        new Rules(
            none.hash(),
            none.sources(),
            none.governance(),
            none.workflows(),
            none.policies(),
            none.inspectors(),
            none.principals(),
            none.operators(),
            List.of(new AllowedAddress("https", host, 443, "")),
            none.redaction(),
            none.recording(),
            none.limits());
    return new RoutingSnapshot(rules, Map.of(), null);
  }

  private final class ScriptedClient implements WebhookClient {
    @Override
    public CompletableFuture<ExchangeResult> send(
        WebhookConfig webhook, byte[] body, GatewayLimits gatewayLimits) {
      steps.add("send");
      return CompletableFuture.completedFuture(results.removeFirst());
    }

    @Override
    public void close() {}
  }

  private TreeServices services() {
    CommandSender commandSender = new CommandSender(recordingGateway());
    QuerySender querySender = new QuerySender(unused(QueryGateway.class), Runnable::run);
    ToolLists toolLists = new ToolLists(() -> NOON);
    ExecutorRegistry executorRegistry = new ExecutorRegistry(toolLists);
    return new TreeServices(
        commandSender,
        querySender,
        () -> routingSnapshot,
        new RetryingSender(commandSender, querySender, () -> routingSnapshot),
        executorRegistry,
        new TaskExecutors(
            unused(ToolCaller.class),
            executorRegistry,
            new ToolSchemas(() -> routingSnapshot, toolLists),
            new TaskSchemas(() -> GatewayLimits.DEFAULT)),
        RecordedTaskChanges.NONE,
        () -> NOON,
        "1");
  }

  private CommandGateway recordingGateway() {
    return (CommandGateway)
        Proxy.newProxyInstance(
            CommandGateway.class.getClassLoader(),
            new Class<?>[] {CommandGateway.class},
            (_, _, arguments) -> recorded((RecordDelivery) arguments[0]));
  }

  private CompletableFuture<Boolean> recorded(RecordDelivery delivery) {
    steps.add("record " + delivery.attempt());
    recorded.add(delivery.outcome());
    assertThat(delivery)
        .isEqualTo(
            new RecordDelivery(
                EXECUTION, "final", "a", true, delivery.attempt(), delivery.outcome(), NOON));
    return CompletableFuture.completedFuture(true);
  }

  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, _, _) -> {
              throw new IllegalStateException("nothing is asked");
            }));
  }
}
