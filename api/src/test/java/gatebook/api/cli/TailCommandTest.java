package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.EventLine;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.CallReceived;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class TailCommandTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final String EVENT =
      """
      id: %1$d\nevent: CallOrphaned\ndata: {"position":%1$d,"name":"CallOrphaned"}\n\n\
      """;

  @TempDir private Path temp;

  private HttpServer server;
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/operator/tail", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aLostConnectionResumesAfterTheLastEvent() {
    answers.add("200 : following\nid: 4\n\n" + EVENT.formatted(5) + EVENT.formatted(7));
    answers.add(
        """
        503 {"error":"this node is stopping: try again later"}\
        """);
    answers.add("200 : keep-alive\nid: 9\n\n" + "id: 10\nevent: Call");
    answers.add("200 " + EVENT.formatted(12));
    answers.add(
        """
        401 {"error":"unauthorized"}\
        """);

    CommandRun commandRun = run("--json", "--after", "3");

    assertThat(asked)
        .containsExactly("null after=3", "7 after=3", "7 after=3", "9 after=3", "12 after=3");
    assertThat(commandRun)
        .isEqualTo(
            new CommandRun(
                1,
                """
                {"position":5,"name":"CallOrphaned"}
                {"position":7,"name":"CallOrphaned"}
                {"position":12,"name":"CallOrphaned"}
                {"error":{"message":"the server at %s does not accept this token: give another with --token or GATEBOOK_TOKEN"}}
                """
                    .formatted(url() + "/operator/tail?after=3"),
                """
                the connection was lost at position 7: trying again (1 of 10)
                the connection was lost at position 7: trying again (2 of 10)
                the connection was lost at position 9: trying again (1 of 10)
                the connection was lost at position 12: trying again (1 of 10)
                """));
  }

  @Test
  void aStartBeyondTheNewestEventIsTold() {
    server.createContext(
        "/operator",
        exchange -> {
          byte[] status =
              """
              {"jsonrpc":"2.0","id":1,"result":{"journal":{"position":5}}}\
              """
                  .getBytes(UTF_8);
          exchange.sendResponseHeaders(200, status.length);
          exchange.getResponseBody().write(status);
          exchange.close();
        });
    answers.add(
        """
        401 {"error":"unauthorized"}\
        """);

    assertThat(run("--after", "7").err())
        .startsWith(
            "the newest event is at position 5: none is shown before 3 more are recorded\n");
  }

  @Test
  void droppedEventsAfterTheStartAreTold() {
    answers.add("200 : following; events were dropped through then\nid: 4\n\n");
    answers.add(
        """
        401 {"error":"unauthorized"}\
        """);

    assertThat(run("--after", "4").err()).startsWith("events were dropped through then\n");
  }

  @Test
  void anUnreachableServerIsGivenUp() {
    answers.add("200 " + EVENT.formatted(5));

    CommandRun commandRun = run();

    assertThat(commandRun.err().lines())
        .hasSize(TailCommand.RETRIES_MAX + 1)
        .endsWith("the server was unreachable 10 times in a row: continue later with --after 5");
    assertThat(commandRun.code()).isEqualTo(1);
  }

  @Test
  void aRefusalIsPrintedAtOnce() {
    answers.add(
        """
        503 {"error":"32 follow already"}\
        """);
    assertThat(run()).isEqualTo(new CommandRun(1, "", "32 follow already\n"));

    answers.add(
        """
        400 {"error":"name must be the name of an event, as in GateDenied"}\
        """);
    assertThat(run("--name", "no such", "--principal", "a&b", "--call", "7"))
        .isEqualTo(new CommandRun(1, "", "name must be the name of an event, as in GateDenied\n"));
    assertThat(asked.getLast()).isEqualTo("null name=no+such&callId=7&principal=a%26b");

    answers.add("404 <html>");
    assertThat(run().err()).contains("is not a gatebook: check --url");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--after soon", "more", "--no-such"})
  void wrongUsageIsReportedWithoutARequest(String arguments) {
    assertThat(run(arguments.split(" ", -1)).code()).isEqualTo(2);
    assertThat(asked).isEmpty();
  }

  @Test
  void anEventIsAReadableLine() throws Exception {
    assertThat(
            EventLine.of(
                new JsonMapper()
                    .readTree(
                        """
                        {"position":7,"name":"GateDenied","at":"2026-01-02T03:04:05.123456789Z",
                         "node":"n","callId":"0192aaaa-0000-7000-8000-00000000abcd",
                         "data":{"target":"rm\\u001b[2J","principal":"alice","rulings":[
                           {"gate":"visibility","verdict":{"kind":"pass"}},
                           {"gate":"governance","verdict":{"kind":"deny","reason":"rule"}}]}}
                        """),
                Colours.NONE))
        .isEqualTo(
            "2026-01-02T03:04:05.123Z  #7        GateDenied        "
                + " 0192aaaa-0000-7000-8000-00000000abcd  rm⟨U+001B⟩[2J by alice governance: deny");
    assertThat(
            EventLine.of(
                new JsonMapper()
                    .readTree(
                        """
                        {"position":8,"name":"ErrorTranslated","at":"x","data":{
                          "target":"echo","fault":{"kind":"UpstreamError"},
                          "told":{"code":-32002},"totalMillis":3}}
                        """),
                Colours.NONE))
        .isEqualTo(
            "x  #8        ErrorTranslated   "
                + " ".repeat(38)
                + " echo UpstreamError told -32002"
                + " took 3 ms");
  }

  @Test
  void aProcessThatIsStoppedEndsCleanly() throws Exception {
    Path data = temp.resolve("data");
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      Path out = temp.resolve("out");
      Path err = temp.resolve("err");
      Process tail = process(data, out, err);
      node.append(received(), denied());
      try {
        await().until(() -> Files.readString(out).lines().count() == 2);
        new ProcessBuilder("sh", "-c", "kill -INT " + tail.pid()).start().waitFor();

        assertThat(tail.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(tail.exitValue()).isZero();
        assertThat(Files.readString(out).lines().map(it -> it.substring(it.indexOf('#'))))
            .containsExactly(
                "#1        CallReceived       %s  tools/call pay by alice".formatted(CALL),
                "#2        GateDenied         %s  pay by alice governance: deny".formatted(CALL));
        assertThat(err).isEmptyFile();
      } finally {
        tail.destroyForcibly();
      }
    }
  }

  private static Process process(Path data, Path out, Path err) throws IOException {
    return new ProcessBuilder(
            "env",
            "--default-signal=INT", // a build in the background ignores it, and so would its
            // children
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "gatebook.api.Gatebook",
            "tail",
            "--after=0",
            "--name=CallReceived",
            "--name=GateDenied",
            "--data=" + data)
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  private CommandRun run(String... arguments) {
    return CommandRun.of(
        new TailCommand(Duration.ofMillis(1)), List.of("--url", url(), "--token", "t"), arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Sends the next of the answers and closes the connection; after the last one, stops the server.
   */
  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestHeaders().getFirst("Last-Event-ID")
            + " "
            + exchange.getRequestURI().getRawQuery());
    String answer = answers.poll();
    if (answer == null) {
      exchange.close();
      return;
    }
    byte[] body = answer.substring(4).getBytes(UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
    try (var to = exchange.getResponseBody()) {
      to.write(body);
    }
  }

  private static CallReceived received() {
    return ReceivedCall.of(CALL, OperatorTestNode.AT).to("demo", "pay").event();
  }

  private static GateDenied denied() {
    return new GateDenied(
        CALL,
        "rules",
        "pay",
        "alice",
        List.of(
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 3, "pay*", 7)));
  }
}
