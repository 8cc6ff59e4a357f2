package gatebook.command.resume;

import gatebook.command.Decision;
import gatebook.command.NamesInFaults;
import gatebook.command.Telling;
import gatebook.command.approve.Approval;
import gatebook.command.course.CallSoFar;
import gatebook.command.course.CallSoFar.Standing;
import gatebook.command.gate.Gates;
import gatebook.command.gate.Way;
import gatebook.command.inspect.Inspections;
import gatebook.command.keep.Keepers;
import gatebook.command.receive.Binding;
import gatebook.command.receive.Forwarding;
import gatebook.command.receive.Hold;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalEvent;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Told;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a held call goes on: by what a person said, by the time, and by the rules of now,
 * under which every gate must still say what it said when the person was asked.
 */
public final class Resuming {

  private final Gates gates;
  private final Inspections inspections;
  private final Keepers keepers;
  private final Telling telling;

  public Resuming(Gates gates, Inspections inspections, Keepers keepers, Telling telling) {
    this.gates = gates;
    this.inspections = inspections;
    this.keepers = keepers;
    this.telling = telling;
  }

  public Decision<Resumption> decide(ResumeCall command, CallSoFar soFar) {
    if (soFar.ended() || soFar.forwarded() || soFar.approval() == null) {
      return new Decision<>(List.of(), new Resumption.Gone());
    }
    return switch (soFar.approval().standing()) {
      case Standing.Waiting() -> waiting(command, soFar.approval().asked());
      case Standing.Granted(var event) -> granted(command, event.by(), List.of());
      case Standing.Rejected(var event) -> rejected(command, event.by(), event.reason());
      case Standing.TimedOut _ -> tooLate(command, List.of());
    };
  }

  private Decision<Resumption> waiting(ResumeCall command, ApprovalRequested asked) {
    if (workflowGone(command)) {
      return workflowNotFound(command, List.of());
    }
    if (command.at().isBefore(Approval.due(asked))) {
      return new Decision<>(List.of(), new Resumption.StillHeld());
    }
    ApprovalEvent unanswered = Approval.unanswered(asked, command.at());
    return unanswered instanceof ApprovalGranted
        ? granted(command, null, List.of(unanswered))
        : tooLate(command, List.of(unanswered));
  }

  private Decision<Resumption> tooLate(ResumeCall command, List<Event> before) {
    Hold hold = command.hold();
    long seconds = Duration.between(hold.call().receivedAt(), hold.due()).toSeconds();
    return denied(
        command,
        before,
        new Denied.ApprovalTimeout(
            hold.asked().targets(),
            seconds,
            hold.question().workflow(),
            hold.asked().on().content()),
        new Verdict.Deny(DenialReason.TIMED_OUT, null),
        null);
  }

  private Decision<Resumption> rejected(ResumeCall command, String by, @Nullable String reason) {
    Hold hold = command.hold();
    return denied(
        command,
        List.of(),
        new Denied.ApprovalRejected(
            hold.asked().targets(),
            by,
            reason,
            hold.question().workflow(),
            hold.asked().on().content()),
        new Verdict.Deny(DenialReason.REJECTED, reason),
        by);
  }

  private Decision<Resumption> workflowNotFound(ResumeCall command, List<Event> before) {
    return denied(
        command,
        before,
        new Denied.WorkflowNotFound(command.hold().question().workflow()),
        new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
        null);
  }

  private static boolean workflowGone(ResumeCall command) {
    return !command.rules().workflows().containsKey(command.hold().question().workflow());
  }

  /** A person said yes; now the call must be what was shown, and the rules must be as they were. */
  private Decision<Resumption> granted(
      ResumeCall command, @Nullable String by, List<Event> before) {
    if (workflowGone(command)) {
      return workflowNotFound(command, before);
    }
    Hold hold = command.hold();
    Way now = gates.way(hold.asked().at(command.at()), command.rules());
    Optional<Gate> changed = changed(hold, now);
    if (changed.isPresent()) {
      return withheld(command, before, policyDrift(command, changed.get()));
    }
    Source source = ((Way.Ask) now).source();
    if (!Binding.of(hold.call(), hold.asked(), source, keepers.of(command.rules()))
        .equals(hold.question().bound())) {
      return withheld(
          command,
          before,
          new Withheld.TransformDrift(hold.asked().targets(), hold.question().taskId()));
    }
    return inspections
        .of(hold.asked(), source, command.rules())
        .map(fault -> withheld(command, before, fault))
        .orElseGet(() -> forwarded(command, before, source, now.rulings(), by));
  }

  /** The first gate that says something else than when the person was asked. */
  private static Optional<Gate> changed(Hold hold, Way now) {
    List<Ruling> then = hold.question().rulings();
    for (int i = 0; i < Math.min(then.size(), now.rulings().size()); i++) {
      if (!then.get(i).verdict().equals(now.rulings().get(i).verdict())) {
        return Optional.of(now.rulings().get(i).gate());
      }
    }
    boolean asksTheSame =
        now instanceof Way.Ask ask && ask.workflow().name().equals(hold.question().workflow());
    return asksTheSame ? Optional.empty() : Optional.of(Gate.GOVERNANCE);
  }

  private static Fault policyDrift(ResumeCall command, Gate changedAt) {
    Hold hold = command.hold();
    return new Withheld.PolicyDrift(
        hold.asked().targets(),
        hold.question().taskId(),
        changedAt,
        hold.question().rulesHash(),
        command.rules().hash());
  }

  private Decision<Resumption> forwarded(
      ResumeCall command,
      List<Event> before,
      Source source,
      List<Ruling> rulings,
      @Nullable String by) {
    List<Event> events = new ArrayList<>(before);
    events.add(
        new CallAdmitted(
            command.hold().call().callId(),
            command.rules().hash(),
            and(rulings, approval(command, new Verdict.Pass(), by))));
    events.addAll(
        Forwarding.first(
            command.hold().call().callId(), source, command.hold().asked(), command.rules()));
    return new Decision<>(events, new Resumption.Forwarded(source));
  }

  private Decision<Resumption> denied(
      ResumeCall command,
      List<Event> before,
      Fault fault,
      Verdict.Deny verdict,
      @Nullable String by) {
    Hold hold = command.hold();
    Told told = told(hold, fault);
    List<Event> events = new ArrayList<>(before);
    events.add(
        new GateDenied(
            hold.call().callId(),
            command.rules().hash(),
            telling.names().scrub(hold.asked().targets()),
            hold.call().principal().name(),
            and(hold.question().rulings(), approval(command, verdict, by))));
    events.add(translated(command, fault, told));
    return new Decision<>(events, new Resumption.Refused(named(fault), told, verdict.reason()));
  }

  private Decision<Resumption> withheld(ResumeCall command, List<Event> before, Fault fault) {
    Told told = told(command.hold(), fault);
    List<Event> events = new ArrayList<>(before);
    events.add(translated(command, fault, told));
    return new Decision<>(events, new Resumption.Refused(named(fault), told, null));
  }

  private static Ruling approval(ResumeCall command, Verdict verdict, @Nullable String by) {
    Hold hold = command.hold();
    return new Ruling.Approval(
        verdict, hold.question().workflow(), hold.question().approvalId(), by, 0);
  }

  private static List<Ruling> and(List<Ruling> rulings, Ruling last) {
    List<Ruling> all = new ArrayList<>(rulings);
    all.add(last);
    return all;
  }

  private Told told(Hold hold, Fault fault) {
    return telling.tell(fault, hold.call().tongue(), hold.call().correlationId());
  }

  private ErrorTranslated translated(ResumeCall command, Fault fault, Told told) {
    return new ErrorTranslated(
        command.hold().call().callId(),
        telling.names().scrub(command.hold().asked().targets()),
        named(fault),
        told,
        0,
        null,
        waitedMillis(command));
  }

  private Fault named(Fault fault) {
    return NamesInFaults.scrubbed(fault, telling.names());
  }

  private static long waitedMillis(ResumeCall command) {
    return Math.max(
        0, Duration.between(command.hold().call().receivedAt(), command.at()).toMillis());
  }
}
