package gatebook.api.a2a.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.ClientExchange;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One exchange of a client of A2A: a request and its response. The response is a single answer, or
 * a stream that begins with the answer, which is a task, and tells each state that the task enters,
 * or a stream that relays the items of an agent upstream and ends with the answer. A stream whose
 * first item is late begins with a comment, so that its connection is kept open; then an error is
 * its last item.
 *
 * <p>A stream that ends early has no terminal state. The task goes on without it, and its client
 * may subscribe to it again.
 */
public final class A2aExchange extends ClientExchange {
  private static final Logger LOG = LoggerFactory.getLogger(A2aExchange.class);

  private static final String UNREADABLE = "a stream of a task ends before the task";

  private final A2aVersion version;
  private final boolean wantsStream;
  private final boolean readsErrorsInStreams;
  private final long keepAliveMillis;
  private @Nullable FollowedTask task;
  private @Nullable String relayedId;
  private @Nullable CompletableFuture<CommandResult<TaskStatus>> change;

  /** Which the agent uses for its answer; empty when it uses none. */
  private volatile String extensions = "";

  /**
   * A task that a stream tells of.
   *
   * @param told the state that the answer has
   * @param requestId the token of the request's id, which every item has
   * @param isHeldMessage whether an answer is that of an agent upstream
   */
  private record FollowedTask(
      TaskId id,
      TaskState told,
      A2aVersion version,
      String requestId,
      boolean isHeldMessage,
      CallerTasks tasks,
      A2aMeters meters) {}

  /**
   * The exchange of a message that was read.
   *
   * @param keepAliveMillis after how long without an item a stream begins nevertheless, and has a
   *     comment
   * @param readsErrorsInStreams whether an error is the only item of a stream that has no other:
   *     else it is an answer like that of any other method
   */
  public A2aExchange(
      OpenStreams streams,
      CallerConnection connection,
      RpcMessage message,
      long keepAliveMillis,
      boolean readsErrorsInStreams) {
    super(streams, connection);
    VersionedMethod method =
        message instanceof RpcMessage.Request request
            ? A2aMethod.of(request.method()).orElse(null)
            : null;
    this.version = method == null ? A2aVersion.V0_3 : method.version();
    this.wantsStream = method != null && method.method().isStream();
    this.readsErrorsInStreams = readsErrorsInStreams;
    this.keepAliveMillis = keepAliveMillis;
    if (wantsStream) {
      openWhenSilent();
    }
  }

  /** A task has few states, and senders of an agent's items wait until there is room for them. */
  @Override
  protected StreamKind kind() {
    return StreamKind.limitedBySenders(Duration.ofMillis(keepAliveMillis));
  }

  /**
   * Makes the response to a request a stream about a task, where the channel has streams.
   *
   * @param isHeldMessage whether the task is a message that an agent upstream gets when it is
   *     approved: then the stream ends when the agent has answered, and the agent's task goes on
   * @param meters count each state that the stream waits for
   */
  public static void stream(
      AnswerContext context,
      Known known,
      A2aVersion version,
      boolean isHeldMessage,
      A2aMeters meters) {
    String requestId = context.id();
    if (requestId != null && context.channel() instanceof A2aExchange exchange) {
      exchange.follow(
          new FollowedTask(
              new TaskId(known.task().taskId(), known.task().callId()),
              known.state(),
              version,
              requestId,
              isHeldMessage,
              context.tasks(),
              meters));
    }
  }

  /** Tells the client which extensions the agent uses for its answer. */
  public void useExtensions(String used) {
    extensions = used;
  }

  @Override
  public Map<String, String> headers() {
    String used = extensions;
    return used.isEmpty() ? Map.of() : Map.of(version.extensionsHeader(), used);
  }

  private static byte[] event(String requestId, String item) {
    return SsePublisher.event(new String(MessageWriter.result(requestId, item), UTF_8));
  }

  private synchronized void follow(FollowedTask followed) {
    task = followed;
  }

  /**
   * Makes the response a stream of items of an agent upstream.
   *
   * @param requestId the token of the request's id, which every item has
   */
  public synchronized void relay(String requestId) {
    relayedId = requestId;
  }

  /** Sends an item; completed when there is room for another, with whether it has a reader. */
  public CompletableFuture<Boolean> sendItem(String item) {
    String requestId;
    synchronized (this) {
      requestId = Objects.requireNonNull(relayedId, "the response is a relayed stream");
    }
    return sendEarly(event(requestId, item));
  }

  /** The stream begins with the answer, or ends with it if it was opened before. */
  @Override
  protected synchronized Optional<SsePublisher> respond(Reply reply) {
    boolean isEvent = wantsStream && readsErrorsInStreams && reply.isOk();
    String json = isEvent || task != null || relayedId != null || isOpen() ? text(reply) : null;
    boolean hasResult = json != null && isResult(json);
    FollowedTask followed = hasResult ? task : null;
    boolean begins = followed != null || (hasResult ? relayedId != null : isEvent);
    if (json != null && (begins || isOpen())) {
      CompletableFuture<Boolean> _ =
          send(hasResult ? SsePublisher.event(json) : SsePublisher.event("error", json));
    }
    if (followed == null || followed.told.isFinal()) {
      end();
    } else {
      await(followed, followed.told);
    }
    return stream();
  }

  private void await(FollowedTask followed, TaskState told) {
    if (!hasEnded()) {
      CompletableFuture<CommandResult<TaskStatus>> next =
          followed.tasks.await(
              followed.id, CallerTasks.FOREVER_MILLIS, known -> known.state().equals(told));
      change = next;
      CompletableFuture<Void> _ =
          followed
              .meters
              .counted(StoreOperation.FOLLOW, next, A2aMeters::read)
              .thenAccept(found -> onStatus(followed, told, found))
              .exceptionally(failure -> endAfter(followed, failure));
    }
  }

  @Override
  protected void onEnd() {
    if (change != null) {
      change.cancel(false);
    }
  }

  private synchronized void onStatus(
      FollowedTask followed, TaskState told, CommandResult<TaskStatus> found) {
    if (hasEnded()) {
      return;
    }
    if (found instanceof CommandResult.Stored<TaskStatus>(Known known)) {
      boolean isOfAgent = followed.isHeldMessage && AgentAnswerIds.answered(known).isPresent();
      for (String item :
          isOfAgent
              ? AgentTaskItems.missedWork(told, known, followed.version)
              : AgentTaskItems.between(told, known, followed.version)) {
        CompletableFuture<Boolean> _ = send(event(followed.requestId, item));
      }
      if (!known.state().isFinal()) {
        await(followed, known.state());
        return;
      }
    } else if (found instanceof CommandResult.Refused<TaskStatus>) {
      unreadable(followed, "the journal does not answer").log(UNREADABLE);
    }
    end();
  }

  /** A failure to read the task ends the stream; one that was ended itself is no failure. */
  private synchronized @Nullable Void endAfter(FollowedTask followed, Throwable failure) {
    if (!hasEnded()) {
      unreadable(followed, "its status failed to be read").setCause(failure).log(UNREADABLE);
      end();
    }
    return null;
  }

  /** The fields of a line; part of the task's own id is a secret. */
  private static LoggingEventBuilder unreadable(FollowedTask followed, String error) {
    return LOG.atWarn()
        .addKeyValue("task_id", followed.id.callId())
        .addKeyValue("operation", A2aMethod.SUBSCRIBE.latestName())
        .addKeyValue("error", error);
  }
}
