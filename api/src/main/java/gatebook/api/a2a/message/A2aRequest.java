package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aTaskState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request of A2A, the same in every version, read and checked as far as it can be without any
 * state. Metadata are the text of an object, and absent where there were none.
 */
public sealed interface A2aRequest {

  /** The task that the request is about; empty when it names none. */
  default Optional<String> aboutTask() {
    return switch (this) {
      case MessageRequest sent -> Optional.ofNullable(sent.message().taskId());
      case Get(var taskId, _) -> Optional.of(taskId);
      case Cancel(var taskId, _) -> Optional.of(taskId);
      case Subscribe(var taskId) -> Optional.of(taskId);
      case CreatePush(var config) -> Optional.ofNullable(config.taskId());
      case GetPush(var taskId, _) -> Optional.of(taskId);
      case ListPush(var taskId, _, _) -> Optional.of(taskId);
      case DeletePush(var taskId, _) -> Optional.of(taskId);
      case ListTasks _, ExtendedCard _ -> Optional.empty();
    };
  }

  /** The ids that the request names: of its task, its context and its message. */
  default List<String> aboutIds() {
    return java.util.stream.Stream.of(
            aboutTask(),
            this instanceof MessageRequest sent
                ? Optional.ofNullable(sent.message().contextId())
                : Optional.<String>empty(),
            this instanceof MessageRequest sent
                ? Optional.of(sent.message().messageId())
                : Optional.<String>empty(),
            this instanceof ListTasks list
                ? Optional.ofNullable(list.contextId())
                : Optional.<String>empty())
        .flatMap(Optional::stream)
        .toList();
  }

  /** A request that sends a message. */
  sealed interface MessageRequest extends A2aRequest {
    A2aMessage message();

    SendOptions options();
  }

  /** Sends a message; the response is one task or message. */
  record Send(A2aMessage message, SendOptions options, @Nullable String metadata)
      implements MessageRequest {}

  /** Sends a message; the response is a stream. */
  record Stream(A2aMessage message, SendOptions options, @Nullable String metadata)
      implements MessageRequest {}

  /** Reads a task. */
  record Get(String taskId, @Nullable Integer historyLength) implements A2aRequest {}

  /**
   * Lists the caller's tasks, the latest status first.
   *
   * @param contextId the conversation of the wanted tasks; absent when all are wanted
   * @param state of the wanted tasks; absent when all are wanted
   * @param statusAfter when the wanted tasks got their state at the earliest
   * @param pageToken of the page; absent for the first
   */
  record ListTasks(
      @Nullable String contextId,
      @Nullable A2aTaskState state,
      @Nullable Instant statusAfter,
      int pageSize,
      @Nullable String pageToken,
      @Nullable Integer historyLength,
      boolean includesArtifacts)
      implements A2aRequest {
    static final int PAGE_SIZE_DEFAULT = 50;
    static final int PAGE_SIZE_MAX = 100;
  }

  record Cancel(String taskId, @Nullable String metadata) implements A2aRequest {}

  /** Follows a task from now on; the response is a stream. */
  record Subscribe(String taskId) implements A2aRequest {}

  /** A request that every agent here declines. */
  sealed interface Declined extends A2aRequest {}

  /** Has an address notified about a task. */
  record CreatePush(PushConfig config) implements Declined {}

  /**
   * Reads how an address is notified.
   *
   * @param configId absent when the task has only one
   */
  record GetPush(String taskId, @Nullable String configId) implements Declined {}

  record ListPush(String taskId, @Nullable Integer pageSize, @Nullable String pageToken)
      implements Declined {}

  record DeletePush(String taskId, String configId) implements Declined {}

  /** Reads the card that only known callers get. */
  record ExtendedCard() implements Declined {}

  /**
   * What the sender of a message wants of the response.
   *
   * @param outputModes the accepted media types; empty when any is
   * @param waits whether the response waits until the task has ended, or waits for its client
   * @param historyLength the most messages of the task's history; absent for all
   * @param push absent unless an address is to be notified
   */
  record SendOptions(
      List<String> outputModes,
      boolean waits,
      @Nullable Integer historyLength,
      @Nullable PushConfig push) {
    public SendOptions {
      outputModes = List.copyOf(outputModes);
    }
  }

  /**
   * An address that is notified about a task.
   *
   * @param taskId absent when the task is yet to be created
   * @param id absent when the agent chooses it
   * @param token sent with each notification
   */
  record PushConfig(
      @Nullable String taskId,
      @Nullable String id,
      String url,
      @Nullable String token,
      @Nullable PushAuthentication authentication) {}

  /**
   * How a notification is authenticated.
   *
   * @param schemes at least one
   */
  record PushAuthentication(List<String> schemes, @Nullable String credentials) {
    public PushAuthentication {
      schemes = List.copyOf(schemes);
    }
  }
}
