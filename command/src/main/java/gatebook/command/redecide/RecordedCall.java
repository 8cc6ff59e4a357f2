package gatebook.command.redecide;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.Withheld;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a call's decisions, and of what nobody here decided.
 *
 * @param received absent when nothing is recorded of the call's coming in
 * @param decisions in their order: the first when it came in, others when it had been held
 * @param facts sentences about what is not decided again, since somebody else decided it
 * @param undecided why there is no decision; absent when there is one
 */
public record RecordedCall(
    @Nullable CallReceived received,
    List<Decision> decisions,
    List<String> facts,
    @Nullable String undecided) {

  public RecordedCall {
    decisions = List.copyOf(decisions);
    facts = List.copyOf(facts);
  }

  /**
   * One decision of gates and inspectors.
   *
   * @param position of the event that tells of it
   * @param at when the gates were asked
   * @param rulings without that of a person
   */
  public record Decision(
      long position, String rulesHash, Instant at, List<Ruling> rulings, DecisionOutcome outcome) {
    public Decision {
      rulings = List.copyOf(rulings);
    }

    private Decision cameTo(DecisionOutcome other) {
      return new Decision(position, rulesHash, at, rulings, other);
    }
  }

  /** What the events of one call, in their order, say. */
  public static RecordedCall of(List<RecordedEvent> events) {
    Reading reading = new Reading();
    events.forEach(reading::take);
    return reading.recorded();
  }

  private static final class Reading {
    private final List<Decision> decisions = new ArrayList<>();
    private final List<String> facts = new ArrayList<>();
    private @Nullable CallReceived received;
    private @Nullable ApprovalRequested asked;
    private boolean isForwarded;
    private String undecided = "nothing is recorded of its coming in";

    RecordedCall recorded() {
      boolean isDecided = received != null && !decisions.isEmpty();
      return new RecordedCall(received, decisions, facts, isDecided ? null : undecided);
    }

    void take(RecordedEvent recordedEvent) {
      switch (recordedEvent.event()) {
        case CallReceived event -> received(event);
        case CallAdmitted event -> admitted(recordedEvent, event);
        case GateDenied event -> denied(recordedEvent, event);
        case ApprovalRequested event -> asked(recordedEvent, event);
        case ApprovalGranted event ->
            facts.add("approval: granted " + by(event.by(), "since nobody decided in time"));
        case ApprovalRejected event -> facts.add("approval: rejected by " + event.by());
        case ApprovalTimedOut _ -> facts.add("approval: nobody decided in time");
        case CallForwarded event -> forwarded(event);
        case TaskCreated event -> facts.add("caller: comes back for the outcome, " + form(event));
        case ResultKept _ -> {
          // told by the answer itself
        }
        case SourceAsked event -> facts.add("source: asked the caller for " + event.method());
        case CallerReplied event -> facts.add("caller: replied, " + event.outcome().word());
        case CallAnswered event -> answered(event);
        case ErrorTranslated event -> failed(event.fault());
        case MessageRefused event ->
            undecided = "the message never became a call: " + event.fault().kind();
        case CallAbandoned event -> facts.add("caller: gone, " + event.cause().word());
        case CallOrphaned _ -> facts.add("node: it died with the call open");
      }
    }

    private static String form(TaskCreated task) {
      return switch (task.form()) {
        case TASK -> "by a task";
        case AGAIN -> "with the same call";
      };
    }

    private void received(CallReceived event) {
      received = event;
      undecided = "no gate has been asked about it";
    }

    /** What no gate governs has no rulings. */
    private void admitted(RecordedEvent recordedEvent, CallAdmitted event) {
      if (event.rulings().isEmpty()) {
        undecided = "no gate governs it: it is answered here";
      } else if (asked == null) {
        String source = received == null ? null : received.source();
        add(
            recordedEvent,
            event.rulesHash(),
            at(recordedEvent),
            event.rulings(),
            new DecisionOutcome.Forwarded(source));
      } else {
        // the gates were asked again, under the rules of that moment
        add(
            recordedEvent,
            event.rulesHash(),
            recordedEvent.at(),
            event.rulings(),
            new DecisionOutcome.Held(asked.workflow()));
      }
    }

    private void denied(RecordedEvent recordedEvent, GateDenied event) {
      if (asked == null) {
        DecisionOutcome decisionOutcome = new DecisionOutcome.Denied(event.gate(), event.reason());
        add(recordedEvent, event.rulesHash(), at(recordedEvent), event.rulings(), decisionOutcome);
      } else {
        // by the person: what the gates said before is told again
        DecisionOutcome decisionOutcome = new DecisionOutcome.Held(asked.workflow());
        add(recordedEvent, asked.rulesHash(), at(recordedEvent), event.rulings(), decisionOutcome);
      }
    }

    private void asked(RecordedEvent recordedEvent, ApprovalRequested event) {
      asked = event;
      DecisionOutcome decisionOutcome = new DecisionOutcome.Held(event.workflow());
      add(recordedEvent, event.rulesHash(), at(recordedEvent), event.rulings(), decisionOutcome);
    }

    private Instant at(RecordedEvent recordedEvent) {
      return received == null ? recordedEvent.at() : received.receivedAt();
    }

    private void add(
        RecordedEvent recordedEvent,
        String rulesHash,
        Instant at,
        List<Ruling> rulings,
        DecisionOutcome decisionOutcome) {
      List<Ruling> decided = rulings.stream().filter(it -> !isByPerson(it)).toList();
      decisions.add(
          new Decision(recordedEvent.position(), rulesHash, at, decided, decisionOutcome));
    }

    private static boolean isByPerson(Ruling ruling) {
      return ruling instanceof Ruling.Approval approval && approval.approvalId() != null;
    }

    private void forwarded(CallForwarded event) {
      isForwarded = true;
      if (event.attempt() == 1) {
        facts.add("source: %s was asked".formatted(event.source()));
      }
    }

    private void answered(CallAnswered event) {
      if (isForwarded) {
        facts.add("source: answered with " + event.outcome().word());
      }
    }

    private void failed(Fault fault) {
      if (decisions.isEmpty()) {
        undecided =
            "no gate was asked about it: it was refused before, with %s".formatted(fault.kind());
      } else if (isForwarded) {
        facts.add("source: " + fault.kind());
      } else if (asked == null) {
        stopped(fault);
      } else if (fault instanceof Withheld.PolicyDrift drift) {
        facts.add(
            "after the approval: %s ruled otherwise under the rules %s"
                .formatted(drift.changedAt().word(), drift.rulesHashNow()));
      } else if (!(fault instanceof Denied)) {
        facts.add("after the approval: " + fault.kind());
      } else if (fault instanceof Denied.WorkflowNotFound(var workflow)) {
        facts.add("approval: the workflow %s was gone from the rules".formatted(workflow));
      }
    }

    /** Every gate let it pass, and it was not forwarded. */
    private void stopped(Fault fault) {
      switch (fault) {
        case Withheld.InspectionFailed(var inspector, _) ->
            cameTo(new DecisionOutcome.Withheld(inspector));
        case Misdirected.RateLimited _ -> noSeat("seats: too many calls of this principal waited");
        case ServerFault.ServiceUnavailable _ -> noSeat("seats: too many calls waited");
        case Denied _ -> {
          // told by the decision itself
        }
        case Fault other -> facts.add("afterwards: " + other.kind());
      }
    }

    private void noSeat(String fact) {
      cameTo(new DecisionOutcome.Held(null));
      facts.add(fact);
    }

    private void cameTo(DecisionOutcome decisionOutcome) {
      decisions.addLast(decisions.removeLast().cameTo(decisionOutcome));
    }

    private static String by(@Nullable String operator, String otherwise) {
      return operator == null ? otherwise : "by " + operator;
    }
  }
}
