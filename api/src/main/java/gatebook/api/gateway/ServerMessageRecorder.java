package gatebook.api.gateway;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.command.call.PassQuestion;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.TextPrefix;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a source says to a caller besides its answer. A question is recorded before it is passed on;
 * what tells of the source's progress, and wants no answer, is not.
 */
final class ServerMessageRecorder implements Aside {

  private static final Logger LOG = LoggerFactory.getLogger(ServerMessageRecorder.class);
  private static final CompletableFuture<Boolean> DROPPED =
      CompletableFuture.completedFuture(false);
  private static final int METHOD_CHARS_MAX = 256;

  private final CommandSender commandSender;
  private final ClientChannel clientChannel;
  private final UUID callId;
  private final Source source;
  private final Rules rules;
  private final MessageReader reader;

  ServerMessageRecorder(
      Gateway.Tools tools,
      ClientChannel clientChannel,
      UUID callId,
      Source source,
      RoutingSnapshot routingSnapshot) {
    this.commandSender = tools.decisions();
    this.clientChannel = clientChannel;
    this.callId = callId;
    this.source = source;
    this.rules = routingSnapshot.rules();
    this.reader = new MessageReader(rules.limits().depthMax());
  }

  @Override
  public CompletableFuture<Boolean> said(byte[] message) {
    return switch (reader.read(message)) {
      case RpcMessage.Notification _ -> clientChannel.told(message);
      case RpcMessage.Request question -> asked(question);
      case RpcMessage.Unreadable(var fault, _) -> {
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
    clientChannel.placed();
  }

  @Override
  public void paused(long retryMillis) {
    clientChannel.paused(retryMillis);
  }

  private CompletableFuture<Boolean> asked(RpcMessage.Request question) {
    String id = clientChannel.nameOf(source, question, callId);
    return commandSender
        .of(passed(id, question), Boolean.class)
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Done<Boolean> _ -> clientChannel.asked(id, question);
              // what cannot be recorded is not passed on; the source may ask again
              case CommandResult.Not<Boolean> _ -> DROPPED;
            });
  }

  private PassQuestion passed(String id, RpcMessage.Request question) {
    String method = Scrubber.NAMES.scrub(question.method());
    return new PassQuestion(
        callId, source.id(), id, TextPrefix.of(method, METHOD_CHARS_MAX), question.params(), rules);
  }
}
