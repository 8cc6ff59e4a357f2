package gatebook.command.call;

import static java.util.stream.Collectors.joining;

import gatebook.command.call.CallState.ApprovalStatus;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.TaskStatus.State;
import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
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

/**
 * Decides commands about tasks, that is calls whose callers get the outcome later, from their
 * recorded events.
 */
public final class TaskDecider {

  /** A part of this length fits into one event when it is sealed. */
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

  public Decision<TaskStatus> decide(GetTask command, CallState state, Rules rules) {
    return nothing(status(command, state, rules));
  }

  /** A task that has ended stays as it is. */
  public Decision<TaskStatus> decide(CancelTask command, CallState state, Rules rules) {
    GetTask lookup = command.lookup();
    TaskStatus status = status(lookup, state, rules);
    if (!(status instanceof TaskStatus.Known known) || known.state().isFinal()) {
      return nothing(status);
    }
    CallAbandoned cancelled =
        new CallAbandoned(
            known.task().callId(),
            CallAbandoned.Cause.CANCELLED,
            state.isForwarded(),
            millis(known.task().createdAt(), lookup.at()));
    return new Decision<>(
        List.of(cancelled),
        new TaskStatus.Known(
            known.task(),
            new State.Cancelled(),
            lookup.at(),
            known.due(),
            lookup.at(),
            known.params()));
  }

  public Decision<TakeOverTask.Outcome> decide(TakeOverTask command, CallState state, Rules rules) {
    if (state.received() == null
        || state.approval() == null
        || state.task() == null
        || state.hasEnded()
        || state.isForwarded()) {
      return nothing(new TakeOverTask.Outcome.Nothing());
    }
    TakeOverTask.WaitingTask waitingTask =
        new TakeOverTask.WaitingTask(state.received(), state.approval().request(), state.task());
    Optional<String> params = unsealed(state.received(), payloadRecorders.of(rules));
    return nothing(
        params.isPresent()
            ? new TakeOverTask.Outcome.TakenOver(waitingTask, params.get())
            : new TakeOverTask.Outcome.Unreadable(waitingTask));
  }

  /** A task that has ended is not settled again: its caller may have seen it cancelled. */
  public Decision<SettleTask.Outcome> decide(SettleTask command, CallState state, Rules rules) {
    if (state.hasEnded()) {
      return nothing(new SettleTask.Outcome.EndedBefore());
    }
    return switch (command.call().ending()) {
      case Ending.Failure _ -> settled(List.of(), command.call(), rules);
      case Ending.Result result -> settled(command, result, rules);
    };
  }

  private Decision<SettleTask.Outcome> settled(
      SettleTask command, Ending.Result result, Rules rules) {
    PayloadRecorder payloadRecorder = payloadRecorders.of(rules);
    List<Event> parts = new ArrayList<>();
    List<String> texts = parts(result.text());
    for (int part = 1; part <= texts.size(); part++) {
      SealedContent sealedContent =
          payloadRecorder.sealAnySize(command.call().callId(), texts.get(part - 1));
      if (sealedContent == null) {
        return settled(List.of(), notKept(command.call()), rules);
      }
      parts.add(
          new ResultKept(
              command.call().callId(), command.taskId(), part, texts.size(), sealedContent));
    }
    return settled(parts, command.call(), rules);
  }

  /** The rules stopped keeping originals while the task ran. */
  private static SettleCall notKept(SettleCall call) {
    return call.withEnding(
        new Ending.Failure(
            new UpstreamError(
                Objects.requireNonNullElse(call.target(), ""),
                null,
                "it was answered, and the answer could not be kept",
                null,
                null)));
  }

  private Decision<SettleTask.Outcome> settled(List<Event> before, SettleCall call, Rules rules) {
    Decision<SettleOutcome> settled = settleDecider.decide(call, rules);
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

  private TaskStatus status(GetTask command, CallState state, Rules rules) {
    TaskCreated task = state.task();
    CallReceived received = state.received();
    if (task == null
        || received == null
        || state.approval() == null
        || !task.taskId().equals(command.task().text())
        || !received.principal().name().equals(command.principal())) {
      return new TaskStatus.Unknown();
    }
    if (!command.at().isBefore(task.createdAt().plusMillis(task.ttlMillis()))) {
      return new TaskStatus.Expired(task);
    }
    PayloadRecorder payloadRecorder = payloadRecorders.of(rules);
    return new TaskStatus.Known(
        task,
        state(state, received, payloadRecorder),
        changedAt(state, task),
        ApprovalDecider.due(state.approval().request()),
        command.at(),
        unsealed(received, payloadRecorder).orElse(null));
  }

  private State state(CallState state, CallReceived received, PayloadRecorder payloadRecorder) {
    return switch (state.endEvent()) {
      case null -> openState(state);
      case CallAnswered answered ->
          result(state.result(), payloadRecorder)
              .<State>map(text ->
                  new State.Answered(answered.outcome() == CallAnswered.Outcome.TOOL_ERROR, text))
              .orElseGet(() -> outcomeUnknown(received));
      case ErrorTranslated(_, _, var fault, var errorResponse, _, _, _, _) ->
          new State.Failed(fault, errorResponse);
      case CallAbandoned _ -> new State.Cancelled();
      case CallOrphaned _, MessageRefused _ -> outcomeUnknown(received);
    };
  }

  /** The call may have taken effect, and its outcome is unknown. */
  private State outcomeUnknown(CallReceived received) {
    Fault fault = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
    DialectVersion dialectVersion =
        new DialectVersion(received.dialect(), received.dialectVersion());
    return new State.Failed(
        fault, faultTranslator.translate(fault, dialectVersion, received.correlationId()));
  }

  private static State openState(CallState state) {
    return state.approval() != null
            && state.approval().status() instanceof ApprovalStatus.Waiting
            && !state.isForwarded()
        ? new State.Waiting()
        : new State.Working();
  }

  private static Instant changedAt(CallState state, TaskCreated task) {
    Instant from = task.createdAt();
    return switch (state.endEvent()) {
      case null -> decidedAt(state, from);
      case CallAnswered answered -> from.plusMillis(answered.totalMillis());
      case ErrorTranslated translated -> from.plusMillis(translated.totalMillis());
      case CallAbandoned abandoned -> from.plusMillis(abandoned.totalMillis());
      case CallOrphaned _, MessageRefused _ -> decidedAt(state, from);
    };
  }

  private static Instant decidedAt(CallState state, Instant otherwise) {
    return state.approval() != null
            && state.approval().status() instanceof ApprovalStatus.Granted(var granted)
        ? granted.decidedAt()
        : otherwise;
  }

  private static Optional<String> result(List<ResultKept> parts, PayloadRecorder payloadRecorder) {
    List<String> texts =
        parts.stream()
            .flatMap(part -> unsealed(payloadRecorder.unseal(part.callId(), part.text())).stream())
            .toList();
    boolean whole = !parts.isEmpty() && texts.size() == parts.getFirst().parts();
    return whole ? Optional.of(texts.stream().collect(joining())) : Optional.empty();
  }

  private static Optional<String> unsealed(CallReceived received, PayloadRecorder payloadRecorder) {
    return Optional.ofNullable(received.original())
        .flatMap(
            sealedContent -> unsealed(payloadRecorder.unseal(received.callId(), sealedContent)));
  }

  private static Optional<String> unsealed(Unsealed unsealed) {
    return unsealed instanceof Unsealed.Opened(var text) ? Optional.of(text) : Optional.empty();
  }

  private static long millis(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis());
  }

  private static <R> Decision<R> nothing(R outcome) {
    return new Decision<>(List.of(), outcome);
  }
}
