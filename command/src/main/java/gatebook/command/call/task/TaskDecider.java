package gatebook.command.call.task;

import gatebook.command.call.CallOutcome;
import gatebook.command.call.CallState;
import gatebook.command.call.Decision;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.SettleDecider;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
import gatebook.events.CallAbandoned;
import gatebook.events.Event;
import gatebook.events.ResultKept;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.keys.ContentOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
  private final TaskReader taskReader;

  public TaskDecider(
      PayloadRecorders payloadRecorders, SettleDecider settleDecider, TaskReader taskReader) {
    this.payloadRecorders = payloadRecorders;
    this.settleDecider = settleDecider;
    this.taskReader = taskReader;
  }

  /** A task that has ended stays as it is. */
  public Decision<TaskStatus> decide(CancelTask command, CallState state, Rules rules) {
    GetTask lookup = command.lookup();
    TaskStatus status = taskReader.status(lookup, state);
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
            new CallOutcome.Cancelled(),
            known.workingSince(),
            lookup.at(),
            known.due(),
            lookup.at(),
            known.params()));
  }

  /** A task that has ended is not settled again: its caller may have seen it cancelled. */
  public Decision<CallOutcome> decide(SettleTask command, CallState state, Rules rules) {
    if (state.hasEnded()) {
      return nothing(new CallOutcome.Cancelled());
    }
    return switch (command.call().ending()) {
      case Ending.Failure _ -> settled(List.of(), command.call(), rules);
      case Ending.Result result -> settled(command, result, rules);
    };
  }

  private Decision<CallOutcome> settled(SettleTask command, Ending.Result result, Rules rules) {
    SettleCall call = command.call();
    if (!payloadRecorders
        .of(rules, ContentOwner.ofCall(call.principal(), call.callId()))
        .keepsOriginals()) {
      return settled(List.of(), notKept(call), rules);
    }
    List<Event> parts = new ArrayList<>();
    List<String> texts = parts(result.text());
    for (int part = 1; part <= texts.size(); part++) {
      parts.add(
          new ResultKept(call.callId(), command.taskId(), part, texts.size(), texts.get(part - 1)));
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

  private Decision<CallOutcome> settled(List<Event> before, SettleCall call, Rules rules) {
    Decision<CallOutcome> settled = settleDecider.decide(call, rules);
    return new Decision<>(
        Stream.concat(before.stream(), settled.events().stream()).toList(), settled.outcome());
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

  private static long millis(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis());
  }

  private static <R> Decision<R> nothing(R outcome) {
    return new Decision<>(List.of(), outcome);
  }
}
