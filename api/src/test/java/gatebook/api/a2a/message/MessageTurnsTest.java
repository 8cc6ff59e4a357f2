package gatebook.api.a2a.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.MessageTurns.Turn;
import gatebook.command.call.SentMessageKey;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Equal messages to an agent upstream, one after the other. */
final class MessageTurnsTest {
  private final MessageTurns turns = new MessageTurns();

  private CompletableFuture<Turn> take(String messageId) {
    return take(messageId, "x");
  }

  private CompletableFuture<Turn> take(String messageId, String content) {
    return turns.take(new SentMessageKey("joe", "planner", messageId), content);
  }

  @Test
  void equalMessagesTakeTurns() {
    Turn first = take("m").join();
    CompletableFuture<Turn> second = take("m");
    CompletableFuture<Turn> third = take("m");
    assertThat(second).isNotDone();

    first.end();
    assertThat(second).isCompleted();
    assertThat(third).isNotDone();
    second.join().endUnlessSent();
    assertThat(third).isCompleted();
  }

  @Test
  void otherMessagesDoNotWait() {
    Turn _ = take("m").join();

    assertThat(take("n")).isCompleted();
    assertThat(take("m", "y")).isCompleted();
  }

  @Test
  void turnOfASentMessageOutlastsTheResponse() {
    Turn first = take("m").join();
    CompletableFuture<Turn> second = take("m");
    first.markSent();

    first.endUnlessSent();
    assertThat(second).isNotDone();
    first.end();
    assertThat(second).isCompleted();
  }

  @Test
  void nobodyWaitsForATurnThatHasEnded() {
    take("m").join().end();

    assertThat(take("m")).isCompleted();
  }
}
