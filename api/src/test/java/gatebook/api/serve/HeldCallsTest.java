package gatebook.api.serve;

<<<<<<< HEAD
import static gatebook.api.serve.WatchedNode.hash;
import static gatebook.api.serve.WatchedNode.toolCall;

import gatebook.api.http.RawHttp;
import gatebook.api.serve.Provoked.Words;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.Withheld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Calls that wait for a person while the rules change, and what keeps others from waiting too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HeldCallsTest {

  private static final String BOB = "Authorization: Bearer bob-0123456789";
  private static final String[] WITHHELD = {
    "CallReceived", "ApprovalRequested", "ApprovalGranted", "ErrorTranslated"
  };

  private @Nullable WatchedNode started;
  private @Nullable CompletableFuture<RawHttp.Answer> freed;
  private @Nullable CompletableFuture<RawHttp.Answer> forbidden;
  private @Nullable CompletableFuture<RawHttp.Answer> moved;
  private @Nullable Provoked orphaned;
  private @Nullable Provoked beyondOwnSeats;
  private @Nullable Provoked beyondAllSeats;
  private String rulesThen = "";
  private String rulesNow = "";

  private static String rules(String source, String pay, String workflow, String governed) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo}
      - {id: %s, kind: demo, prefix: moving_}
    governance:
      defaults: {action: forward}
      rules:
        - {match: old_way, action: approve, approval: %s}
        - {match: deploy, action: %s, approval: people}
        - {match: transfer, action: policy, policy_id: payments, approval: people}
        - {match: echo, action: approve, approval: people}
    approval:
      people: {timeout: 1m}
      %s: {timeout: 1m}
    cedar: {policies: [%s.cedar]}
    principals: [{name: bob, token_hash: "%s"}]
    operators: [{name: alice, token_hash: "%s", roles: [approve]}]
    limits: {held_max: 5, held_per_principal_max: 4}
    """
        .formatted(
            source,
            workflow,
            governed,
            workflow,
            pay,
            hash("bob-0123456789"),
            hash(WatchedNode.ALICE));
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("open.cedar"), "permit (principal, action, resource);");
    Files.writeString(folder.resolve("shut.cedar"), "forbid (principal, action, resource);");
    started = WatchedNode.start(folder, rules("here", "open", "leaving", "approve"));
    CompletableFuture<RawHttp.Answer> leaving = node().hold("orphaned", toolCall("old_way"));
    freed = node().hold("freed", toolCall("deploy"));
    forbidden = node().hold("forbidden", toolCall("transfer"));
    moved = node().hold("moved", toolCall("moving_echo"));
    rulesThen = node().rulesHash();
    fillTheSeats();

    Map<String, Double> before = node().counted();
    node().change("gatebook.yaml", rules("there", "shut", "coming", "forward"));
    orphaned = node().released("orphaned", leaving, before);
    rulesNow = node().rulesHash();
  }

  /** All wait that may; then comes one more of theirs, and one more of somebody else's. */
  private void fillTheSeats() throws IOException {
    beyondOwnSeats = node().provoke("own-seats", toolCall("deploy"));
    CompletableFuture<RawHttp.Answer> last = node().hold("last", toolCall("deploy"), BOB);
    beyondAllSeats = node().provoke("all-seats", toolCall("deploy"), BOB);
    node().decide("last", false, "it was the last");
    last.join();
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  void aCallWhoseWorkflowIsRemovedIsToldWhichOneIsMissing() {
    Objects.requireNonNull(orphaned)
        .expect(
            new Words(
                -32017,
                "Approval workflow 'leaving' not found",
                "\"gate\":\"approval\",\"details\":\"Check approval.leaving in config\""),
            new Denied.WorkflowNotFound("leaving"),
            Map.of("message", "Workflow not found", "workflow", "leaving"),
            "CallReceived",
            "ApprovalRequested",
            "GateDenied",
            "ErrorTranslated")
        .becauseOf(DenialReason.WORKFLOW_NOT_FOUND);
  }

  @Test
  void aGrantedCallThatARuleNowDecidesOtherwiseAboutIsNotForwarded() throws IOException {
    expectDrift("freed", freed, "deploy", Gate.GOVERNANCE);
  }

  @Test
  void aGrantedCallThatThePoliciesNowForbidIsNotForwarded() throws IOException {
    expectDrift("forbidden", forbidden, "transfer", Gate.POLICY);
  }

  @Test
  void aGrantedCallThatWouldNowGoToAnotherSourceIsNotForwarded() throws IOException {
    granted("moved", moved)
        .expect(
            new Words(-32012, "Request changed since it was approved: ask again", ""),
            new Withheld.TransformDrift("moving_echo", null),
            Map.of("message", "Transform drift", "tool", "moving_echo"),
            WITHHELD);
  }

  @Test
  void whoHasAsManyCallsWaitingAsHeMayIsToldToWaitHimself() {
    Objects.requireNonNull(beyondOwnSeats)
        .expect(
            new Words(
                -32009,
                "Too many requests",
                "\"details\":\"too many of your calls wait for approval: retry when one is"
                    + " decided\""),
            new RateLimited(Limit.HELD_CALLS, null),
            Map.of("message", "Rate limited", "reason", "held-calls"),
            "CallReceived",
            "CallAdmitted",
            "ErrorTranslated");
  }

  @Test
  void whenAsManyCallsWaitAsThereIsRoomForNobodyElseMay() {
    Objects.requireNonNull(beyondAllSeats)
        .expect(
            new Words(
                -32013, "Service unavailable", "\"details\":\"too many calls wait for approval\""),
            new ServiceUnavailable(Cause.HELD_CALLS_FULL, null),
            Map.of("message", "Service unavailable", "reason", "held-calls-full"),
            "CallReceived",
            "CallAdmitted",
            "ErrorTranslated");
  }

  private void expectDrift(
      String correlationId,
      @Nullable CompletableFuture<RawHttp.Answer> held,
      String tool,
      Gate changedAt)
      throws IOException {
    granted(correlationId, held)
        .expect(
            new Words(-32011, "Policy changed since the request was approved: ask again", ""),
            new Withheld.PolicyDrift(tool, null, changedAt, rulesThen, rulesNow),
            Map.of(
                "message",
                "Policy drift",
                "tool",
                tool,
                "changed_at",
                changedAt.word(),
                "rules_then",
                rulesThen,
                "rules_now",
                rulesNow),
            WITHHELD);
  }

  private Provoked granted(String correlationId, @Nullable CompletableFuture<RawHttp.Answer> held)
      throws IOException {
    Map<String, Double> before = node().counted();
    node().decide(correlationId, true, "go on");
    return node().released(correlationId, Objects.requireNonNull(held), before);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
=======
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.border.Caller;
import gatebook.api.border.Ground;
import gatebook.api.border.Incoming;
import gatebook.api.border.Presence;
import gatebook.api.border.Reply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.upstream.Upstream;
import gatebook.command.approve.DecideApproval;
import gatebook.command.approve.DecideApproval.Outcome;
import gatebook.command.course.CallSoFar.End;
import gatebook.command.keep.Keeper;
import gatebook.command.policy.Policies;
import gatebook.command.rules.Expose;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Keeping;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Limits;
import gatebook.command.rules.Redaction;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallForwarded;
import gatebook.events.Event;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.journal.Journal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that wait, for a person or for a source, with the real journal. */
@Timeout(60)
final class HeldCallsTest {

  private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
  private static final Limits LIMITS = limits(1, 2);

  @TempDir private Path data;

  private final Scripted upstream = new Scripted();
  private @Nullable Journal opened;
  private @Nullable JournalDoor door;
  private @Nullable BorderWiring wiring;

  @BeforeEach
  void open() {
    opened = RealJournal.open(data);
    door = RealJournal.door(opened, data);
    wiring =
        BorderWiring.open(
            door,
            new Keeper(new byte[Keeper.KEY_BYTES]),
            new SimpleMeterRegistry(),
            () -> new Ground(RULES, Map.of("scripted", upstream), null));
  }

  @AfterEach
  void close() {
    wiring().close();
    Objects.requireNonNull(door).close();
  }

  @Test
  void aYesSendsTheCallOn() {
    CompletableFuture<Reply> reply = serve(call("deploy"), Presence.UNSEEN);
    UUID call = held(1).getFirst();
    assertThat(upstream.calls).isEmpty();

    assertThat(decide(call, true)).isEqualTo(new Outcome.Granted());

    assertThat(body(reply)).isEqualTo(RESULT);
    assertThat(names())
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "ApprovalGranted",
            "CallAdmitted",
            "CallForwarded",
            "CallAnswered");
    assertThat(upstream.calls).hasSize(1);
    assertThat(wiring().border().holds().count()).isZero();
  }

  @Test
  void aNoIsToldAndNothingIsForwarded() {
    CompletableFuture<Reply> reply = serve(call("deploy"), Presence.UNSEEN);

    assertThat(decide(held(1).getFirst(), false)).isEqualTo(new Outcome.Rejected());

    assertThat(body(reply)).contains("\"code\":-32007");
    assertThat(names())
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "ApprovalRejected",
            "GateDenied",
            "ErrorTranslated");
    assertThat(upstream.calls).isEmpty();
    assertThat(wiring().border().holds().count()).isZero();
  }

  @Test
  void aYesAfterTheCallerLeftIsToldSoAndNothingIsForwarded() {
    Leaving caller = new Leaving();
    CompletableFuture<Reply> reply = serve(call("deploy"), caller);
    UUID call = held(1).getFirst();
    await().until(caller::isWatched);

    caller.leave();
    await().until(() -> names().contains("CallAbandoned"));

    assertThat(reply.join().body()).isNull();
    assertThat(decide(call, true)).isEqualTo(new Outcome.CallerGone(End.ABANDONED));
    assertThat(names()).containsExactly("CallReceived", "ApprovalRequested", "CallAbandoned");
    assertThat(upstream.calls).isEmpty();
    assertThat(wiring().border().holds().count()).isZero();
  }

  @Test
  void aCallerWhoLeavesWhileTheSourceWorksGivesItUp() {
    Leaving caller = new Leaving();
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
  void whoWasAnsweredIsNoLongerWatched() {
    Leaving caller = new Leaving();
    assertThat(body(serve(call("read"), caller))).isEqualTo(RESULT);

    assertThat(caller.isWatched()).isFalse();
    caller.leave();

    assertThat(names())
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
  }

  @Test
  void everyFurtherAttemptIsDurableBeforeItIsMade() {
    List<Long> forwardedBefore = new CopyOnWriteArrayList<>();
    upstream.response =
        () -> {
          forwardedBefore.add(events().stream().filter(CallForwarded.class::isInstance).count());
          return CompletableFuture.completedFuture(
              forwardedBefore.size() < 3
                  ? new Upstream.Response.NotConnected("refused " + forwardedBefore.size())
                  : new Upstream.Ended.Result("{}", false));
        };

    assertThat(body(serve(call("read"), Presence.UNSEEN))).isEqualTo(RESULT);

    assertThat(forwardedBefore).containsExactly(1L, 2L, 3L);
    assertThat(
            events().stream()
                .filter(CallForwarded.class::isInstance)
                .map(CallForwarded.class::cast)
                .map(it -> it.attempt() + " " + it.afterFailure()))
        .containsExactly("1 null", "2 refused 1", "3 refused 2");
  }

  @Test
  void aNotificationIsAcknowledgedThoughTheSourceIsStillAtIt() {
    CompletableFuture<Upstream.Response> working = new CompletableFuture<>();
    upstream.response = () -> working;

    Reply reply =
        serve(
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}",
                Presence.UNSEEN)
            .join();

    assertThat(reply).isEqualTo(new Reply("c", 202, null));
    assertThat(working).isNotDone();
    assertThat(names()).containsExactly("CallReceived", "CallAdmitted", "CallForwarded");
    working.complete(new Upstream.Ended.Accepted());
    await().until(() -> names().contains("CallAnswered"));
  }

  @Test
  void eachPrincipalHasHisOwnSeatsAndAllTogetherHaveTheirs() {
    CompletableFuture<Reply> adas = serve(call("deploy"), Presence.UNSEEN, "ada");
    CompletableFuture<Reply> eves = serve(call("deploy"), Presence.UNSEEN, "eve");
    List<UUID> held = held(2);

    assertThat(body(serve(call("deploy"), Presence.UNSEEN, "ada"))).contains("\"code\":-32013");
    assertThat(decide(held.getLast(), true)).isEqualTo(new Outcome.Granted());
    assertThat(CompletableFuture.anyOf(adas, eves).join()).isNotNull();
    boolean adaWaits = !adas.isDone();
    String waits = adaWaits ? "ada" : "eve";

    assertThat(body(serve(call("deploy"), Presence.UNSEEN, waits))).contains("\"code\":-32009");
    CompletableFuture<Reply> again =
        serve(call("deploy"), Presence.UNSEEN, adaWaits ? "eve" : "ada");
    decide(held(3).getLast(), false);

    assertThat(body(again)).contains("\"code\":-32007");
    assertThat(wiring().border().holds().count()).isEqualTo(1);
    decide(held.getFirst(), false);
    assertThat(body(adaWaits ? adas : eves)).contains("\"code\":-32007");
  }

  private Outcome decide(UUID call, boolean approved) {
    DecideApproval command = new DecideApproval(call, "op", approved, null, Instant.now());
    Outcome outcome = wiring().commands().send(command, Outcome.class).join();
    wiring().border().holds().decided(call);
    return outcome;
  }

  /** The calls that persons were asked about, once there are so many. */
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
    return RealJournal.events(Objects.requireNonNull(opened));
  }

  private BorderWiring wiring() {
    return Objects.requireNonNull(wiring);
  }

  private CompletableFuture<Reply> serve(String message, Presence presence, String... tokens) {
    byte[] bytes = message.getBytes(UTF_8);
    List<String> authorization = List.of(tokens).stream().map(it -> "Bearer " + it).toList();
    return wiring()
        .border()
        .serve(
            Dialect.MCP,
            new Incoming(
                new MessageReader(MessageReader.DEPTH_MAX).read(bytes),
                bytes.length,
                Transport.HTTP,
                new Caller(authorization, true, presence),
                "c",
                null,
                null,
                Map.of()));
  }

  private static String call(String tool) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}"
        .formatted(tool);
  }

  private static String body(CompletableFuture<Reply> reply) {
    return new String(Objects.requireNonNull(reply.join().body()), UTF_8);
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
                  Expose.ALL,
                  Map.of(),
                  Source.ForeignErrors.PASS,
                  5_000,
                  200)),
          new Governance(
              Action.FORWARD,
              List.of(
                  new Rule(1, new Glob("deploy"), Action.APPROVE, Set.of(), null, "ops", false))),
          Map.of(
              "ops", new Workflow("ops", "operator", 600_000, 300_000, OnTimeout.DENY, List.of())),
          Policies.NONE,
          List.of(),
          List.of(principal("ada"), principal("eve")),
          List.of(),
          Redaction.DEFAULT,
          Keeping.DEFAULT,
          LIMITS);

  private static KnownPrincipal principal(String name) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return new KnownPrincipal(Bytes.of(hash), new Principal(name, List.of(), Map.of()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Limits limits(int heldPerPrincipalMax, int heldMax) {
    Limits normal = Limits.DEFAULT;
    return new Limits(
        normal.bodyBytesMax(),
        normal.depthMax(),
        normal.headerBytesMax(),
        normal.readMillisMax(),
        normal.connectMillisMax(),
        normal.answerMillisMax(),
        normal.answerBytesMax(),
        heldPerPrincipalMax,
        heldMax,
        normal.ratePerSecond(),
        normal.rateBurst(),
        normal.refusalsPerSecondMax());
  }

  /** A caller who leaves when the test says. */
  private static final class Leaving implements Presence {
    private final List<Runnable> actions = new ArrayList<>();
    private boolean gone;

    @Override
    public Watch whenGone(Runnable action) {
      synchronized (this) {
        if (!gone) {
          actions.add(action);
          return () -> end(action);
        }
      }
      action.run();
      return () -> {};
    }

    void leave() {
      List<Runnable> all;
      synchronized (this) {
        gone = true;
        all = List.copyOf(actions);
      }
      all.forEach(Runnable::run);
    }

    synchronized boolean isWatched() {
      return !actions.isEmpty();
    }

    private synchronized void end(Runnable action) {
      actions.remove(action);
    }
  }

  /** Answers every call as the test says. */
  private static final class Scripted implements Upstream {
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Supplier<CompletableFuture<Response>> response =
        () -> CompletableFuture.completedFuture(new Ended.Result("{}", false));

    @Override
    public String source() {
      return "scripted";
    }

    @Override
    public String endpoint() {
      return "nowhere";
    }

    @Override
    public long timeoutMillis() {
      return 200;
    }

    @Override
    public CompletableFuture<Listing> tools() {
      return CompletableFuture.completedFuture(new Listing.Tools(List.of()));
    }

    @Override
    public CompletableFuture<Response> call(Call call) {
      calls.add(call);
      return response.get();
    }
>>>>>>> main
  }
}
