package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.ProcessFixture.MILLIS;
import static gatebook.api.upstream.process.ProcessFixture.call;
import static gatebook.api.upstream.process.ProcessFixture.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.ProcessFixture.RecordedLines;
import gatebook.api.upstream.process.StdioClient.StdioRequest;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StdioClientTest {

  private final ProcessFixture processFixture = new ProcessFixture();

  @AfterEach
  void close() {
    processFixture.close();
  }

  @Test
  void eachOfManyRequestsGetsItsOwnAnswer() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    List<CompletableFuture<RequestResult>> results = new ArrayList<>();

    for (int i = 0; i < 6; i++) {
      results.add(call(stdioClient, "echo", ",\"n\":" + i, _ -> {}));
    }

    for (int i = 0; i < 6; i++) {
      assertThat(line(results.get(i).join())).contains("\"n\":" + i + "}");
    }
    assertThat(stdioClient.isIdle()).isTrue();
  }

  @Test
  void aMessageIsSentAsOneLine() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);

    assertThat(line(call(stdioClient, "echo", "\n,\r\n\"a\":\t[\r]", _ -> {}).join()))
        .contains(
            """
            {"said":{"name":"echo" ,  "a":\t[ ]}}\
            """);
  }

  @Test
  void strayOutputReachesNoListener() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    RecordedLines recordedLines = new RecordedLines();
    stdioClient.listen(recordedLines);

    assertThat(line(call(stdioClient, "garbage").join())).contains("\"clean\":true");
    assertThat(recordedLines.lines).isEmpty();
  }

  @Test
  void anOversizeAnswerEndsOnlyItsRequest() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> other = call(stdioClient, "hang");
    int largest =
        (int) ProcessFixture.LIMITS.lineBytesMax()
            - """
            {"result":{"text":""},"jsonrpc":"2.0","id":2}\
            """
                .length();

    assertThat(line(call(stdioClient, "huge", ",\"bytes\":" + largest, _ -> {}).join()))
        .hasSize(64 << 10);
    assertThat(call(stdioClient, "huge", ",\"bytes\":" + (largest + 1), _ -> {}).join())
        .isEqualTo(new RequestResult.Broken("the answer is too large"));
    assertThat(other).isNotDone();
  }

  @Test
  void progressGoesToItsCallerWithTheCallersToken() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    RecordedLines one = new RecordedLines();
    RecordedLines two = new RecordedLines();
    RecordedLines sessionListener = new RecordedLines();
    stdioClient.listen(sessionListener);
    String token =
        """
        ,"_meta":{"progressToken":"mine","x":1}\
        """;

    CompletableFuture<RequestResult> first = call(stdioClient, "progress", token, one);
    CompletableFuture<RequestResult> second =
        call(stdioClient, "progress", token.replace("\"mine\"", "7"), two);
    first.join();
    second.join();

    assertThat(one.lines).containsExactly(progress("\"mine\"", 1), progress("\"mine\"", 2));
    assertThat(two.lines).containsExactly(progress("7", 1), progress("7", 2));
    assertThat(sessionListener.lines).isEmpty();
  }

  private static String progress(String token, int count) {
    return """
    {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}\
    """
        .formatted(token, count);
  }

  @Test
  void requestsOfTheServerReachTheListener() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    RecordedLines recordedLines = new RecordedLines();
    stdioClient.listen(recordedLines);

    CompletableFuture<RequestResult> result = call(stdioClient, "ask");
    await().until(() -> !recordedLines.lines.isEmpty());
    assertThat(recordedLines.lines)
        .containsExactly(
            """
            {"jsonrpc":"2.0","id":"srv-1","method":"sampling/createMessage","params":{"x":1}}\
            """);
    assertThat(result).isNotDone();

    String reply =
        """
        {"jsonrpc":"2.0","id":"srv-1","result":{"y":2}}\
        """;
    assertThat(stdioClient.sendRaw(reply.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isTrue();
    assertThat(line(result.join())).contains("{\"reply\":" + reply + "}");
  }

  @Test
  void cancellingARequestNotifiesTheServer() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> hanging = call(stdioClient, "hang");
    call(stdioClient, "echo").join(); // it was written before this

    hanging.cancel(false);

    assertThat(line(call(stdioClient, "notices").join()))
        .contains(
            """
            {"notices":[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]}\
            """);
    assertThat(stdioClient.isIdle()).isTrue();
  }

  @Test
  void aTimedOutRequestIsCancelledAtTheServer() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    call(stdioClient, "echo").join();

    RequestResult requestResult =
        stdioClient
            .send(new StdioRequest("tools/call", "{\"name\":\"hang\"}", null, 1_000, true), _ -> {})
            .join();

    assertThat(requestResult).isEqualTo(new RequestResult.TimedOut());
    await()
        .untilAsserted(() ->
            assertThat(line(call(stdioClient, "notices").join())).contains("\"requestId\":2"));
  }

  @Test
  void aWrittenRequestIsBrokenWhenTheProcessEnds() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> hanging = call(stdioClient, "hang");

    assertThat(call(stdioClient, "die").join())
        .isEqualTo(new RequestResult.Broken("the process ended (exit 3) before an answer"));
    assertThat(hanging.join())
        .isEqualTo(new RequestResult.Broken("the process ended (exit 3) before an answer"));
    assertThat(call(stdioClient, "echo").join())
        .isEqualTo(new RequestResult.NotConnected("the process ended (exit 3)"));
  }

  @Test
  void anAnswerBeforeTheExitCounts() {
    StdioClient stdioClient =
        processFixture.shell(
            """
            read line; printf '{"jsonrpc":"2.0","id":1,"result":{}}'; exit 0\
            """);

    assertThat(line(call(stdioClient, "echo").join()))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{}}\
            """);
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"result":{"a":NaN},"jsonrpc":"2.0","id":1}\
        """,
        """
        {"jsonrpc":"2.0","id":1,"result":{"a":NaN}}\
        """,
        """
        {"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}\
        """,
        """
        {"id":1,"result":{},"jsonrpc":"2.0","id":1}\
        """
      })
  void anUnreadableAnswerReachesItsRequestUnchanged(String answer) {
    StdioClient stdioClient = processFixture.shell("read line; echo '%s'".formatted(answer));

    assertThat(
            line(
                stdioClient
                    .send(
                        new StdioRequest("subscriptions/listen", "{}", "\"c\"", MILLIS, true),
                        _ -> {})
                    .join()))
        .isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"jsonrpc":"2.0","id":1,"result":{},"id":2}\
        """,
        """
        {"jsonrpc":"2.0","id":2,"result":NaN,"id":1}\
        """,
        """
        {"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}\
        """,
        """
        [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]\
        """
      })
  void anAnswerToTwoRequestsEndsBothUnchanged(String answer) {
    StdioClient stdioClient =
        processFixture.shell(
            "read line; read line; read line; echo '%s'; sleep 60".formatted(answer));

    List<CompletableFuture<RequestResult>> results =
        List.of(call(stdioClient, "a"), call(stdioClient, "b"), call(stdioClient, "c"));

    assertThat(line(results.get(0).join())).isEqualTo(answer);
    assertThat(line(results.get(1).join())).isEqualTo(answer);
    assertThat(results.get(2)).isNotDone();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"jsonrpc":"2.0","id":1,"method":"ping","params":[NaN]}\
        """,
        """
        {"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}\
        """,
        """
        sent {"jsonrpc":"2.0","id":1,"result":{}}\
        """,
        """
        [{"jsonrpc":"2.0","id":1,"method":"ping"}]\
        """
      })
  void aLineThatIsNoAnswerEndsNoRequest(String other) {
    String answer =
        """
        {"jsonrpc":"2.0","id":1,"result":{}}\
        """;
    StdioClient stdioClient =
        processFixture.shell("read line; printf '%%s\\n' '%s' '%s'".formatted(other, answer));

    assertThat(line(call(stdioClient, "echo").join())).isEqualTo(answer);
  }

  @Test
  void aProcessThatCannotStartIsNotConnected() {
    ChildProcess.LaunchSpec launchSpec =
        new ChildProcess.LaunchSpec(
            "played", List.of("sh", "-c", "exit 0"), Map.of(), java.nio.file.Path.of("/no/such"));
    StdioClient stdioClient =
        StdioClient.start(launchSpec, ProcessFixture.LIMITS, text -> text, processFixture.timer);

    assertThat(call(stdioClient, "echo").join())
        .isEqualTo(
            new RequestResult.NotConnected(
                "the process cannot be started (no such file or directory)"));
  }

  @Test
  void aFullQueueIsOverloaded() {
    StdioClient stdioClient = processFixture.shell("sleep 600");
    String large = ",\"x\":\"%s\"".formatted("x".repeat(200_000));
    List<CompletableFuture<RequestResult>> results = new ArrayList<>();

    for (int i = 0; i < 12; i++) {
      results.add(
          stdioClient.send(
              new StdioRequest(
                  "tools/call", "{\"name\":\"a\"%s}".formatted(large), null, 2_000, true),
              _ -> {}));
    }

    assertThat(results.stream().map(CompletableFuture::join).toList())
        .contains(new RequestResult.TimedOut(), new RequestResult.Overloaded())
        .containsOnly(new RequestResult.TimedOut(), new RequestResult.Overloaded());
    assertThat(results.getLast().join()).isEqualTo(new RequestResult.Overloaded());
    stdioClient.stop();
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(143));
  }

  @Test
  void stopWhenIdleWaitsForOpenRequests() {
    StdioClient stdioClient = processFixture.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> results = call(stdioClient, "echo");

    stdioClient.stopWhenIdle(MILLIS);

    assertThat(line(results.join())).contains("said");
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(0));
  }
}
