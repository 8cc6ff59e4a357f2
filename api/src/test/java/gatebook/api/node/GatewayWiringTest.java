package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.MessageOverHttp;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.Action;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.journal.Journal;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.StallingDisk;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wired gateway with a real journal and a scripted upstream. */
final class GatewayWiringTest {

  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool"}}\
      """;

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
          new Governance(Action.FORWARD, List.of()),
          Map.of(),
          CedarPolicies.NONE,
          List.of(),
          Principals.NONE,
          List.of(),
          List.of(),
          RedactionRules.DEFAULT,
          RecordRules.DEFAULT,
          GatewayLimits.DEFAULT);

  @TempDir private Path data;

  private final StallingDisk disk = new StallingDisk();
  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private @Nullable Journal opened;
  private @Nullable NodeJournal nodeJournal;
  private @Nullable GatewayWiring wiring;

  @BeforeEach
  void open() {
    opened = RealJournal.open(data, new SegmentLocation(data.resolve("journal"), disk));
    nodeJournal = RealJournal.nodeJournal(opened, data);
    wiring =
        GatewayWiring.open(
            GatewayBase.of(nodeJournal, new SimpleMeterRegistry()),
            () -> new RoutingSnapshot(RULES, Map.of("scripted", upstream), null));
  }

  @AfterEach
  void close() {
    disk.endStall();
    wiring().close();
    Objects.requireNonNull(nodeJournal).close();
  }

  @Test
  void nothingIsForwardedNorAnsweredBeforeItsRecordIsDurable() {
    try (StallingDisk.Stall _ = disk.stall()) {
      CompletableFuture<Reply> reply = serve(CALL);
      await().until(disk::isStalling);

      assertThat(upstream.calls).isEmpty();
      assertThat(reply).isNotDone();

      disk.endStall();
      assertThat(MessageOverHttp.body(reply))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{}}\
              """);
      assertThat(recorded())
          .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
    }
  }

  @Test
  void outcomeIsDurableBeforeTheResponse() {
    upstream.response =
        () -> {
          var _ = disk.stall();
          return CompletableFuture.completedFuture(new Ended.Result("{}", false));
        };

    CompletableFuture<Reply> reply = serve(CALL);
    await().until(disk::isStalling);

    assertThat(upstream.calls).hasSize(1);
    assertThat(reply).isNotDone();

    disk.endStall();
    assertThat(MessageOverHttp.body(reply))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  @Test
  void unrecordedOutcomeTellsTheCallerNotToRetry() {
    upstream.response =
        () ->
            CompletableFuture.supplyAsync(
                () -> {
                  journal().close(); // not on the journal's own thread, for which it waits
                  return new Ended.Result("{}", false);
                },
                work -> Thread.ofVirtual().start(work));

    assertThat(MessageOverHttp.body(serve(CALL)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-32013,"message":"Service \
            unavailable","data":{"correlation_id":"c","details":"forwarded, \
            outcome not recorded, do not retry"}}}\
            """);
  }

  @Test
  void unexpectedExceptionIsARecordedInternalErrorWithoutDetails() {
    upstream.response =
        () -> {
          throw new IllegalStateException("secret inner words");
        };

    assertThat(MessageOverHttp.body(serve(CALL)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal \
            error","data":{"correlation_id":"c"}}}\
            """);
    assertThat(lastFault())
        .isEqualTo(new InternalError("serving a message", "IllegalStateException"));
    upstream.response = ScriptedUpstream::empty;
    assertThat(MessageOverHttp.body(serve(CALL)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
  }

  @Test
  void errorOfAForwardedNotificationIsOnlyRecorded() {
    upstream.response =
        () ->
            CompletableFuture.completedFuture(new Ended.Failure(new MethodNotFound("tools/call")));

    Reply reply =
        serve(
                """
                {"jsonrpc":"2.0","method":"tools/call","params":{"name":"tool"}}\
                """)
            .join();

    assertThat(reply.httpStatus()).isEqualTo(202);
    assertThat(reply.body()).isNull();
    await()
        .untilAsserted(() ->
            assertThat(recorded())
                .containsExactly(
                    "CallReceived", "CallAdmitted", "CallForwarded", "ErrorTranslated"));
  }

  @Test
  void truncatedRecordOfALongIdReturnsTheWholeId() {
    String id = "\"" + "x".repeat(2 << 20) + "\"";

    String body =
        MessageOverHttp.body(
            serve(
                """
                {"jsonrpc":"2.0","id":%s,"method":"ping"}\
                """
                    .formatted(id)));

    assertThat(body)
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":\
            """
                + id
                + ",\"result\":{}}");
    assertThat(recorded()).containsExactly("CallReceived", "CallAdmitted", "CallAnswered");
  }

  private CompletableFuture<Reply> serve(String message) {
    return wiring()
        .gateway()
        .serve(Dialect.MCP, MessageOverHttp.of(message, CallerConnection.UNOBSERVED));
  }

  private List<String> recorded() {
    return RealJournal.events(
            journal(), RealJournal.vocabulary(Objects.requireNonNull(nodeJournal)))
        .stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private Fault lastFault() {
    return ((ErrorTranslated)
            RealJournal.events(
                    journal(), RealJournal.vocabulary(Objects.requireNonNull(nodeJournal)))
                .getLast())
        .fault();
  }

  private GatewayWiring wiring() {
    return Objects.requireNonNull(wiring);
  }

  private Journal journal() {
    return Objects.requireNonNull(opened);
  }
}
