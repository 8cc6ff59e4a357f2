package gatebook.api.upstream;

import static gatebook.api.upstream.Asking.call;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.api.upstream.http.Bounds;
import gatebook.api.upstream.process.PlayedServer;
import gatebook.api.upstream.process.PlayedServer.Mode;
import gatebook.command.rules.Expose;
import gatebook.command.rules.Program;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessSourceTest {

  private final Asking asking = new Asking();

  @AfterEach
  void close() {
    asking.close();
  }

  @Test
  void aCallThatComesWhileTheProgramStartsIsAnsweredWhenItRuns() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS));

    assertThat(upstream.call(tool("echo", ",\"x\":[1.50]")).join())
        .isEqualTo(new Ended.Result("{\"said\":{\"name\":\"echo\",\"x\":[1.50]}}", false));
    assertThat(upstream.call(tool("fail", "")).join())
        .isEqualTo(new Ended.ForeignError(-32050, "it failed", null, 200));
    assertThat(upstream.endpoint()).isEqualTo("stdio");
  }

  @Test
  void aStatelessServerIsToldWithEachCallWhoAsks() {
    Upstream upstream = asking.upstream(program(Mode.STATELESS));

    assertThat(upstream.call(tool("echo", "")).join())
        .isEqualTo(
            new Ended.Result(
                "{\"said\":{\"name\":\"echo\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
                    + "\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{},"
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"gatebook\",\"version\":\"0\"}}}}",
                false));
  }

  @Test
  void theTraceOfAHeaderGoesWithTheMessageUnlessItIsThere() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS));
    Map<String, String> headers = Map.of("traceparent", "00-1", "tracestate", "a=b");

    assertThat(upstream.call(new Call("tools/call", "{\"name\":\"echo\"}", false, headers)).join())
        .isEqualTo(
            new Ended.Result(
                "{\"said\":{\"name\":\"echo\",\"_meta\":{\"traceparent\":\"00-1\",\"tracestate\":\"a=b\"}}}",
                false));
    assertThat(
            upstream
                .call(
                    new Call(
                        "tools/call",
                        "{\"name\":\"echo\",\"_meta\":{\"traceparent\":\"x\"}}",
                        false,
                        Map.of("traceparent", "00-1")))
                .join())
        .isEqualTo(
            new Ended.Result(
                "{\"said\":{\"name\":\"echo\",\"_meta\":{\"traceparent\":\"x\"}}}", false));
  }

  @Test
  void toolsAreListedAndCalledByTheirOwnNames() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS, "up_", 20_000));

    assertThat(upstream.tools().join())
        .isEqualTo(
            new Listing.Tools(
                List.of(
                    new Tool("echo", "{\"name\":\"echo\"}"),
                    new Tool("secret_echo", "{\"name\":\"secret_echo\"}"),
                    new Tool("die", "{\"name\":\"die\"}"))));
    assertThat(upstream.call(tool("up_echo", "")).join())
        .isEqualTo(new Ended.Result("{\"said\":{\"name\":\"echo\"}}", false));
  }

  @Test
  void aProgramGetsNothingOfOurEnvironmentButWhatItNeedsToRun() {
    Source source =
        source(
            new Program(
                PlayedServer.command(Mode.SESSIONS), Map.of("TOKEN", "t0ken", "LANG", "C"), null),
            "",
            20_000);

    Response response = asking.upstream(source).call(tool("environment", "")).join();

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
  void aProgramThatCannotBeStartedIsNotConnected() {
    Source source = source(new Program(List.of("sh"), Map.of(), Path.of("/no/such")), "", 20_000);

    assertThat(asking.upstream(source).call(tool("echo", "")).join())
        .isEqualTo(
            new Response.NotConnected("the process cannot be started (no such file or directory)"));
  }

  @Test
  void aProgramThatEndsAtACallHasPerhapsDoneIt() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS));

    assertThat(upstream.call(tool("die", "")).join())
        .isEqualTo(
            new Ended.Failure(
                new UpstreamError(
                    "tools", null, "the process ended (exit 3) before an answer", null, null)));
    assertThat(upstream.call(tool("echo", "")).join())
        .isEqualTo(new Response.NotConnected("the process ended (exit 3)"));
  }

  @Test
  void anAnswerThatDoesNotComeIsNotWaitedForLongerThanTheRulesSay() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS, "", 200));
    await().until(() -> upstream.call(tool("echo", "")).join() instanceof Ended.Result);

    assertThat(upstream.call(tool("hang", "")).join())
        .isEqualTo(new Ended.Failure(new UpstreamTimeout("tools", "stdio", 200)));
  }

  @Test
  void aCallThatIsGivenUpIsWithdrawn() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS));
    upstream.call(tool("echo", "")).join();
    CompletableFuture<Response> hanging = upstream.call(tool("hang", ""));
    upstream.call(tool("echo", "")).join();

    hanging.cancel(false);

    assertThat(upstream.call(tool("notices", "")).join().toString())
        .contains("notifications/cancelled");
  }

  @Test
  void aNotificationIsTakenWithoutAnAnswer() {
    Upstream upstream = asking.upstream(program(Mode.SESSIONS));

    assertThat(upstream.call(new Call("notifications/x", null, true, Map.of())).join())
        .isEqualTo(new Ended.Accepted());
    assertThat(upstream.call(tool("notices", "")).join().toString()).contains("notifications/x");
  }

  @Test
  void aProgramRunsOnlyAsLongAsTheRulesNameItAsItIs() {
    Upstream first = asking.upstream(program(Mode.SESSIONS));
    first.call(tool("echo", "")).join();
    List<ProcessHandle> running = ProcessHandle.current().children().toList();

    assertThat(asking.upstream(program(Mode.SESSIONS))).isSameAs(first);
    asking.upstreams().of(List.of(), Bounds.DEFAULT, 256);

    await().until(() -> running.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(first.call(tool("echo", "")).join())
        .isEqualTo(new Response.NotConnected("the source is no longer there"));
    assertThat(asking.meters().getMeters()).isEmpty();
  }

  @Test
  void aSourceThatIsSwitchedOffIsNotStarted() {
    long before = ProcessHandle.current().children().count();
    Source on = program(Mode.SESSIONS);
    Source off =
        new Source(
            on.id(),
            on.kind(),
            null,
            on.program(),
            "",
            false,
            Expose.ALL,
            Map.of(),
            on.errors(),
            on.connectMillis(),
            on.answerMillis());

    asking.upstream(off);

    assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
  }

  private static Call tool(String name, String more) {
    return call("tools/call", "{\"name\":\"%s\"%s}".formatted(name, more));
  }

  private static Source program(Mode mode) {
    return program(mode, "", 20_000);
  }

  private static Source program(Mode mode, String prefix, long answerMillis) {
    return source(new Program(PlayedServer.command(mode), Map.of(), null), prefix, answerMillis);
  }

  private static Source source(Program program, String prefix, long answerMillis) {
    return new Source(
        "tools",
        Source.Kind.MCP,
        null,
        program,
        prefix,
        true,
        Expose.ALL,
        Map.of(),
        Source.ForeignErrors.PASS,
        20_000,
        answerMillis);
  }
}
