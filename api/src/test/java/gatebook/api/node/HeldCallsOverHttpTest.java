package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.MessageOverHttp;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.call.CallState.End;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.approval.DecideApproval.Outcome;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallForwarded;
import gatebook.events.Event;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.journal.Journal;
import gatebook.events.journal.tree.Sha256;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls held for an approval or waiting for a source, with a real journal. */
@Timeout(300)
final class HeldCallsOverHttpTest {

  private static final String RESULT =
      """
      {"jsonrpc":"2.0","id":1,"result":{}}\
      """;
  private static final GatewayLimits LIMITS = limits(1, 2);

  @TempDir private Path data;

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private @Nullable Journal opened;
  private @Nullable NodeJournal nodeJournal;
  private @Nullable GatewayWiring wiring;

  @BeforeEach
  void open() {
    opened = RealJournal.open(data);
    nodeJournal = RealJournal.nodeJournal(opened, data);
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
  void approvalForwardsTheCall() {
    CompletableFuture<Reply> reply = serve(call("deploy"), CallerConnection.UNOBSERVED);
    UUID call = held(1).getFirst();
    assertThat(upstream.calls).isEmpty();

    assertThat(decide(call, true)).isEqualTo(new Outcome.Granted());

    assertThat(MessageOverHttp.body(reply)).isEqualTo(RESULT);
    assertThat(names())
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "ApprovalGranted",
            "CallAdmitted",
            "CallForwarded",
            "CallAnswered");
    assertThat(upstream.calls).hasSize(1);
    assertThat(wiring().gateway().heldCalls().count()).isZero();
  }

  @Test
  void rejectionIsReturnedAndNothingForwarded() {
    CompletableFuture<Reply> reply = serve(call("deploy"), CallerConnection.UNOBSERVED);

    assertThat(decide(held(1).getFirst(), false)).isEqualTo(new Outcome.Rejected());

    assertThat(MessageOverHttp.body(reply)).contains("\"code\":-32007");
    assertThat(names())
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "ApprovalRejected",
            "GateDenied",
            "ErrorTranslated");
    assertThat(upstream.calls).isEmpty();
    assertThat(wiring().gateway().heldCalls().count()).isZero();
  }

  @Test
  void approvalAfterDisconnectIsRefusedAndForwardsNothing() {
    LeavingCaller caller = new LeavingCaller();
    CompletableFuture<Reply> reply = serve(call("deploy"), caller);
    UUID call = held(1).getFirst();
    await().until(caller::isWatched);

    caller.leave();
    await().until(() -> names().contains("CallAbandoned"));

    assertThat(reply.join().body()).isNull();
    assertThat(decide(call, true)).isEqualTo(new Outcome.CallerGone(End.ABANDONED));
    assertThat(names()).containsExactly("CallReceived", "ApprovalRequested", "CallAbandoned");
    assertThat(upstream.calls).isEmpty();
    assertThat(wiring().gateway().heldCalls().count()).isZero();
  }

  @Test
  void disconnectDuringUpstreamCallAbandonsIt() {
    LeavingCaller caller = new LeavingCaller();
    CompletableFuture<Upstream.Response> working = new CompletableFuture<>();
    upstream.response = () -> working;
    CompletableFuture<Reply> reply = serve(call("read"), caller);
    await().until(caller::isWatched);

    caller.leave();
    await().until(() -> names().contains("CallAbandoned"));

    assertThat(working).isCancelled();
    assertThat(reply.join().body()).isNull();
    assertThat(names())
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAbandoned");
    CallAbandoned end = (CallAbandoned) events().getLast();
    assertThat(end)
        .isEqualTo(
            new CallAbandoned(
                end.callId(), CallAbandoned.Cause.DISCONNECTED, true, end.totalMillis()));
  }

  @Test
  void answeredCallerIsNoLongerWatched() {
    LeavingCaller caller = new LeavingCaller();
    assertThat(MessageOverHttp.body(serve(call("read"), caller))).isEqualTo(RESULT);

    assertThat(caller.isWatched()).isFalse();
    caller.leave();

    assertThat(names())
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
  }

  @Test
  void everyRetryIsDurableBeforeItIsSent() {
    List<Long> forwardedBefore = new CopyOnWriteArrayList<>();
    upstream.response =
        () -> {
          forwardedBefore.add(events().stream().filter(CallForwarded.class::isInstance).count());
          return CompletableFuture.completedFuture(
              forwardedBefore.size() < 3
                  ? new Upstream.Response.NotConnected("refused " + forwardedBefore.size())
                  : new Upstream.Ended.Result("{}", false));
        };

    assertThat(MessageOverHttp.body(serve(call("read"), CallerConnection.UNOBSERVED)))
        .isEqualTo(RESULT);

    assertThat(forwardedBefore).containsExactly(1L, 2L, 3L);
    assertThat(
            events().stream()
                .filter(CallForwarded.class::isInstance)
                .map(CallForwarded.class::cast)
                .map(it -> it.attempt() + " " + it.afterFailure()))
        .containsExactly("1 null", "2 refused 1", "3 refused 2");
  }

  @Test
  void notificationIsAcknowledgedBeforeTheSourceResponds() {
    CompletableFuture<Upstream.Response> working = new CompletableFuture<>();
    upstream.response = () -> working;

    Reply reply =
        serve(
                """
                {"jsonrpc":"2.0","method":"tools/call","params":{"name":"read"}}\
                """,
                CallerConnection.UNOBSERVED)
            .join();

    assertThat(reply).isEqualTo(new Reply("c", 202, null));
    assertThat(working).isNotDone();
    assertThat(names()).containsExactly("CallReceived", "CallAdmitted", "CallForwarded");
    working.complete(new Upstream.Ended.Accepted());
    await().until(() -> names().contains("CallAnswered"));
  }

  @Test
  void heldCallsAreLimitedPerPrincipalAndInAll() {
    CompletableFuture<Reply> adas = serve(call("deploy"), CallerConnection.UNOBSERVED, "ada");
    CompletableFuture<Reply> eves = serve(call("deploy"), CallerConnection.UNOBSERVED, "eve");
    List<UUID> held = held(2);

    assertThat(MessageOverHttp.body(serve(call("deploy"), CallerConnection.UNOBSERVED, "ada")))
        .contains("\"code\":-32013");
    assertThat(decide(held.getLast(), true)).isEqualTo(new Outcome.Granted());
    assertThat(CompletableFuture.anyOf(adas, eves).join()).isNotNull();
    boolean adaWaits = !adas.isDone();
    String waits = adaWaits ? "ada" : "eve";

    assertThat(MessageOverHttp.body(serve(call("deploy"), CallerConnection.UNOBSERVED, waits)))
        .contains("\"code\":-32009");
    CompletableFuture<Reply> again =
        serve(call("deploy"), CallerConnection.UNOBSERVED, adaWaits ? "eve" : "ada");
    decide(held(3).getLast(), false);

    assertThat(MessageOverHttp.body(again)).contains("\"code\":-32007");
    assertThat(wiring().gateway().heldCalls().count()).isEqualTo(1);
    decide(held.getFirst(), false);
    assertThat(MessageOverHttp.body(adaWaits ? adas : eves)).contains("\"code\":-32007");
  }

  private Outcome decide(UUID call, boolean approved) {
    DecideApproval command = new DecideApproval(call, "op", approved, null, Instant.now());
    Outcome outcome = wiring().commands().send(command, Outcome.class).join();
    wiring().gateway().heldCalls().onDecision(call);
    return outcome;
  }

  /** The ids of held calls, once there are this many. */
  private List<UUID> held(int count) {
    return await().until(this::asked, asked -> asked.size() == count);
  }

  private List<UUID> asked() {
    return events().stream()
        .filter(ApprovalRequested.class::isInstance)
        .map(event -> ((ApprovalRequested) event).callId())
        .toList();
  }

  private List<String> names() {
    return events().stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  private List<Event> events() {
    return RealJournal.events(
        Objects.requireNonNull(opened),
        RealJournal.vocabulary(Objects.requireNonNull(nodeJournal)));
  }

  private GatewayWiring wiring() {
    return Objects.requireNonNull(wiring);
  }

  private CompletableFuture<Reply> serve(
      String message, CallerConnection callerConnection, String... tokens) {
    return wiring()
        .gateway()
        .serve(Dialect.MCP, MessageOverHttp.of(message, callerConnection, tokens));
  }

  private static String call(String tool) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s"}}\
    """
        .formatted(tool);
  }

  private static final Rules RULES =
      new Rules(
          "sha256:1",
          List.of(
              new Source(
                  "scripted",
                  Source.Kind.DEMO,
                  null,
                  "",
                  true,
                  ExposeRules.ALL,
                  Map.of(),
                  Source.ForeignErrors.PASS,
                  5_000,
                  200)),
          new Governance(
              Action.FORWARD,
              List.of(
                  new Rule(1, new Glob("deploy"), Action.APPROVE, Set.of(), null, "ops", false))),
          Map.of(
              "ops",
              new ApprovalWorkflow("ops", "operator", 600_000, 300_000, OnTimeout.DENY, List.of())),
          CedarPolicies.NONE,
          List.of(),
          Principals.of(List.of(principal("ada"), principal("eve"))),
          List.of(),
          List.of(),
          RedactionRules.DEFAULT,
          RecordRules.DEFAULT,
          LIMITS);

  private static KnownPrincipal principal(String name) {
    return new KnownPrincipal(
        Bytes.of(Sha256.of(name.getBytes(UTF_8))), new Principal(name, List.of(), Map.of()));
  }

  private static GatewayLimits limits(int heldPerPrincipalMax, int heldMax) {
    return GatewayLimits.DEFAULT
        .with(Limit.HELD_PER_PRINCIPAL_MAX, heldPerPrincipalMax)
        .with(Limit.HELD_MAX, heldMax);
  }
}
