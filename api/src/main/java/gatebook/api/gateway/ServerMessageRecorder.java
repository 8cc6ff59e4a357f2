package gatebook.api.gateway;

import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.command.call.PassQuestion;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.TextPrefix;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the messages that a server sends to a client besides its response. A request is recorded
 * before it is passed on; a notification, such as progress, is not recorded.
 */
final class ServerMessageRecorder implements MessageListener {

  private static final Logger LOG = LoggerFactory.getLogger(ServerMessageRecorder.class);
  private static final CompletableFuture<Boolean> DROPPED =
      CompletableFuture.completedFuture(false);
  private static final int METHOD_CHARS_MAX = 256;

  private final CommandSender commandSender;
  private final ClientChannel clientChannel;
  private final UUID callId;
  private final String principal;
  private final Source source;
  private final Rules rules;
  private final MessageReader reader;

  ServerMessageRecorder(
      GatewayCore.Services services,
      ClientChannel clientChannel,
      UUID callId,
      String principal,
      Source source,
      RoutingSnapshot routingSnapshot) {
    this.commandSender = services.commandSender();
    this.clientChannel = clientChannel;
    this.callId = callId;
    this.principal = principal;
    this.source = source;
    this.rules = routingSnapshot.rules();
    this.reader = new MessageReader(rules.limits().getInt(Limit.DEPTH_MAX));
  }

  @Override
  public CompletableFuture<Boolean> onMessage(byte[] message) {
    return switch (reader.read(message)) {
      case RpcMessage.Notification _ -> clientChannel.sendNotification(message);
      case RpcMessage.Request request -> passOn(request);
      case RpcMessage.Unreadable(var fault, _) -> {
        LOG.atWarn()
            .addKeyValue("source", source.id())
            .addKeyValue("fault", fault.kind())
            .log("a source sent something that is no JSON-RPC message; it is dropped");
        yield DROPPED;
      }
    };
  }

  @Override
  public void onEventId() {
    clientChannel.markResumable();
  }

  @Override
  public void onPause(long retryMillis) {
    clientChannel.pause(retryMillis);
  }

  private CompletableFuture<Boolean> passOn(RpcMessage.Request request) {
    String id = clientChannel.registerRequest(source, request, callId);
    return commandSender
        .send(passCommand(id, request), Boolean.class, rules)
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Stored<Boolean> _ -> clientChannel.sendRequest(id, request);
              // a request that cannot be recorded is not passed on; the source may send it again
              case CommandResult.Refused<Boolean> _ -> DROPPED;
            });
  }

  private PassQuestion passCommand(String id, RpcMessage.Request request) {
    String method = Scrubber.NAMES.scrub(request.method());
    return new PassQuestion(
        callId,
        principal,
        source.id(),
        CredentialMask.maskAndCut(id),
        TextPrefix.of(method, METHOD_CHARS_MAX),
        request.params(),
        rules.hash());
  }
}
