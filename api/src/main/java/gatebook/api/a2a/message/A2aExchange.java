package gatebook.api.a2a.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.OpenStreams.EndableStream;
import gatebook.api.http.SsePublisher;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
public final class A2aExchange implements ClientChannel, EndableStream {
  private static final Logger LOG = LoggerFactory.getLogger(A2aExchange.class);

  private static final String UNREADABLE = "a stream of a task ends before the task";

  private final A2aClient client;
  private final CompletableFuture<SsePublisher> relaying = new CompletableFuture<>();
  private @Nullable FollowedTask task;
  private @Nullable String relayedId;
  private @Nullable SsePublisher publisher;
  private CompletableFuture<Optional<TaskStatus>> change = new CompletableFuture<>();
  private CallerConnection.Watch watch = () -> {};
  private @Nullable ScheduledFuture<?> headTimer;
  private boolean wantsStream;
  private boolean ended;

  /** Which the agent uses for its answer; empty when it uses none. */
  private volatile String extensions = "";

  private volatile A2aVersion version = A2aVersion.V0_3;

  /**
   * The client of an exchange, and the ways to reach it.
   *
   * @param publishers open a stream to it
   * @param silentMillisMax after how long without an item a stream begins nevertheless
   * @param readsErrorsInStreams whether an error is the only item of a stream that has no other:
   *     else it is an answer like that of any other method
   */
  public record A2aClient(
      CallerConnection connection,
      Supplier<SsePublisher> publishers,
      OpenStreams streams,
      long silentMillisMax,
      boolean readsErrorsInStreams) {}

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
      CallerTasks tasks) {

    CompletableFuture<Optional<TaskStatus>> change(TaskState from) {
      return tasks.awaitChange(id, from);
    }

    byte[] item(String json) {
      return event(requestId, json);
    }
  }

  public A2aExchange(A2aClient client) {
    this.client = client;
  }

  @Override
  public synchronized void onRequest(RpcMessage.Request request) {
    A2aMethod.of(request.method()).ifPresent(method -> version = method.version());
    if (A2aMethod.of(request.method()).filter(it -> it.method().isStream()).isPresent()) {
      wantsStream = true;
      headTimer =
          client
              .streams
              .timer()
              .schedule(this::openWithHead, client.silentMillisMax, TimeUnit.MILLISECONDS);
    }
  }

  private void openWithHead() {
    SsePublisher opened;
    synchronized (this) {
      if (ended || headTimer == null || publisher != null) {
        return;
      }
      opened = opened();
    }
    opened.sendHead();
    relaying.complete(opened);
  }

  /** The stream has begun, or the response is none. */
  private synchronized void stopHeadTimer() {
    if (headTimer != null) {
      headTimer.cancel(false);
      headTimer = null;
    }
  }

  /** Makes the response to a request a stream about a task, where the channel has streams. */
  public static void stream(AnswerContext context, Known known, A2aVersion version) {
    stream(context, known, version, false);
  }

  /**
   * Makes the response to a request a stream about a task, where the channel has streams.
   *
   * @param isHeldMessage whether the task is a message that an agent upstream gets when it is
   *     approved: then the stream ends when the agent has answered, and the agent's task goes on
   */
  public static void stream(
      AnswerContext context, Known known, A2aVersion version, boolean isHeldMessage) {
    String requestId = context.id();
    if (requestId != null && context.channel() instanceof A2aExchange exchange) {
      exchange.follow(
          new FollowedTask(
              new TaskId(known.task().taskId(), known.task().callId()),
              known.state(),
              version,
              requestId,
              isHeldMessage,
              context.tasks()));
    }
  }

  /** Tells the client which extensions the agent uses for its answer. */
  public void useExtensions(String used) {
    extensions = used;
  }

  /** The headers of the response, besides those of every response. */
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

  /** Completes when the stream is opened before the response. */
  public CompletableFuture<SsePublisher> relaying() {
    return relaying;
  }

  /** Sends an item; completed when there is room for another, with whether somebody reads it. */
  public CompletableFuture<Boolean> sendItem(String item) {
    SsePublisher opened;
    String requestId;
    synchronized (this) {
      requestId = Objects.requireNonNull(relayedId, "the response is a relayed stream");
      opened = ended ? null : opened();
    }
    if (opened == null) {
      return CompletableFuture.completedFuture(false);
    }
    CompletableFuture<Boolean> sent = opened.send(event(requestId, item));
    relaying.complete(opened);
    return sent;
  }

  private SsePublisher opened() {
    SsePublisher now = publisher;
    if (now == null) {
      stopHeadTimer();
      now = client.publishers.get();
      publisher = now;
      client.streams.add(this);
      watch = client.connection.onDisconnect(_ -> cancel());
    }
    return now;
  }

  /**
   * Opens the stream, which begins with the response, or ends it, if it was opened before the
   * response; empty when the response is no stream.
   *
   * @param response absent when the caller is gone, or has all items
   * @param isOk whether clients read the response whatever it says, because its status is 200
   */
  public synchronized Optional<SsePublisher> open(byte @Nullable [] response, boolean isOk) {
    stopHeadTimer();
    boolean isEvent = isOk && wantsStream && client.readsErrorsInStreams;
    if (!isEvent && task == null && relayedId == null && publisher == null) {
      return Optional.empty();
    }
    String json = response == null ? "" : new String(response, UTF_8);
    boolean hasResult = ObjectMembers.of(json).json("result").isPresent();
    FollowedTask followed = task;
    if (followed != null && hasResult) {
      SsePublisher opened = opened();
      CompletableFuture<Boolean> _ = opened.send(SsePublisher.event(json));
      if (followed.told.isFinal()) {
        end();
      } else {
        await(followed, followed.told);
      }
      return Optional.of(opened);
    }
    boolean begins = hasResult ? relayedId != null : isEvent && !json.isEmpty();
    if (publisher == null && !begins) {
      return Optional.empty();
    }
    SsePublisher opened = opened();
    if (!json.isEmpty()) {
      CompletableFuture<Boolean> _ =
          opened.send(hasResult ? SsePublisher.event(json) : SsePublisher.event("error", json));
    }
    end();
    return Optional.of(opened);
  }

  private synchronized void await(FollowedTask followed, TaskState told) {
    if (ended) {
      watch.end();
    } else {
      change = followed.change(told);
      CompletableFuture<Void> _ =
          change
              .thenAccept(status -> onStatus(followed, told, status.orElse(null)))
              .exceptionally(failure -> endAfter(followed, failure));
    }
  }

  private synchronized void onStatus(
      FollowedTask followed, TaskState told, @Nullable TaskStatus status) {
    SsePublisher opened = publisher;
    if (ended || opened == null) {
      return;
    }
    if (status instanceof Known known) {
      boolean isOfAgent = followed.isHeldMessage && AgentAnswerIds.answered(known).isPresent();
      for (String item :
          isOfAgent
              ? AgentTaskItems.missedWork(told, known, followed.version)
              : AgentTaskItems.between(told, known, followed.version)) {
        CompletableFuture<Boolean> _ = opened.send(followed.item(item));
      }
      if (!known.state().isFinal()) {
        await(followed, known.state());
        return;
      }
    } else if (status == null) {
      unreadable(followed, "the journal does not answer").log(UNREADABLE);
    }
    end();
  }

  /** A failure to read the task ends the stream; one that was ended itself is no failure. */
  private synchronized @Nullable Void endAfter(FollowedTask followed, Throwable failure) {
    if (!ended) {
      unreadable(followed, "its status failed to be read").setCause(failure).log(UNREADABLE);
      end();
    }
    return null;
  }

  /** The fields of a line; part of the task's own id is a secret. */
  private static LoggingEventBuilder unreadable(FollowedTask followed, String error) {
    return LOG.atWarn()
        .addKeyValue("task_id", followed.id().callId())
        .addKeyValue("operation", A2aMethod.SUBSCRIBE.latestName())
        .addKeyValue("error", error);
  }

  @Override
  public synchronized void end() {
    if (!ended) {
      ended = true;
      stopHeadTimer();
      client.streams.remove(this);
      boolean _ = change.cancel(false);
      watch.end();
      if (publisher != null) {
        publisher.end();
      }
    }
  }

  /** Drops all items: nobody reads them. */
  private synchronized void cancel() {
    end();
    if (publisher != null) {
      publisher.cancel();
    }
  }
}
