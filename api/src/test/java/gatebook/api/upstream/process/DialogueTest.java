package gatebook.api.upstream.process;

import static gatebook.api.upstream.process.Played.MILLIS;
import static gatebook.api.upstream.process.Played.call;
import static gatebook.api.upstream.process.Played.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.Child.Exit;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Played.Heard;
import gatebook.api.upstream.process.PlayedServer.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DialogueTest {

  private final Played played = new Played();

  @AfterEach
  void close() {
    played.close();
  }

  @Test
  void eachOfManyQuestionsGetsItsOwnAnswer() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    List<CompletableFuture<Ending>> asked = new ArrayList<>();

    for (int i = 0; i < 6; i++) {
      asked.add(call(dialogue, "echo", ",\"n\":" + i, _ -> {}));
    }

    for (int i = 0; i < 6; i++) {
      assertThat(line(asked.get(i).join())).contains("\"n\":" + i + "}");
    }
    assertThat(dialogue.isIdle()).isTrue();
  }

  @Test
  void aMessageIsOneLineWhateverStandsBetweenItsTokens() {
    Dialogue dialogue = played.server(Mode.SESSIONS);

    assertThat(line(call(dialogue, "echo", "\n,\r\n\"a\":\t[\r]", _ -> {}).join()))
        .contains("{\"said\":{\"name\":\"echo\" ,  \"a\":\t[ ]}}");
  }

  @Test
  void whatIsNoMessageReachesNobody() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    Heard heard = new Heard();
    dialogue.listen(heard);

    assertThat(line(call(dialogue, "garbage").join())).contains("\"clean\":true");
    assertThat(heard.lines).isEmpty();
  }

  @Test
  void anAnswerThatIsTooLargeEndsItsQuestionAndNoOther() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    CompletableFuture<Ending> other = call(dialogue, "hang");
    int largest =
        (int) Played.BOUNDS.lineBytesMax()
            - "{\"result\":{\"text\":\"\"},\"jsonrpc\":\"2.0\",\"id\":2}".length();

    assertThat(line(call(dialogue, "huge", ",\"bytes\":" + largest, _ -> {}).join()))
        .hasSize(64 << 10);
    assertThat(call(dialogue, "huge", ",\"bytes\":" + (largest + 1), _ -> {}).join())
        .isEqualTo(new Ending.Broken("the answer is too large"));
    assertThat(other).isNotDone();
  }

  @Test
  void progressGoesToWhoAskedByHisOwnToken() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    Heard one = new Heard();
    Heard two = new Heard();
    Heard nobody = new Heard();
    dialogue.listen(nobody);
    String token = ",\"_meta\":{\"progressToken\":\"mine\",\"x\":1}";

    CompletableFuture<Ending> first = call(dialogue, "progress", token, one);
    CompletableFuture<Ending> second =
        call(dialogue, "progress", token.replace("\"mine\"", "7"), two);
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
    Dialogue dialogue = played.server(Mode.SESSIONS);
    Heard heard = new Heard();
    dialogue.listen(heard);

    CompletableFuture<Ending> asking = call(dialogue, "ask");
    await().until(() -> !heard.lines.isEmpty());
    assertThat(heard.lines)
        .containsExactly(
            "{\"jsonrpc\":\"2.0\",\"id\":\"srv-1\",\"method\":\"sampling/createMessage\",\"params\":{\"x\":1}}");
    assertThat(asking).isNotDone();

    String reply = "{\"jsonrpc\":\"2.0\",\"id\":\"srv-1\",\"result\":{\"y\":2}}";
    assertThat(dialogue.pass(reply.getBytes(java.nio.charset.StandardCharsets.UTF_8))).isTrue();
    assertThat(line(asking.join())).contains("{\"reply\":" + reply + "}");
  }

  @Test
  void whoGivesUpHasTheServerToldSo() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    CompletableFuture<Ending> hanging = call(dialogue, "hang");
    call(dialogue, "echo").join(); // it was written before this

    hanging.cancel(false);

    assertThat(line(call(dialogue, "notices").join()))
        .contains(
            "{\"notices\":[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}]}");
    assertThat(dialogue.isIdle()).isTrue();
  }

  @Test
  void aQuestionHasItsTimeAndTheServerIsToldWhenItIsOver() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    call(dialogue, "echo").join();

    Ending ending =
        dialogue
            .ask(new Question("tools/call", "{\"name\":\"hang\"}", null, 1_000, true), _ -> {})
            .join();

    assertThat(ending).isEqualTo(new Ending.TimedOut());
    await()
        .untilAsserted(
            () -> assertThat(line(call(dialogue, "notices").join())).contains("\"requestId\":2"));
  }

  @Test
  void whatWasWrittenWhenTheProgramEndsMayHaveHadItsEffect() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    CompletableFuture<Ending> hanging = call(dialogue, "hang");

    assertThat(call(dialogue, "die").join())
        .isEqualTo(new Ending.Broken("the process ended (exit 3) before an answer"));
    assertThat(hanging.join())
        .isEqualTo(new Ending.Broken("the process ended (exit 3) before an answer"));
    assertThat(call(dialogue, "echo").join())
        .isEqualTo(new Ending.NotConnected("the process ended (exit 3)"));
  }

  @Test
  void whatWasAnsweredBeforeTheEndIsAnswered() {
    Dialogue dialogue =
        played.shell("read line; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'; exit 0");

    assertThat(line(call(dialogue, "echo").join()))
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(0));
  }

  @Test
  void whatIsNotThereCannotBeStarted() {
    Child.How how =
        new Child.How(
            "played", List.of("sh", "-c", "exit 0"), Map.of(), java.nio.file.Path.of("/no/such"));
    Dialogue dialogue = Dialogue.begin(how, Played.BOUNDS, text -> text, played.timer);

    assertThat(call(dialogue, "echo").join())
        .isEqualTo(
            new Ending.NotConnected("the process cannot be started (no such file or directory)"));
  }

  @Test
  void aProgramThatReadsNothingIsAskedNoMoreThanThereIsRoomFor() {
    Dialogue dialogue = played.shell("sleep 600");
    String large = ",\"x\":\"%s\"".formatted("x".repeat(200_000));
    List<CompletableFuture<Ending>> asked = new ArrayList<>();

    for (int i = 0; i < 12; i++) {
      asked.add(
          dialogue.ask(
              new Question("tools/call", "{\"name\":\"a\"%s}".formatted(large), null, 2_000, true),
              _ -> {}));
    }

    assertThat(asked.stream().map(CompletableFuture::join).toList())
        .contains(new Ending.TimedOut(), new Ending.Overloaded())
        .containsOnly(new Ending.TimedOut(), new Ending.Overloaded());
    assertThat(asked.getLast().join()).isEqualTo(new Ending.Overloaded());
    dialogue.stop();
    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(143));
  }

  @Test
  void aServerIsLeftInPeaceUntilItHasAnswered() {
    Dialogue dialogue = played.server(Mode.SESSIONS);
    CompletableFuture<Ending> asked = call(dialogue, "echo");

    dialogue.finish(MILLIS);

    assertThat(line(asked.join())).contains("said");
    assertThat(dialogue.ended().join()).isEqualTo(new Exit.Ended(0));
  }
}
