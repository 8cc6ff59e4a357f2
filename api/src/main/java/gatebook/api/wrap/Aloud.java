package gatebook.api.wrap;

import static gatebook.api.rpc.Quoted.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.border.Border;
import gatebook.api.border.Conversation;
import gatebook.api.border.Ground;
import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.Replied;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.wrap.Wrapped.Introduced;
import gatebook.command.rules.Source;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the server says besides its answers, and what the client answers it. A question keeps the id
 * that the server gave it, since there is nobody else; it is recorded before it is passed on, and
 * so is its answer.
 */
final class Aloud implements Conversation {

  /** Questions that the client has not answered; of very many, the newest. */
  private static final int OPEN_MAX = 1_024;

  /** How long the server waits until a client hears that does not. */
  private static final long HEARING_SECONDS_MAX = 60;

  private static final int INTERNAL_ERROR = -32603;

  private final Border border;
  private final Wrapped wrapped;
  private final Dialogue dialogue;
  private final Mouth mouth;
  private final Map<String, Introduced> questions = new LinkedHashMap<>();

  Aloud(Border border, Wrapped wrapped, Dialogue dialogue, Mouth mouth) {
    this.border = border;
    this.wrapped = wrapped;
    this.dialogue = dialogue;
    this.mouth = mouth;
    dialogue.listen(this::said);
  }

  /** Has the server wait for its client, and nobody else: this is on the server's own thread. */
  static boolean wait(CompletableFuture<Boolean> taken) {
    return taken
        .copy()
        .completeOnTimeout(false, HEARING_SECONDS_MAX, TimeUnit.SECONDS)
        .exceptionally(_ -> false)
        .join();
  }

  private void said(byte[] message) {
    switch (new MessageReader(MessageReader.DEPTH_MAX).read(message)) {
      case Message.Notification _ -> {
        boolean _ = wait(told(message));
      }
      case Message.Request(var id, _, _) -> {
        boolean isAsked =
            wrapped
                .introduced()
                .map(by -> border.aside(this, by.callId(), by.source()))
                .map(aside -> wait(aside.said(message)))
                .orElse(false);
        if (!isAsked) {
          boolean _ = dialogue.pass(Answer.error(id, INTERNAL_ERROR, "nobody was asked", null));
        }
      }
      case Message.Unreadable _ -> {
        // whoever reads lines has dropped it
      }
    }
  }

  /** Whether it answers a question; then it goes to the server once that is recorded. */
  boolean isReply(Replied reply) {
    Introduced to = asked(reply.id());
    if (to == null) {
      return false;
    }
    CompletableFuture<Void> _ =
        border
            .replied(to.callId(), to.source(), bare(reply.id()), reply.isError(), reply.content())
            .thenAccept(isRecorded -> {
              boolean _ = isRecorded && dialogue.pass(reply.as(reply.id()));
            });
    return true;
  }

  private @Nullable Introduced asked(String id) {
    synchronized (questions) {
      return questions.remove(id);
    }
  }

  @Override
  public Upstream upstream(Ground ground, Source source) {
    return ground.upstream(source);
  }

  @Override
  public boolean hears() {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> told(byte[] notification) {
    return mouth.aside(notification);
  }

  @Override
  public String nameOf(Source source, Message.Request question, UUID callId) {
    synchronized (questions) {
      questions.put(question.id(), new Introduced(callId, source));
      if (questions.size() > OPEN_MAX) {
        Iterator<String> oldest = questions.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
    return bare(question.id());
  }

  @Override
  public CompletableFuture<Boolean> asked(String name, Message.Request question) {
    String params = question.params() == null ? "" : ",\"params\":" + question.params();
    return mouth.aside(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s%s}"
            .formatted(question.id(), quoted(question.method()), params)
            .getBytes(UTF_8));
  }

  private static String bare(String id) {
    return id.startsWith("\"") ? id.substring(1, id.length() - 1) : id;
  }
}
