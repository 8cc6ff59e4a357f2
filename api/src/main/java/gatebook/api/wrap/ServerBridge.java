package gatebook.api.wrap;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.ClientChannel;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ResponseWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.wrap.WrappedSource.Introduced;
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
final class ServerBridge implements ClientChannel {

  /** Questions that the client has not answered; of very many, the newest. */
  private static final int OPEN_MAX = 1_024;

  /** How long the server waits until a client hears that does not. */
  private static final long HEARING_SECONDS_MAX = 60;

  private static final int INTERNAL_ERROR = -32603;

  private final Gateway gateway;
  private final WrappedSource wrappedSource;
  private final StdioClient stdioClient;
  private final ClientWriter clientWriter;
  private final Map<String, Introduced> questions = new LinkedHashMap<>();

  ServerBridge(
      Gateway gateway,
      WrappedSource wrappedSource,
      StdioClient stdioClient,
      ClientWriter clientWriter) {
    this.gateway = gateway;
    this.wrappedSource = wrappedSource;
    this.stdioClient = stdioClient;
    this.clientWriter = clientWriter;
    stdioClient.listen(this::said);
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
      case RpcMessage.Notification _ -> {
        boolean _ = wait(told(message));
      }
      case RpcMessage.Request(var id, _, _) -> {
        boolean isAsked =
            wrappedSource
                .introduced()
                .map(by -> gateway.aside(this, by.callId(), by.source()))
                .map(aside -> wait(aside.said(message)))
                .orElse(false);
        if (!isAsked) {
          boolean _ =
              stdioClient.pass(ResponseWriter.error(id, INTERNAL_ERROR, "nobody was asked", null));
        }
      }
      case RpcMessage.Unreadable _ -> {
        // whoever reads lines has dropped it
      }
    }
  }

  /** Whether it answers a question; then it goes to the server once that is recorded. */
  boolean isReply(ClientReply reply) {
    Introduced to = asked(reply.id());
    if (to == null) {
      return false;
    }
    CompletableFuture<Void> _ =
        gateway
            .replied(to.callId(), to.source(), bare(reply.id()), reply.isError(), reply.content())
            .thenAccept(isRecorded -> {
              boolean _ = isRecorded && stdioClient.pass(reply.as(reply.id()));
            });
    return true;
  }

  private @Nullable Introduced asked(String id) {
    synchronized (questions) {
      return questions.remove(id);
    }
  }

  @Override
  public Upstream upstream(RoutingSnapshot routingSnapshot, Source source) {
    return routingSnapshot.upstream(source);
  }

  @Override
  public boolean hears() {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> told(byte[] notification) {
    return clientWriter.aside(notification);
  }

  @Override
  public String nameOf(Source source, RpcMessage.Request question, UUID callId) {
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
  public CompletableFuture<Boolean> asked(String name, RpcMessage.Request question) {
    String params = question.params() == null ? "" : ",\"params\":" + question.params();
    return clientWriter.aside(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s%s}"
            .formatted(question.id(), quoted(question.method()), params)
            .getBytes(UTF_8));
  }

  private static String bare(String id) {
    return id.startsWith("\"") ? id.substring(1, id.length() - 1) : id;
  }
}
