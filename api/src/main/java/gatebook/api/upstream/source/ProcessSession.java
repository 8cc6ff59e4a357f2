package gatebook.api.upstream.source;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.api.upstream.process.StdioClient;
import gatebook.command.rules.Source;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The session of one client with a process of its own. Except for progress, messages of the process
 * do not name the call they belong to: they go to the most recent open call, or else to the
 * session's listener.
 */
final class ProcessSession implements Session, Upstream.Delegating {

  private static final int METHOD_NOT_FOUND = -32601;

  private final Upstream delegate;
  private final Source source;
  private final StdioClient stdioClient;
  private final ProcessCalls calls;
  private final ServerProtocol serverProtocol;
  private final InputRequestBridge inputRequestBridge;
  private final String initializeResult;
  private final Deque<MessageListener> openCalls = new ConcurrentLinkedDeque<>();
  private volatile MessageListener listener = MessageListener.NONE;

  /**
   * A session that is open.
   *
   * @param inputRequestBridge sends the input requests of a stateless process to the client
   * @param initializeResult of the process
   */
  ProcessSession(
      Upstream delegate,
      Source source,
      StdioClient stdioClient,
      ProcessCalls calls,
      ServerProtocol serverProtocol,
      InputRequestBridge inputRequestBridge,
      String initializeResult) {
    this.delegate = delegate;
    this.source = source;
    this.stdioClient = stdioClient;
    this.calls = calls;
    this.serverProtocol = serverProtocol;
    this.inputRequestBridge = inputRequestBridge;
    this.initializeResult = initializeResult;
    stdioClient.listen(this::onUnrelated);
  }

  @Override
  public Upstream delegate() {
    return delegate;
  }

  @Override
  public String initializeResult() {
    return initializeResult;
  }

  @Override
  public boolean isOpen() {
    return !stdioClient.ended().isDone();
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return new ToolListPages(this).fetchAll();
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener messageListener) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(calls.accepted(sendNotification(call)));
    }
    openCalls.push(messageListener);
    CompletableFuture<Response> response =
        calls.send(
            this,
            stdioClient,
            call,
            params(call, messageListener),
            message -> deliver(messageListener, message));
    CompletableFuture<Response> _ =
        response.whenComplete((_, _) -> openCalls.removeFirstOccurrence(messageListener));
    return serverProtocol instanceof ServerProtocol.Stateless && !StatelessMeta.isStateless(call)
        ? inputRequestBridge.resolve(response, call, messageListener)
        : response;
  }

  /**
   * Sends a notification, except a cancellation: the process knows the call by another id, and gets
   * the cancellation when the call's future is cancelled.
   */
  private boolean sendNotification(Call call) {
    return call.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)
        || stdioClient.sendNotification(call.method(), ownParams(call));
  }

  private @Nullable String params(Call call, MessageListener messageListener) {
    return serverProtocol.params(
        ownParams(call),
        messageListener.equals(MessageListener.NONE) ? "{}" : inputRequestBridge.capabilities());
  }

  private @Nullable String ownParams(Call call) {
    return CallTargets.forSource(call, source);
  }

  private void onUnrelated(byte[] message) {
    MessageListener last = openCalls.peek();
    boolean isDelivered = (last != null && deliver(last, message)) || deliver(listener, message);
    if (!isDelivered
        && MessageReader.ofSource(MessageReader.DEPTH_MAX).read(message)
            instanceof RpcMessage.Request(var id, _, _, _)) {
      boolean _ =
          stdioClient.sendRaw(
              MessageWriter.error(id, METHOD_NOT_FOUND, "no client can answer now", null));
    }
  }

  private boolean deliver(MessageListener messageListener, byte[] message) {
    return ProcessCalls.await(
        PrefixingListener.of(messageListener, source).onMessage(message), source.answerMillis());
  }

  @Override
  public Runnable listen(MessageListener messageListener) {
    listener = messageListener;
    return () -> {
      if (listener.equals(messageListener)) {
        listener = MessageListener.NONE;
      }
    };
  }

  @Override
  public CompletableFuture<Response> reply(byte[] response) {
    return CompletableFuture.completedFuture(
        calls.accepted(inputRequestBridge.accept(response) || stdioClient.sendRaw(response)));
  }

  @Override
  public void close() {
    inputRequestBridge.close();
    stdioClient.stop();
  }
}
