package gatebook.api.border;

import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.command.question.PassQuestion;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Beginning;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a source says to a caller besides its answer. A question is recorded before it is passed on;
 * what tells of the source's progress, and wants no answer, is not.
 */
final class Asides implements Aside {

  private static final Logger LOG = LoggerFactory.getLogger(Asides.class);
  private static final CompletableFuture<Boolean> DROPPED =
      CompletableFuture.completedFuture(false);
  private static final int METHOD_CHARS_MAX = 256;

  private final Decisions decisions;
  private final Conversation conversation;
  private final UUID callId;
  private final Source source;
  private final Rules rules;
  private final MessageReader reader;

  Asides(Border.Tools tools, Conversation conversation, UUID callId, Source source, Ground ground) {
    this.decisions = tools.decisions();
    this.conversation = conversation;
    this.callId = callId;
    this.source = source;
    this.rules = ground.rules();
    this.reader = new MessageReader(rules.limits().depthMax());
  }

  @Override
  public CompletableFuture<Boolean> said(byte[] message) {
    return switch (reader.read(message)) {
      case Message.Notification _ -> conversation.told(message);
      case Message.Request question -> asked(question);
      case Message.Unreadable(var fault, _) -> {
        LOG.atWarn()
            .addKeyValue("source", source.id())
            .addKeyValue("fault", fault.kind())
            .log("a source said something that is no message; it is dropped");
        yield DROPPED;
      }
    };
  }

  @Override
  public void placed() {
    conversation.placed();
  }

  @Override
  public void paused(long retryMillis) {
    conversation.paused(retryMillis);
  }

  private CompletableFuture<Boolean> asked(Message.Request question) {
    String id = conversation.nameOf(source, question, callId);
    return decisions
        .of(passed(id, question), Boolean.class)
        .thenCompose(recorded ->
            switch (recorded) {
              case Recorded.Done<Boolean> _ -> conversation.asked(id, question);
              // what cannot be recorded is not passed on; the source may ask again
              case Recorded.Not<Boolean> _ -> DROPPED;
            });
  }

  private PassQuestion passed(String id, Message.Request question) {
    String method = Scrubber.NAMES.scrub(question.method());
    return new PassQuestion(
        callId, source.id(), id, Beginning.of(method, METHOD_CHARS_MAX), question.params(), rules);
  }
}
