package gatebook.command.call;

import static java.util.stream.Collectors.joining;

import gatebook.command.call.CallState.Standing;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.TaskStatus.State;
import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.TaskCreated;
import gatebook.events.call.SealedContent;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides about calls whose callers come back for the outcome, by what is recorded of them. */
public final class TaskDecider {

  /** So much of a result, sealed, fits into one event. */
  static final int PART_CHARS = 128 << 10;

  private final PayloadRecorders payloadRecorders;
  private final SettleDecider settleDecider;
  private final FaultTranslator faultTranslator;

  public TaskDecider(
      PayloadRecorders payloadRecorders,
      SettleDecider settleDecider,
      FaultTranslator faultTranslator) {
    this.faultTranslator = faultTranslator;
    this.payloadRecorders = payloadRecorders;
    this.settleDecider = settleDecider;
  }

  public Decision<TaskStatus> decide(GetTask command, CallState soFar) {
    return nothing(standing(command, soFar));
  }

  /** What has ended stays as it is. */
  public Decision<TaskStatus> decide(CancelTask command, CallState soFar) {
    GetTask asking = command.asking();
    TaskStatus standing = standing(asking, soFar);
    if (!(standing instanceof TaskStatus.Known known) || known.state().isFinal()) {
      return nothing(standing);
    }
    CallAbandoned cancelled =
        new CallAbandoned(
            known.task().callId(),
            CallAbandoned.Cause.CANCELLED,
            soFar.forwarded(),
            millis(known.task().createdAt(), asking.at()));
    return new Decision<>(
        List.of(cancelled),
        new TaskStatus.Known(
            known.task(),
            new State.Cancelled(),
            asking.at(),
            known.due(),
            asking.at(),
            known.original()));
  }

  public Decision<TakeOverTask.Outcome> decide(TakeOverTask command, CallState soFar) {
    if (soFar.received() == null
        || soFar.approval() == null
        || soFar.task() == null
        || soFar.ended()
        || soFar.forwarded()) {
      return nothing(new TakeOverTask.Outcome.Nothing());
    }
    TakeOverTask.Left left =
        new TakeOverTask.Left(soFar.received(), soFar.approval().asked(), soFar.task());
    Optional<String> params = opened(soFar.received(), payloadRecorders.of(command.rules()));
    return nothing(
        params.isPresent()
            ? new TakeOverTask.Outcome.Taken(left, params.get())
            : new TakeOverTask.Outcome.Unreadable(left));
  }

  /** Who has been told that it was cancelled is told nothing else. */
  public Decision<SettleTask.Outcome> decide(SettleTask command, CallState soFar) {
    if (soFar.ended()) {
      return nothing(new SettleTask.Outcome.EndedBefore());
    }
    return switch (command.call().ending()) {
      case Ending.Failure _ -> settled(List.of(), command.call());
      case Ending.Result result -> settled(command, result);
    };
  }

  private Decision<SettleTask.Outcome> settled(SettleTask command, Ending.Result result) {
    PayloadRecorder payloadRecorder = payloadRecorders.of(result.rules());
    List<Event> parts = new ArrayList<>();
    List<String> texts = parts(result.text());
    for (int part = 1; part <= texts.size(); part++) {
      SealedContent sealedContent =
          payloadRecorder.sealWhole(command.call().callId(), texts.get(part - 1));
      if (sealedContent == null) {
        return settled(List.of(), notKept(command.call()));
      }
      parts.add(
          new ResultKept(
              command.call().callId(), command.taskId(), part, texts.size(), sealedContent));
    }
    return settled(parts, command.call());
  }

  /** The rules stopped keeping anything while it was under way. */
  private static SettleCall notKept(SettleCall call) {
    return call.with(
        new Ending.Failure(
            new UpstreamError(
                Objects.requireNonNullElse(call.target(), ""),
                null,
                "it was answered, and the answer could not be kept",
                null,
                null)));
  }

  private Decision<SettleTask.Outcome> settled(List<Event> before, SettleCall call) {
    Decision<SettleOutcome> settled = settleDecider.decide(call);
    return new Decision<>(
        Stream.concat(before.stream(), settled.events().stream()).toList(),
        new SettleTask.Outcome.Settled(settled.outcome()));
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(from + PART_CHARS, text.length());
      if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
        to--;
      }
      parts.add(text.substring(from, to));
      from = to;
    }
    return parts;
  }

  private TaskStatus standing(GetTask command, CallState soFar) {
    TaskCreated task = soFar.task();
    CallReceived received = soFar.received();
    if (task == null
        || received == null
        || soFar.approval() == null
        || !task.taskId().equals(command.task().text())
        || !received.principal().name().equals(command.principal())) {
      return new TaskStatus.Unknown();
    }
    if (!command.at().isBefore(task.createdAt().plusMillis(task.ttlMillis()))) {
      return new TaskStatus.Expired(task);
    }
    PayloadRecorder payloadRecorder = payloadRecorders.of(command.rules());
    return new TaskStatus.Known(
        task,
        state(soFar, received, payloadRecorder),
        changedAt(soFar, task),
        ApprovalDecider.due(soFar.approval().asked()),
        command.at(),
        opened(received, payloadRecorder).orElse(null));
  }

  private State state(CallState soFar, CallReceived received, PayloadRecorder payloadRecorder) {
    return switch (soFar.ending()) {
      case null -> underWay(soFar);
      case CallAnswered answered ->
          result(soFar.result(), payloadRecorder)
              .<State>map(text ->
                  new State.Answered(answered.outcome() == CallAnswered.Outcome.TOOL_ERROR, text))
              .orElseGet(() -> lost(received));
      case ErrorTranslated(_, _, var fault, var errorResponse, _, _, _, _) ->
          new State.Failed(fault, errorResponse);
      case CallAbandoned _ -> new State.Cancelled();
      case CallOrphaned _, MessageRefused _ -> lost(received);
    };
  }

  /** It may have had its effect, and nobody knows how it ended. */
  private State lost(CallReceived received) {
    Fault fault = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
    DialectVersion dialectVersion =
        new DialectVersion(received.dialect(), received.dialectVersion());
    return new State.Failed(
        fault, faultTranslator.tell(fault, dialectVersion, received.correlationId()));
  }

  private static State underWay(CallState soFar) {
    return soFar.approval() != null
            && soFar.approval().standing() instanceof Standing.Waiting
            && !soFar.forwarded()
        ? new State.Waiting()
        : new State.Working();
  }

  private static Instant changedAt(CallState soFar, TaskCreated task) {
    Instant from = task.createdAt();
    return switch (soFar.ending()) {
      case null -> decidedAt(soFar, from);
      case CallAnswered answered -> from.plusMillis(answered.totalMillis());
      case ErrorTranslated translated -> from.plusMillis(translated.totalMillis());
      case CallAbandoned abandoned -> from.plusMillis(abandoned.totalMillis());
      case CallOrphaned _, MessageRefused _ -> decidedAt(soFar, from);
    };
  }

  private static Instant decidedAt(CallState soFar, Instant otherwise) {
    return soFar.approval() != null
            && soFar.approval().standing() instanceof Standing.Granted(var granted)
        ? granted.decidedAt()
        : otherwise;
  }

  private static Optional<String> result(List<ResultKept> parts, PayloadRecorder payloadRecorder) {
    List<String> texts =
        parts.stream()
            .flatMap(part -> opened(payloadRecorder.unseal(part.callId(), part.text())).stream())
            .toList();
    boolean whole = !parts.isEmpty() && texts.size() == parts.getFirst().parts();
    return whole ? Optional.of(texts.stream().collect(joining())) : Optional.empty();
  }

  private static Optional<String> opened(CallReceived received, PayloadRecorder payloadRecorder) {
    return Optional.ofNullable(received.original())
        .flatMap(sealedContent -> opened(payloadRecorder.unseal(received.callId(), sealedContent)));
  }

  private static Optional<String> opened(Unsealed unsealed) {
    return unsealed instanceof Unsealed.Opened(var text) ? Optional.of(text) : Optional.empty();
  }

  private static long millis(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis());
  }

  private static <R> Decision<R> nothing(R outcome) {
    return new Decision<>(List.of(), outcome);
  }
}
