package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.rpc.UnreadableIds;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.LineReader.Line;
import gatebook.events.fault.Malformed.InvalidRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC client of one process on its standard streams. Any number of requests may be open at a
 * time: each gets an id of this client, which is also its progress token, so that ids and tokens of
 * different callers never collide.
 */
public final class StdioClient {

  private static final String PARAMS = "params";
  private static final String RESULT = "result";
  private static final String META = "_meta";
  private static final String TOKEN = "progressToken";
  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final ChildProcess childProcess;
  private final StderrLog stderrLog;
  private final MessageReader reader;
  private final ScheduledExecutorService timer;
  private final Map<String, OpenRequest> open = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile Consumer<byte[]> listener = _ -> {};
  private volatile boolean isStoppingWhenIdle;

  /**
   * A request to the process.
   *
   * @param params the text of an object or array
   * @param callerId the token of the id that the caller uses; absent when it is not needed
   * @param millisMax from now to the last byte of the answer
   * @param isCancellable whether a cancellation is sent when the request is given up
   */
  public record StdioRequest(
      String method,
      @Nullable String params,
      @Nullable String callerId,
      long millisMax,
      boolean isCancellable) {

    /** For subscriptions, which are answered when they end. */
    public static final long UNLIMITED = Long.MAX_VALUE;
  }

  private StdioClient(
      ChildProcess.LaunchSpec launchSpec,
      ProcessLimits processLimits,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer) {
    this.stderrLog = new StderrLog(launchSpec.source(), scrubbed, System::nanoTime);
    this.reader = MessageReader.ofSource(processLimits.depthMax());
    this.timer = timer;
    this.childProcess =
        ChildProcess.start(launchSpec, processLimits, stderrLog, this::onLine, timer);
    CompletableFuture<Exit> _ = childProcess.ended().whenComplete((exit, _) -> onExit(exit));
  }

  /**
   * Starts the process.
   *
   * @param scrubbed removes secrets from its standard error
   */
  public static StdioClient start(
      ChildProcess.LaunchSpec launchSpec,
      ProcessLimits processLimits,
      UnaryOperator<String> scrubbed,
      ScheduledExecutorService timer) {
    return new StdioClient(launchSpec, processLimits, scrubbed, timer);
  }

  /** Sets the listener for messages that belong to no open request; it gets one at a time. */
  public void listen(Consumer<byte[]> newListener) {
    listener = newListener;
  }

  /**
   * Sends a request. Cancelling the future cancels the request.
   *
   * @param callListener receives the messages that belong to the request and are not its answer
   */
  public CompletableFuture<RequestResult> send(
      StdioRequest stdioRequest, Consumer<byte[]> callListener) {
    String id = Long.toString(ids.incrementAndGet());
    OpenRequest openRequest = new OpenRequest(id, stdioRequest, callListener);
    open.put(id, openRequest);
    limit(openRequest, stdioRequest.millisMax());
    CompletableFuture<RequestResult> _ =
        openRequest.result.whenComplete((requestResult, _) -> onResult(openRequest, requestResult));
    boolean sent = childProcess.send(openRequest);
    if (childProcess.ended().isDone()) {
      openRequest.onExit(
          childProcess.ended().join()); // it may have ended before the request was registered
    } else if (!sent) {
      openRequest.end(
          childProcess.isStopping()
              ? new RequestResult.NotConnected("the process is about to end")
              : new RequestResult.Overloaded());
    }
    return openRequest.result;
  }

  private void limit(OpenRequest openRequest, long millisMax) {
    if (millisMax != StdioRequest.UNLIMITED) {
      ScheduledFuture<?> limit =
          timer.schedule(openRequest::timeOut, millisMax, TimeUnit.MILLISECONDS);
      CompletableFuture<RequestResult> _ =
          openRequest.result.whenComplete((_, _) -> limit.cancel(false));
    }
  }

  /** Sends a notification; false when there is no room. */
  public boolean sendNotification(String method, @Nullable String params) {
    return sendRaw(MessageWriter.notification(method, params));
  }

  /** Sends a message unchanged, as one line; false when there is no room. */
  public boolean sendRaw(byte[] message) {
    return childProcess.send(new RawMessage(LineReader.asLine(message)));
  }

  /** Completes when the process ended and its output was read. */
  public CompletableFuture<Exit> ended() {
    return childProcess.ended();
  }

  /** Whether no request is open. */
  public boolean isIdle() {
    return open.isEmpty();
  }

  /** Ends the process when no request is open, or after this time. */
  public void stopWhenIdle(long millisMax) {
    isStoppingWhenIdle = true;
    ScheduledFuture<?> limit = timer.schedule(childProcess::stop, millisMax, TimeUnit.MILLISECONDS);
    CompletableFuture<Exit> _ = childProcess.ended().whenComplete((_, _) -> limit.cancel(false));
    if (open.isEmpty()) {
      childProcess.stop();
    }
  }

  /** Ends the process; its remaining output is still read. */
  public void stop() {
    childProcess.stop();
  }

  /** Ends the process at once, because this process is ending too. */
  public void stopNow() {
    childProcess.stopNow();
  }

  private void onLine(Line line) {
    switch (line) {
      case Line.Whole(var bytes, _) -> onLine(bytes);
      case Line.Overlong(_, var ids, _, boolean isDropped) ->
          onUnreadable(
              ids,
              _ ->
                  isDropped
                      ? new RequestResult.AnswerDropped()
                      : new RequestResult.Broken("the answer is too large"));
    }
  }

  private void onLine(byte[] line) {
    if (LineReader.isBlank(line)) {
      return;
    }
    switch (reader.read(line)) {
      case RpcMessage.Request _ -> listener.accept(line);
      case RpcMessage.Notification(_, _, var params) -> onNotification(line, params);
      case RpcMessage.Unreadable(InvalidRequest _, var id) ->
          onResponse(id, request -> request.answered(request.withCallerId(line)));
      case RpcMessage.Unreadable _ ->
          onUnreadable(UnreadableIds.in(line), request -> request.answered(line));
    }
  }

  /**
   * Ends every request that the line names; the reader of its answer finds the defects. A line that
   * names several cannot be assigned to one of them.
   */
  private void onUnreadable(Set<String> ids, Function<OpenRequest, RequestResult> result) {
    if (ids.isEmpty()) {
      stderrLog.countStray();
    }
    ids.forEach(id -> onResponse(id, result));
  }

  private void onResponse(@Nullable String id, Function<OpenRequest, RequestResult> result) {
    Optional<OpenRequest> openRequest = openRequest(id);
    if (openRequest.isPresent()) {
      openRequest.get().end(result.apply(openRequest.get()));
    } else if (!wasSent(id)) {
      stderrLog.countStray();
    }
  }

  /** Whether the id was used; a late answer to such a request is not logged. */
  private boolean wasSent(@Nullable String id) {
    return id != null && id.matches("\\d{1,18}") && Long.parseLong(id) <= ids.get();
  }

  private Optional<OpenRequest> openRequest(@Nullable String id) {
    return Optional.ofNullable(id).map(open::get);
  }

  private void onNotification(byte[] line, ObjectMembers params) {
    Optional<OpenRequest> progressing = openRequest(params.json(TOKEN).orElse(null));
    Optional<OpenRequest> subscribed =
        openRequest(params.members(META).json(SUBSCRIPTION).orElse(null));
    if (progressing.isPresent()) {
      progressing.get().onProgress(line);
    } else if (subscribed.isPresent()) {
      subscribed.get().onSubscription(line);
    } else {
      listener.accept(line);
    }
  }

  private void onExit(Exit exit) {
    List.copyOf(open.values()).forEach(openRequest -> openRequest.onExit(exit));
  }

  private void onResult(OpenRequest openRequest, @Nullable RequestResult requestResult) {
    open.remove(openRequest.id);
    boolean isAbandoned = requestResult == null || requestResult instanceof RequestResult.TimedOut;
    if (isAbandoned && openRequest.isWritten() && openRequest.request.isCancellable()) {
      boolean _ =
          sendNotification(
              McpMethod.NOTIFICATIONS_CANCELLED, "{\"requestId\":%s}".formatted(openRequest.id));
    }
    if (isStoppingWhenIdle && open.isEmpty()) {
      childProcess.stop();
    }
  }

  /** A message that is always written. */
  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record RawMessage(byte[] line) implements ChildProcess.OutgoingMessage {
    @Override
    public int bytes() {
      return line.length;
    }

    @Override
    public Optional<byte[]> takeLine() {
      return Optional.of(line);
    }
  }

  private enum Stage {
    WAITING,
    WRITTEN,
    OVER
  }

  /** A request without an answer yet. The first result wins. */
  private static final class OpenRequest implements ChildProcess.OutgoingMessage {
    private final String id;
    private final StdioRequest request;
    private final Consumer<byte[]> callListener;
    private final @Nullable String token;
    private final byte[] line;
    private final CompletableFuture<RequestResult> result = new CompletableFuture<>();
    private Stage stage = Stage.WAITING;

    OpenRequest(String id, StdioRequest stdioRequest, Consumer<byte[]> callListener) {
      this.id = id;
      this.request = stdioRequest;
      this.callListener = callListener;
      String params = stdioRequest.params();
      this.token = ObjectMembers.of(params).members(META).json(TOKEN).orElse(null);
      this.line =
          LineReader.asLine(
              MessageWriter.request(
                  id,
                  stdioRequest.method(),
                  params == null || token == null
                      ? params
                      : MemberSplice.with(params, List.of(META, TOKEN), id)));
    }

    @Override
    public int bytes() {
      return line.length;
    }

    @Override
    public synchronized Optional<byte[]> takeLine() {
      if (result.isDone() || stage == Stage.OVER) {
        return Optional.empty();
      }
      stage = Stage.WRITTEN;
      return Optional.of(line);
    }

    synchronized boolean isWritten() {
      return stage == Stage.WRITTEN;
    }

    void end(RequestResult how) {
      result.complete(how);
    }

    RequestResult answered(byte[] answer) {
      return new RequestResult.Answered(id, answer);
    }

    void timeOut() {
      end(preventWrite() ? new RequestResult.Overloaded() : new RequestResult.TimedOut());
    }

    void onExit(Exit exit) {
      end(
          preventWrite()
              ? new RequestResult.NotConnected(exit.words())
              : new RequestResult.Broken(exit.words() + " before an answer"));
    }

    /** Prevents a write from now on; true when the request was not written. */
    private synchronized boolean preventWrite() {
      if (stage == Stage.WAITING) {
        stage = Stage.OVER;
      }
      return stage == Stage.OVER;
    }

    /** Passes progress on if the caller sent a token. */
    void onProgress(byte[] line) {
      if (token != null) {
        callListener.accept(MemberSplice.with(line, List.of(PARAMS, TOKEN), token));
      }
    }

    /** Replaces the subscription id in the final answer of a subscription by the caller's id. */
    byte[] withCallerId(byte[] line) {
      String callerId = request.callerId();
      return callerId != null
              && request.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)
              && isOfSubscription(line)
          ? MemberSplice.with(line, List.of(RESULT, META, SUBSCRIPTION), callerId)
          : line;
    }

    private static boolean isOfSubscription(byte[] line) {
      return ObjectMembers.of(new String(line, UTF_8))
          .members(RESULT)
          .members(META)
          .json(SUBSCRIPTION)
          .isPresent();
    }

    void onSubscription(byte[] line) {
      String callerId = request.callerId();
      callListener.accept(
          callerId == null
              ? line
              : MemberSplice.with(line, List.of(PARAMS, META, SUBSCRIPTION), callerId));
    }
  }
}
