package gatebook.api.upstream.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.process.StdioTestServer;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessUpstreamTest {

  /** Much longer than a process takes to start on a busy machine. */
  private static final long PATIENT_MILLIS = 120_000;

  private final UpstreamFixture upstreamFixture = new UpstreamFixture();

  /** An unused argument that identifies the processes of this test. */
  private final String marker = UUID.randomUUID().toString();

  @AfterEach
  void close() {
    upstreamFixture.close();
  }

  @Test
  void aCallWaitsWhileTheProcessStarts() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));

    assertThat(call(upstream, tool("echo", ",\"x\":[1.50]")).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo","x":[1.50]}}\
                """,
                false));
    assertThat(call(upstream, tool("fail", "")).join())
        .isEqualTo(new Ended.ForeignError("tools", -32050, "it failed", null, null));
    assertThat(upstream.endpoint()).isEqualTo("stdio");
  }

  @Test
  void aLoneSurrogateLosesNoAnswer() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));

    assertThat(call(upstream, tool("surrogate", "")).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"a":"\\ud800"}\
                """,
                false));
    assertThat(call(upstream, tool("surrogate_error", "")).join())
        .isEqualTo(new Ended.ForeignError("tools", -1, "a\ufffdb", null, null));
  }

  @ParameterizedTest
  @CsvSource({
    "deep, deeper than 256 levels",
    "latin, not JSON (invalid-utf8)",
    "not_a_number, not JSON (syntax)"
  })
  void anUnreadableAnswerIsAnUpstreamError(String tool, String defect) {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));

    assertThat(call(upstream, tool(tool, "")).join())
        .isEqualTo(
            new Ended.Failure(
                new UpstreamError(
                    "tools", null, "the answer is not JSON-RPC: " + defect, null, null)));
  }

  @Test
  void aStatelessServerGetsMetadataWithEachCall() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.STATELESS));

    assertThat(call(upstream, tool("echo", "")).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":\
                "2026-07-28","io.modelcontextprotocol/clientCapabilities":{},\
                "io.modelcontextprotocol/clientInfo":{"name":"gatebook","version":"0"}}}}\
                """,
                false));
  }

  @Test
  void aStatelessCallerIsServedByAServerWithSessions() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));
    String meta =
        """
        ,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}\
        """;

    assertThat(call(upstream, tool("echo", meta)).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"resultType":"complete","said":{"name":"echo"%s}}\
                """
                    .formatted(meta),
                false));
    assertThat(call(upstream, UpstreamFixture.call("server/discover", "{}")).join().toString())
        .contains(
            """
            "supportedVersions":["2026-07-28"]\
            """)
        .contains("\"name\":\"played\"");
  }

  @Test
  void theTraceHeadersAreCopiedIntoTheMessage() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));
    Map<String, String> headers = Map.of("traceparent", "00-1", "tracestate", "a=b");

    assertThat(
            call(upstream, new Call(null, "tools/call", "{\"name\":\"echo\"}", false, headers))
                .join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo","_meta":{"traceparent":"00-1","tracestate":"a=b"}}}\
                """,
                false));
    assertThat(
            call(
                    upstream,
                    new Call(
                        null,
                        "tools/call",
                        """
                        {"name":"echo","_meta":{"traceparent":"x"}}\
                        """,
                        false,
                        Map.of("traceparent", "00-1")))
                .join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo","_meta":{"traceparent":"x"}}}\
                """,
                false));
  }

  @Test
  void toolsAreListedAndCalledByTheirOwnNames() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS, "up_", PATIENT_MILLIS));

    assertThat(upstream.listTools().join())
        .isEqualTo(
            new Listing.Tools(
                List.of(
                    new Tool("echo", "{\"name\":\"echo\"}"),
                    new Tool("secret_echo", "{\"name\":\"secret_echo\"}"),
                    new Tool("die", "{\"name\":\"die\"}"))));
    assertThat(call(upstream, tool("up_echo", "")).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo"}}\
                """,
                false));
  }

  @Test
  void aProcessGetsOnlyTheInheritedAndConfiguredEnvironment() {
    Source source =
        source(
            new SourceProgram(
                StdioTestServer.command(Mode.SESSIONS),
                Map.of("TOKEN", "t0ken", "LANG", "C"),
                null),
            "",
            PATIENT_MILLIS);

    Response response = call(upstreamFixture.upstream(source), tool("environment", "")).join();

    Map<String, String> expected =
        System.getenv().entrySet().stream()
            .filter(it -> it.getKey().matches("PATH|HOME|LANGUAGE|LC_.*"))
            .collect(toMap(Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a, TreeMap::new));
    expected.put("TOKEN", "t0ken");
    expected.put("LANG", "C");
    assertThat(response)
        .isEqualTo(
            new Ended.Result(
                expected.entrySet().stream()
                    .map(it -> "\"%s\":\"%s\"".formatted(it.getKey(), it.getValue()))
                    .collect(java.util.stream.Collectors.joining(",", "{", "}")),
                false));
  }

  @Test
  void aProcessThatCannotStartIsNotConnected() {
    Source source =
        source(new SourceProgram(List.of("sh"), Map.of(), Path.of("/no/such")), "", PATIENT_MILLIS);

    assertThat(call(upstreamFixture.upstream(source), tool("echo", "")).join())
        .isEqualTo(
            new Response.NotConnected("the process cannot be started (no such file or directory)"));
  }

  @Test
  void aProcessExitDuringACallIsAnUpstreamError() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));

    assertThat(call(upstream, tool("die", "")).join())
        .isEqualTo(
            new Ended.Failure(
                new UpstreamError(
                    "tools", null, "the process ended (exit 3) before an answer", null, null)));
    assertThat(call(upstream, tool("echo", "")).join())
        .isEqualTo(new Response.NotConnected("the process ended (exit 3)"));
  }

  @Test
  void aMissingAnswerTimesOut() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS, "", 200));
    await().until(() -> call(upstream, tool("echo", "")).join() instanceof Ended.Result);

    assertThat(call(upstream, tool("hang", "")).join())
        .isEqualTo(new Ended.Failure(new UpstreamTimeout("tools", "stdio", 200)));
  }

  @Test
  void cancellingACallNotifiesTheServer() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));
    call(upstream, tool("echo", "")).join();
    CompletableFuture<Response> hanging = call(upstream, tool("hang", ""));
    call(upstream, tool("echo", "")).join();

    hanging.cancel(false);

    assertThat(call(upstream, tool("notices", "")).join().toString())
        .contains("notifications/cancelled");
  }

  @Test
  void aNotificationIsAcceptedWithoutAnAnswer() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));

    assertThat(call(upstream, new Call(null, "notifications/x", null, true, Map.of())).join())
        .isEqualTo(new Ended.Accepted());
    assertThat(call(upstream, tool("notices", "")).join().toString()).contains("notifications/x");
  }

  @Test
  void aProcessRunsAsLongAsItsDefinitionStays() {
    Upstream first = upstreamFixture.upstream(process(Mode.SESSIONS));
    call(first, tool("echo", "")).join();
    List<ProcessHandle> running = running();
    assertThat(running).isNotEmpty();

    assertThat(upstreamFixture.upstream(process(Mode.SESSIONS))).isSameAs(first);
    upstreamFixture.upstreams().update(List.of(), UpstreamLimits.DEFAULT);

    await().until(() -> running.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(call(first, tool("echo", "")).join())
        .isEqualTo(new Response.NotConnected("the source is no longer there"));
    assertThat(upstreamFixture.meters().getMeters()).isEmpty();
  }

  @Test
  void aSessionHasAProcessOfItsOwn() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS, "up_", PATIENT_MILLIS));
    List<ProcessHandle> shared = running(upstream);

    Session session = open(upstream);

    assertThat(session.initializeResult())
        .isEqualTo(
            """
            {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
            "serverInfo":{"name":"played","version":"1"}}\
            """);
    assertThat(call(session, tool("up_echo", "")).join())
        .isEqualTo(
            new Ended.Result(
                """
                {"said":{"name":"echo"}}\
                """,
                false));
    call(session, new Call(null, "notifications/initialized", null, true, Map.of())).join();
    assertThat(call(session, tool("notices", "")).join().toString())
        .contains("notifications/initialized")
        .as("no other client initialized it")
        .doesNotContain("notifications/initialized\"},{");

    assertThat(call(session, tool("die", "")).join()).isInstanceOf(Ended.Failure.class);
    assertThat(session.isOpen()).isFalse();
    assertThat(shared).allMatch(ProcessHandle::isAlive);
  }

  @Test
  void serverRequestsGoToTheLastCallOrTheListener() throws Exception {
    Session session = open(upstreamFixture.upstream(process(Mode.SESSIONS)));
    BlockingQueue<String> toTheCall = new LinkedBlockingQueue<>();
    BlockingQueue<String> toTheListener = new LinkedBlockingQueue<>();
    session.listen(addingTo(toTheListener));

    CompletableFuture<Response> answer = session.call(tool("ask", ""), addingTo(toTheCall));
    assertThat(toTheCall.take())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":"srv-1","method":"sampling/createMessage","params":{"x":1}}\
            """);
    String reply =
        """
        {"jsonrpc":"2.0","id":"srv-1","result":{}}\
        """;
    assertThat(session.reply(reply.getBytes(UTF_8)).join()).isEqualTo(new Ended.Accepted());

    assertThat(answer.join()).isEqualTo(new Ended.Result("{\"reply\":%s}".formatted(reply), false));
    assertThat(call(session, tool("notify", "")).join()).isEqualTo(new Ended.Result("{}", false));
    assertThat(toTheListener.take()).contains("list_changed");
    assertThat(toTheCall).isEmpty();
  }

  @Test
  void aServerRequestWithoutAListenerIsRefused() {
    Session session = open(upstreamFixture.upstream(process(Mode.SESSIONS)));

    assertThat(call(session, tool("ask", "")).join().toString()).contains("\"code\":-32601");
  }

  @Test
  void aSessionEndsWithItsProcessAndWithItsSource() {
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS));
    Session one = open(upstream);
    Session two = open(upstream);

    one.close();
    await().until(() -> !one.isOpen());
    assertThat(two.isOpen()).isTrue();

    upstreamFixture.upstreams().update(List.of(), UpstreamLimits.DEFAULT);
    await().until(() -> !two.isOpen());
    assertThat(upstream.open(INITIALIZE).join()).isInstanceOf(Opening.Failed.class);
  }

  @Test
  void theNumberOfSessionsIsLimited() {
    ConnectionLimits one =
        new ConnectionLimits(64, 1_024, 30_000, 5_000, 8 << 10, 10L << 20, 1, 3_600_000);
    Upstream upstream = upstreamFixture.upstream(process(Mode.SESSIONS), one);

    Session first = open(upstream);
    assertThat(upstream.open(INITIALIZE).join())
        .isEqualTo(
            new Opening.Failed(
                new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null))));
    assertThat(
            upstreamFixture
                .meters()
                .get("gatebook.upstream")
                .tags("source", "tools", "outcome", "unavailable")
                .timer()
                .count())
        .isEqualTo(1);

    first.close();
    await().until(() -> !first.isOpen());
    assertThat(open(upstream).isOpen()).isTrue();
  }

  @Test
  void aStatelessServerGetsAnInitializeResult() {
    Session session = open(upstreamFixture.upstream(process(Mode.STATELESS)));

    assertThat(session.initializeResult())
        .isEqualTo(
            """
            {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"unnamed","version":"0"}}\
            """);
    assertThat(call(session, tool("echo", "")).join().toString()).contains("clientCapabilities");
  }

  private static final InitializeRequest INITIALIZE =
      new InitializeRequest(
          """
          {"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}\
          """,
          Map.of());

  private static Session open(Upstream upstream) {
    return switch (upstream.open(INITIALIZE).join()) {
      case Opening.Opened(var session) -> session;
      case Opening.None _, Opening.Failed _ -> throw new AssertionError("no session");
    };
  }

  private static MessageListener addingTo(BlockingQueue<String> messages) {
    return message -> CompletableFuture.completedFuture(messages.add(new String(message, UTF_8)));
  }

  private List<ProcessHandle> running(Upstream upstream) {
    call(upstream, tool("up_echo", "")).join();
    return running();
  }

  /** The processes of this test. */
  private List<ProcessHandle> running() {
    return ProcessHandle.current()
        .children()
        .filter(it -> List.of(it.info().arguments().orElse(new String[0])).contains(marker))
        .toList();
  }

  @Test
  void aDisabledSourceIsNotStarted() {
    Source on = process(Mode.SESSIONS);
    Source off =
        new Source(
            on.id(),
            on.kind(),
            null,
            on.program(),
            "",
            false,
            ExposeRules.ALL,
            List.of(),
            Map.of(),
            on.errors(),
            on.connectMillis(),
            on.answerMillis());

    upstreamFixture.upstream(off);

    assertThat(running()).isEmpty();
  }

  private static CompletableFuture<Response> call(Upstream upstream, Call call) {
    return upstream.call(call, MessageListener.NONE);
  }

  private static Call tool(String name, String more) {
    return UpstreamFixture.call("tools/call", "{\"name\":\"%s\"%s}".formatted(name, more));
  }

  private Source process(Mode mode) {
    return process(mode, "", PATIENT_MILLIS);
  }

  private Source process(Mode mode, String prefix, long answerMillis) {
    return source(new SourceProgram(command(mode), Map.of(), null), prefix, answerMillis);
  }

  private List<String> command(Mode mode) {
    return Stream.concat(StdioTestServer.command(mode).stream(), Stream.of(marker)).toList();
  }

  private static Source source(SourceProgram sourceProgram, String prefix, long answerMillis) {
    return new Source(
        "tools",
        Source.Kind.MCP,
        null,
        sourceProgram,
        prefix,
        true,
        ExposeRules.ALL,
        List.of(),
        Map.of(),
        Source.ForeignErrors.PASS,
        PATIENT_MILLIS,
        answerMillis);
  }
}
