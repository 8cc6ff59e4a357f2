package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.MessageOverHttp;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.operator.methods.QuotaStatus;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.ApprovalRequested;
import gatebook.events.Proof;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.journal.Journal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However calls end, as many are counted as running as do run. */
@Timeout(300)
final class RunningCallsTest {
  private static final int STEPS = Proof.rounds(120, 5_000);
  private static final int CONCURRENT_MAX = 4;
  private static final long LIMIT_SECONDS = 60;

  private static final Rules RULES =
      rules(
          """
          schema: 1
          sources: [{id: scripted, kind: demo}]
          governance:
            defaults: {action: forward}
            rules: [{match: "deploy", action: approve, approval: ops}]
          approval: {ops: {timeout: 10m}}
          limits: {quotas: [{name: few, tools: ["read", "deploy"], concurrent_max: %d}]}
          """
              .formatted(CONCURRENT_MAX));

  @TempDir private Path data;

  private final SplittableRandom random = Proof.random("running calls");
  private final LinkedBlockingQueue<CompletableFuture<Upstream.Response>> forwarded =
      new LinkedBlockingQueue<>();
  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private final Set<UUID> asked = new HashSet<>();
  private final List<Running> running = new ArrayList<>();
  private @Nullable Journal opened;
  private @Nullable NodeJournal nodeJournal;
  private @Nullable GatewayWiring wiring;

  /**
   * A call that the test began and did not end.
   *
   * @param reply done for a call that runs on after its reply
   * @param source what the source will answer; absent while the call is held
   * @param held the id of a held call; absent while it is at the source
   */
  private record Running(
      LeavingCaller caller,
      CompletableFuture<Reply> reply,
      @Nullable CompletableFuture<Upstream.Response> source,
      @Nullable UUID held,
      boolean isTask) {}

  private static Rules rules(String text) {
    return switch (new RulesFile(
            "rules.yaml", _ -> new ByteArrayInputStream(text.getBytes(UTF_8)), Map.of(), Set.of())
        .read()) {
      case Reading.Valid valid -> valid.rules();
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }

  @BeforeEach
  void open() {
    opened = RealJournal.open(data);
    nodeJournal = RealJournal.nodeJournal(opened, data);
    upstream.response =
        () -> {
          CompletableFuture<Upstream.Response> response = new CompletableFuture<>();
          forwarded.add(response);
          return response;
        };
    wiring =
        GatewayWiring.open(
            GatewayBase.of(nodeJournal, new SimpleMeterRegistry()),
            () -> new RoutingSnapshot(RULES, Map.of("scripted", upstream), null));
  }

  @AfterEach
  void close() {
    wiring().close();
    Objects.requireNonNull(nodeJournal).close();
  }

  @Test
  void asManyCallsRunAsAreCounted() throws Exception {
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(5) < 3) {
        begin();
      } else if (!running.isEmpty()) {
        end(running.remove(random.nextInt(running.size())));
      }
      awaitCounted();
    }
    while (!running.isEmpty()) {
      end(running.removeFirst());
    }
    awaitCounted();
    assertThat(counted()).isZero();
  }

  private void awaitCounted() {
    await()
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(counted()).isEqualTo(running.size()));
    assertThat(running.size()).isLessThanOrEqualTo(CONCURRENT_MAX);
  }

  private long counted() {
    return wiring().operatorServices().quotas().get().getFirst().uses().stream()
        .mapToLong(QuotaStatus.Use::running)
        .sum();
  }

  private void begin() throws Exception {
    LeavingCaller caller = new LeavingCaller();
    switch (random.nextInt(4)) {
      case 0 -> begin(caller, call("read", "\"id\":1,", ""), false, false);
      case 1 -> begin(caller, call("read", "", ""), false, false);
      case 2 -> begin(caller, call("deploy", "\"id\":1,", ""), true, false);
      default -> begin(caller, call("deploy", "\"id\":1,", ",\"task\":{}"), true, true);
    }
  }

  private void begin(LeavingCaller caller, String message, boolean isHeld, boolean isTask)
      throws Exception {
    boolean hasRoom = running.size() < CONCURRENT_MAX;
    CompletableFuture<Reply> reply = serve(message, caller);
    if (!hasRoom) {
      Reply refusal = reply.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(refusal.body() == null ? "" : new String(refusal.body(), UTF_8))
          .matches(body -> !message.contains("\"id\"") || body.contains("\"code\":-32009"));
    } else if (isHeld) {
      running.add(new Running(caller, reply, null, newlyAsked(), isTask));
    } else {
      running.add(new Running(caller, reply, atSource(), null, false));
    }
  }

  private void end(Running call) throws Exception {
    CompletableFuture<Upstream.Response> source = call.source;
    if (call.held != null) {
      switch (random.nextInt(call.isTask ? 2 : 3)) {
        case 0 -> {
          decide(call.held, true);
          source = atSource();
        }
        case 1 -> decide(call.held, false);
        default -> call.caller.leave();
      }
    }
    if (source != null) {
      switch (random.nextInt(call.reply.isDone() ? 3 : 4)) {
        case 0 -> source.complete(new Ended.Result("{}", false));
        case 1 -> source.complete(new Ended.Failure(new MethodNotFound("tools/call")));
        case 2 -> source.completeExceptionally(new IllegalStateException("for the test"));
        default -> call.caller.leave();
      }
    }
    call.reply.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private CompletableFuture<Upstream.Response> atSource() throws InterruptedException {
    return Objects.requireNonNull(forwarded.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private UUID newlyAsked() {
    UUID call =
        await()
            .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
            .until(
                () ->
                    RealJournal.events(
                            Objects.requireNonNull(opened),
                            RealJournal.vocabulary(Objects.requireNonNull(nodeJournal)))
                        .stream()
                        .filter(ApprovalRequested.class::isInstance)
                        .map(event -> ((ApprovalRequested) event).callId())
                        .filter(id -> !asked.contains(id))
                        .toList(),
                ids -> ids.size() == 1)
            .getFirst();
    asked.add(call);
    return call;
  }

  private void decide(UUID call, boolean approved) {
    var _ =
        wiring()
            .operatorServices()
            .approvalSender()
            .decide(new DecideApproval(call, "op", approved, null, Instant.now()))
            .join();
  }

  private CompletableFuture<Reply> serve(String message, CallerConnection connection) {
    return wiring().gateway().serve(Dialect.MCP, MessageOverHttp.of(message, connection));
  }

  private static String call(String tool, String id, String task) {
    return "{\"jsonrpc\":\"2.0\",%s\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"%s}}"
        .formatted(id, tool, task);
  }

  private GatewayWiring wiring() {
    return Objects.requireNonNull(wiring);
  }
}
