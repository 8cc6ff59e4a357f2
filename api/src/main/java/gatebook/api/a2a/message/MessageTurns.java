package gatebook.api.a2a.message;

import gatebook.command.call.SentMessageKey;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The turns of messages to agents upstream: of equal messages that this process has at the same
 * time, one is sent after the other, so that the second finds the task of the first.
 */
public final class MessageTurns {
  private final Map<Message, CompletableFuture<Void>> latest = new ConcurrentHashMap<>();

  private record Message(SentMessageKey key, String content) {}

  /** The turn of one message. It must be ended, once or more often. */
  public static final class Turn {
    private final CompletableFuture<Void> ended;
    private final AtomicBoolean sent = new AtomicBoolean();

    private Turn(CompletableFuture<Void> ended) {
      this.ended = ended;
    }

    /** The message is sent: then the turn does not end with the response to its caller. */
    public void markSent() {
      sent.set(true);
    }

    /** The caller has its response. */
    public void endUnlessSent() {
      if (!sent.get()) {
        end();
      }
    }

    public void end() {
      ended.complete(null);
    }
  }

  /** Completes when every earlier message with this key and content has ended its turn. */
  public CompletableFuture<Turn> take(SentMessageKey key, String content) {
    Message message = new Message(key, content);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    CompletableFuture<Void> earlier = latest.put(message, ended);
    CompletableFuture<Boolean> _ = ended.thenApply(_ -> latest.remove(message, ended));
    Turn turn = new Turn(ended);
    return earlier == null ? CompletableFuture.completedFuture(turn) : earlier.thenApply(_ -> turn);
  }
}
