package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.Played.MILLIS;
import static gatebook.api.upstream.process.Played.call;
import static gatebook.api.upstream.process.Played.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.Played.Heard;
import gatebook.api.upstream.process.PlayedServer.Mode;
import gatebook.api.upstream.process.StdioClient.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StdioClientTest {

  private final Played played = new Played();

  @AfterEach
  void close() {
    played.close();
  }

  @Test
  void eachOfManyQuestionsGetsItsOwnAnswer() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    List<CompletableFuture<RequestResult>> asked = new ArrayList<>();

    for (int i = 0; i < 6; i++) {
      asked.add(call(stdioClient, "echo", ",\"n\":" + i, _ -> {}));
    }

    for (int i = 0; i < 6; i++) {
      assertThat(line(asked.get(i).join())).contains("\"n\":" + i + "}");
    }
    assertThat(stdioClient.isIdle()).isTrue();
  }

  @Test
  void aMessageIsOneLineWhateverStandsBetweenItsTokens() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);

    assertThat(line(call(stdioClient, "echo", "\n,\r\n\"a\":\t[\r]", _ -> {}).join()))
        .contains("{\"said\":{\"name\":\"echo\" ,  \"a\":\t[ ]}}");
  }

  @Test
  void whatIsNoMessageReachesNobody() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    Heard heard = new Heard();
    stdioClient.listen(heard);

    assertThat(line(call(stdioClient, "garbage").join())).contains("\"clean\":true");
    assertThat(heard.lines).isEmpty();
  }

  @Test
  void anAnswerThatIsTooLargeEndsItsQuestionAndNoOther() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> other = call(stdioClient, "hang");
    int largest =
        (int) Played.BOUNDS.lineBytesMax()
            - "{\"result\":{\"text\":\"\"},\"jsonrpc\":\"2.0\",\"id\":2}".length();

    assertThat(line(call(stdioClient, "huge", ",\"bytes\":" + largest, _ -> {}).join()))
        .hasSize(64 << 10);
    assertThat(call(stdioClient, "huge", ",\"bytes\":" + (largest + 1), _ -> {}).join())
        .isEqualTo(new RequestResult.Broken("the answer is too large"));
    assertThat(other).isNotDone();
  }

  @Test
  void progressGoesToWhoAskedByHisOwnToken() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    Heard one = new Heard();
    Heard two = new Heard();
    Heard nobody = new Heard();
    stdioClient.listen(nobody);
    String token = ",\"_meta\":{\"progressToken\":\"mine\",\"x\":1}";

    CompletableFuture<RequestResult> first = call(stdioClient, "progress", token, one);
    CompletableFuture<RequestResult> second =
        call(stdioClient, "progress", token.replace("\"mine\"", "7"), two);
    first.join();
    second.join();

    assertThat(one.lines).containsExactly(progress("\"mine\"", 1), progress("\"mine\"", 2));
    assertThat(two.lines).containsExactly(progress("7", 1), progress("7", 2));
    assertThat(nobody.lines).isEmpty();
  }

  private static String progress(String token, int count) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}"
        .formatted(token, count);
  }

  @Test
  void whatBelongsToNoQuestionIsListenedToAndCanBeReplied() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    Heard heard = new Heard();
    stdioClient.listen(heard);

    CompletableFuture<RequestResult> asking = call(stdioClient, "ask");
    await().until(() -> !heard.lines.isEmpty());
    assertThat(heard.lines)
        .containsExactly(
            "{\"jsonrpc\":\"2.0\",\"id\":\"srv-1\",\"method\":\"sampling/createMessage\",\"params\":{\"x\":1}}");
    assertThat(asking).isNotDone();

    String reply = "{\"jsonrpc\":\"2.0\",\"id\":\"srv-1\",\"result\":{\"y\":2}}";
    assertThat(stdioClient.pass(reply.getBytes(java.nio.charset.StandardCharsets.UTF_8))).isTrue();
    assertThat(line(asking.join())).contains("{\"reply\":" + reply + "}");
  }

  @Test
  void whoGivesUpHasTheServerToldSo() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> hanging = call(stdioClient, "hang");
    call(stdioClient, "echo").join(); // it was written before this

    hanging.cancel(false);

    assertThat(line(call(stdioClient, "notices").join()))
        .contains(
            "{\"notices\":[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}]}");
    assertThat(stdioClient.isIdle()).isTrue();
  }

  @Test
  void aQuestionHasItsTimeAndTheServerIsToldWhenItIsOver() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    call(stdioClient, "echo").join();

    RequestResult requestResult =
        stdioClient
            .ask(new Question("tools/call", "{\"name\":\"hang\"}", null, 1_000, true), _ -> {})
            .join();

    assertThat(requestResult).isEqualTo(new RequestResult.TimedOut());
    await()
        .untilAsserted(() ->
            assertThat(line(call(stdioClient, "notices").join())).contains("\"requestId\":2"));
  }

  @Test
  void whatWasWrittenWhenTheProgramEndsMayHaveHadItsEffect() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> hanging = call(stdioClient, "hang");

    assertThat(call(stdioClient, "die").join())
        .isEqualTo(new RequestResult.Broken("the process ended (exit 3) before an answer"));
    assertThat(hanging.join())
        .isEqualTo(new RequestResult.Broken("the process ended (exit 3) before an answer"));
    assertThat(call(stdioClient, "echo").join())
        .isEqualTo(new RequestResult.NotConnected("the process ended (exit 3)"));
  }

  @Test
  void whatWasAnsweredBeforeTheEndIsAnswered() {
    StdioClient stdioClient =
        played.shell("read line; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'; exit 0");

    assertThat(line(call(stdioClient, "echo").join()))
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(0));
  }

  @Test
  void whatIsNotThereCannotBeStarted() {
    ChildProcess.How how =
        new ChildProcess.How(
            "played", List.of("sh", "-c", "exit 0"), Map.of(), java.nio.file.Path.of("/no/such"));
    StdioClient stdioClient = StdioClient.begin(how, Played.BOUNDS, text -> text, played.timer);

    assertThat(call(stdioClient, "echo").join())
        .isEqualTo(
            new RequestResult.NotConnected(
                "the process cannot be started (no such file or directory)"));
  }

  @Test
  void aProgramThatReadsNothingIsAskedNoMoreThanThereIsRoomFor() {
    StdioClient stdioClient = played.shell("sleep 600");
    String large = ",\"x\":\"%s\"".formatted("x".repeat(200_000));
    List<CompletableFuture<RequestResult>> asked = new ArrayList<>();

    for (int i = 0; i < 12; i++) {
      asked.add(
          stdioClient.ask(
              new Question("tools/call", "{\"name\":\"a\"%s}".formatted(large), null, 2_000, true),
              _ -> {}));
    }

    assertThat(asked.stream().map(CompletableFuture::join).toList())
        .contains(new RequestResult.TimedOut(), new RequestResult.Overloaded())
        .containsOnly(new RequestResult.TimedOut(), new RequestResult.Overloaded());
    assertThat(asked.getLast().join()).isEqualTo(new RequestResult.Overloaded());
    stdioClient.stop();
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(143));
  }

  @Test
  void aServerIsLeftInPeaceUntilItHasAnswered() {
    StdioClient stdioClient = played.server(Mode.SESSIONS);
    CompletableFuture<RequestResult> asked = call(stdioClient, "echo");

    stdioClient.finish(MILLIS);

    assertThat(line(asked.join())).contains("said");
    assertThat(stdioClient.ended().join()).isEqualTo(new Exit.Ended(0));
  }
}
