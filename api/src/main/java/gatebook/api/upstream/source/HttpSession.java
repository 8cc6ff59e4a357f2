package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The session of one client with a source over HTTP. */
final class HttpSession implements Session, Upstream.Delegating {

  private static final int NOT_FOUND = 404;

  private final Upstream delegate;
  private final HttpRequests httpRequests;
  private final ProtocolMode protocolMode;
  private final InputRequestBridge inputRequestBridge;
  private final String initializeResult;
  private final Map<HttpAnswers, CompletableFuture<Response>> openCalls = new ConcurrentHashMap<>();

  /** Calls that have not ended, or whose cancellation the source has not accepted yet. */
  private final Map<HttpAnswers, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean open = true;

  /** {@code inputRequestBridge} sends the input requests of a stateless source to the client. */
  HttpSession(
      Upstream delegate,
      HttpRequests httpRequests,
      ProtocolMode protocolMode,
      InputRequestBridge inputRequestBridge,
      String initializeResult) {
    this.delegate = delegate;
    this.httpRequests = httpRequests;
    this.protocolMode = protocolMode;
    this.inputRequestBridge = inputRequestBridge;
    this.initializeResult = initializeResult;
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
    return open;
  }

  /**
   * Sends a call, except a cancellation: the source gets that when the call's future is cancelled.
   */
  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    if (call.notification() && call.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
      return CompletableFuture.completedFuture(new Ended.Accepted());
    }
    String id = call.id() == null ? "\"gatebook-%s\"".formatted(httpRequests.newId()) : call.id();
    HttpAnswers httpAnswers = httpRequests.answersTo(call.notification() ? null : id, listener);
    if (protocolMode instanceof ProtocolMode.Stateless
        && !call.notification()
        && !StatelessMeta.isStateless(call)) {
      return inputRequestBridge.resolve(
          httpRequests.send(withCapabilities(listener), call, httpAnswers), call, listener);
    }
    CompletableFuture<Void> end = new CompletableFuture<>();
    ends.put(httpAnswers, end);
    CompletableFuture<Response> response =
        httpRequests.send(
            protocolMode, call, httpAnswers, cancellation -> end(httpAnswers, cancellation));
    openCalls.put(httpAnswers, response);
    if (closed.get()) {
      response.cancel(false); // the end of the session may not have seen it
    }
    CompletableFuture<Response> _ =
        response.whenComplete((ended, _) -> {
          openCalls.remove(httpAnswers);
          if (ended != null && hasSession() && isUnknown(ended)) {
            open = false;
          }
        });
    return response;
  }

  private void end(HttpAnswers httpAnswers, CompletableFuture<Response> cancellation) {
    CompletableFuture<Response> _ =
        cancellation.whenComplete((_, _) -> {
          CompletableFuture<Void> end = ends.remove(httpAnswers);
          if (end != null) {
            end.complete(null);
          }
        });
  }

  /** Declares the client's capabilities only if requests can reach the client. */
  private ProtocolMode withCapabilities(MessageListener listener) {
    return listener.equals(MessageListener.NONE)
        ? protocolMode
        : new ProtocolMode.Stateless(inputRequestBridge.capabilities());
  }

  /** Whether the source says that it does not know the session. */
  static boolean isUnknown(Response response) {
    return switch (response) {
      case Ended.ForeignError error -> isNotFound(error.httpStatus());
      case Ended.Failure(UpstreamError error) -> isNotFound(error.httpStatus());
      case Ended _, Response.NotConnected _, Response.Resend _ -> false;
    };
  }

  private static boolean isNotFound(@Nullable Integer status) {
    return status != null && status == NOT_FOUND;
  }

  private boolean hasSession() {
    return protocolMode instanceof ProtocolMode.Negotiated(_, var session, _) && session != null;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return new ToolListPages(this).fetchAll();
  }

  @Override
  public Runnable listen(MessageListener listener) {
    if (!(protocolMode instanceof ProtocolMode.Negotiated)) {
      return () -> {};
    }
    EventStreamLoop eventStreamLoop =
        new EventStreamLoop(httpRequests.answersTo(HttpAnswers.NO_ID, listener));
    eventStreamLoop.start();
    return eventStreamLoop::stop;
  }

  /** Opens one event stream after the other, as long as the source provides them. */
  private final class EventStreamLoop {
    private final HttpAnswers httpAnswers;
    private final AtomicReference<CompletableFuture<ExchangeResult>> current =
        new AtomicReference<>(new CompletableFuture<>());
    private volatile boolean stopped;

    EventStreamLoop(HttpAnswers httpAnswers) {
      this.httpAnswers = httpAnswers;
    }

    void start() {
      CompletableFuture<ExchangeResult> sent = httpRequests.listen(protocolMode, httpAnswers);
      current.set(sent);
      if (stopped) {
        sent.cancel(false);
      }
      CompletableFuture<ExchangeResult> _ =
          sent.whenComplete((exchangeResult, failure) -> {
            if (failure == null && !stopped && HttpRequests.isCut(exchangeResult)) {
              HttpRequests.afterPause(httpAnswers, this::restart);
            }
          });
    }

    private void restart() {
      if (!stopped && open) {
        start();
      }
    }

    void stop() {
      stopped = true;
      current.get().cancel(false);
    }
  }

  @Override
  public CompletableFuture<Response> reply(byte[] answer) {
    if (!(protocolMode instanceof ProtocolMode.Stateless)) {
      return httpRequests.reply(protocolMode, answer);
    }
    boolean _ = inputRequestBridge.accept(answer);
    return CompletableFuture.completedFuture(new Ended.Accepted());
  }

  /** Cancels the open calls first, so that the source stops working on them. */
  @Override
  public void close() {
    open = false;
    if (closed.getAndSet(true)) {
      return;
    }
    inputRequestBridge.close();
    List.copyOf(openCalls.values()).forEach(call -> call.cancel(false));
    if (hasSession()) {
      CompletableFuture<ExchangeResult> _ =
          CompletableFuture.allOf(ends.values().toArray(CompletableFuture<?>[]::new))
              .thenCompose(_ -> httpRequests.deleteSession(protocolMode));
    }
  }
}
