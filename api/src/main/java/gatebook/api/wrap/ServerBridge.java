package gatebook.api.wrap;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.source.ProcessCalls;
import gatebook.command.rules.Source;
import gatebook.events.call.Principal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Bridges the server's own requests and notifications to the client, and the client's responses to
 * the server. A request keeps the id that the server gave it, since there is only one server; it is
 * recorded before it is forwarded, and so is its response.
 */
final class ServerBridge implements ClientChannel {

  /** Open requests to the client; beyond this many the oldest is dropped. */
  private static final int OPEN_MAX = 1_024;

  /** How long the server is blocked by a client that does not read. */
  static final long CLIENT_MILLIS_MAX = 60_000;

  /** The client has no token. */
  private static final Caller CLIENT = new Caller(List.of(), true, CallerConnection.UNOBSERVED);

  private static final int INTERNAL_ERROR = -32603;

  private final Gateway gateway;
  private final StdioClient stdioClient;
  private final ClientWriter clientWriter;
  private final Map<String, RelatedCall> openRequests = new LinkedHashMap<>();

  /** The client's {@code initialize} call; absent before it. */
  private volatile @Nullable RelatedCall initializeCall;

  /**
   * The call as part of which a request of the server is recorded, with the source of the rules.
   */
  private record RelatedCall(UUID callId, Source source) {}

  ServerBridge(Gateway gateway, StdioClient stdioClient, ClientWriter clientWriter) {
    this.gateway = gateway;
    this.stdioClient = stdioClient;
    this.clientWriter = clientWriter;
    stdioClient.listen(this::onServerMessage);
  }

  private void onServerMessage(byte[] message) {
    switch (MessageReader.ofSource(MessageReader.DEPTH_MAX).read(message)) {
      case RpcMessage.Notification _ -> {
        boolean _ = await(sendNotification(message));
      }
      case RpcMessage.Request(var id, _, _, _) -> {
        RelatedCall by = initializeCall;
        boolean isAsked =
            by != null
                && await(
                    gateway
                        .messageRecorder(this, by.callId, principal(), by.source)
                        .onMessage(message));
        if (!isAsked) {
          boolean _ =
              stdioClient.sendRaw(
                  MessageWriter.error(id, INTERNAL_ERROR, "the client could not be asked", null));
        }
      }
      case RpcMessage.Unreadable _ -> {
        // the line reader drops unreadable lines
      }
    }
  }

  /** The name of the client's principal. */
  private String principal() {
    return gateway.principal(CLIENT).orElseGet(Principal.ANONYMOUS::name);
  }

  private static boolean await(CompletableFuture<Boolean> taken) {
    return ProcessCalls.await(taken, CLIENT_MILLIS_MAX);
  }

  /** Whether it responds to an open request; then it is recorded and sent to the server. */
  boolean isReply(ClientReply reply) {
    RelatedCall to = asked(reply.id());
    if (to == null) {
      return false;
    }
    CompletableFuture<Void> _ =
        gateway
            .recordReply(
                to.callId,
                principal(),
                to.source,
                unquoted(reply.id()),
                reply.isError(),
                reply.content())
            .thenAccept(isRecorded -> {
              boolean _ = isRecorded && stdioClient.sendRaw(reply.withId(reply.id()));
            });
    return true;
  }

  private @Nullable RelatedCall asked(String id) {
    synchronized (openRequests) {
      return openRequests.remove(id);
    }
  }

  @Override
  public void onInitialize(UUID callId, Source source) {
    initializeCall = new RelatedCall(callId, source);
  }

  /** A cancellation is not forwarded: the server knows the request by another id. */
  @Override
  public void notifySources(DialectCall notification, Map<String, String> headers) {
    if (!notification.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
      boolean _ = stdioClient.sendNotification(notification.method(), notification.params());
    }
  }

  @Override
  public boolean acceptsMessages() {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> sendNotification(byte[] notification) {
    return clientWriter.send(notification);
  }

  @Override
  public String registerRequest(Source source, RpcMessage.Request request, UUID callId) {
    synchronized (openRequests) {
      openRequests.put(request.id(), new RelatedCall(callId, source));
      if (openRequests.size() > OPEN_MAX) {
        Iterator<String> oldest = openRequests.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
    return unquoted(request.id());
  }

  @Override
  public CompletableFuture<Boolean> sendRequest(String name, RpcMessage.Request request) {
    return clientWriter.send(
        MessageWriter.request(request.id(), request.method(), request.params()));
  }

  private static String unquoted(String id) {
    return id.startsWith("\"") ? id.substring(1, id.length() - 1) : id;
  }
}
