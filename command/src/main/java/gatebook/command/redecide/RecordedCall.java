package gatebook.command.redecide;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalEvent;
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
 * The recorded decisions of a call, and recorded facts that were not decided here.
 *
 * @param received absent when the call's receipt is not recorded
 * @param decisions in their order: the first on receipt, others after the call was held
 * @param facts sentences about what is not redecided, since it was decided elsewhere
 * @param undecided why there is no decision; absent when there is one
 * @param isAnsweredHere whether no gate governs it, and it was answered by the gateway
 * @param approval the request to a person; absent when there was none
 * @param answer the decision on that request; absent when there was none
 * @param error with which the call ended before a source was asked; absent when it did not
 */
public record RecordedCall(
    @Nullable CallReceived received,
    List<RecordedDecision> decisions,
    List<String> facts,
    @Nullable String undecided,
    boolean isAnsweredHere,
    @Nullable ApprovalRequested approval,
    @Nullable ApprovalEvent answer,
    @Nullable ErrorTranslated error) {

  public RecordedCall {
    decisions = List.copyOf(decisions);
    facts = List.copyOf(facts);
  }

  /**
   * One decision of gates and inspectors.
   *
   * @param position of the event that records it
   * @param at when the gates were asked
   * @param rulings without that of a person
   * @param logicVersion of the gates' logic, 0 in events from before it was recorded
   */
  public record RecordedDecision(
      long position,
      String rulesHash,
      Instant at,
      List<Ruling> rulings,
      DecisionOutcome outcome,
      int logicVersion) {
    public RecordedDecision {
      rulings = List.copyOf(rulings);
    }

    private RecordedDecision withOutcome(DecisionOutcome other) {
      return new RecordedDecision(position, rulesHash, at, rulings, other, logicVersion);
    }
  }

  /** Reads the events of one call, in their order. */
  public static RecordedCall of(List<RecordedEvent> events) {
    Builder builder = new Builder();
    events.forEach(builder::add);
    return builder.build();
  }

  private static final class Builder {
    private final List<RecordedDecision> decisions = new ArrayList<>();
    private final List<String> facts = new ArrayList<>();
    private @Nullable CallReceived received;
    private @Nullable ApprovalRequested approvalRequest;
    private @Nullable ApprovalEvent answer;
    private @Nullable ErrorTranslated error;
    private boolean isForwarded;
    private boolean isAnsweredHere;
    private String undecided = "its receipt is not recorded";

    RecordedCall build() {
      boolean isDecided = received != null && !decisions.isEmpty();
      return new RecordedCall(
          received,
          decisions,
          facts,
          isDecided ? null : undecided,
          isAnsweredHere,
          approvalRequest,
          answer,
          error);
    }

    void add(RecordedEvent recordedEvent) {
      switch (recordedEvent.event()) {
        case CallReceived event -> received(event);
        case CallAdmitted event -> admitted(recordedEvent, event);
        case GateDenied event -> denied(recordedEvent, event);
        case ApprovalRequested event -> approvalRequested(recordedEvent, event);
        case ApprovalGranted event ->
            answered(event, "granted " + by(event.by(), "since no operator decided in time"));
        case ApprovalRejected event -> answered(event, "rejected by " + event.by());
        case ApprovalTimedOut event -> answered(event, "no operator decided in time");
        case CallForwarded event -> forwarded(event);
        case TaskCreated event -> facts.add("caller: gets the outcome later, " + form(event));
        case AgentTaskCreated(_, _, _, var task, var context, _, _, _, _)
            when task == null && context == null -> {
          // TaskCreated gives the fact
        }
        case AgentTaskCreated event -> facts.add("agent: works on a task of " + event.principal());
        case ResultKept _ -> {
          // CallAnswered gives the fact
        }
        case SourceAsked event -> facts.add("source: asked the caller for " + event.method());
        case CallerReplied event -> facts.add("caller: replied, " + event.outcome().word());
        case CallAnswered event -> answered(event);
        case ErrorTranslated event -> failed(event);
        case MessageRefused event ->
            undecided = "the message never became a call: " + event.fault().kind();
        case CallAbandoned event -> facts.add("caller: gone, " + event.cause().word());
        case CallOrphaned _ -> facts.add("node: died while the call was open");
      }
    }

    private static String form(TaskCreated task) {
      return switch (task.form()) {
        case TASK -> "by a task";
        case AGAIN -> "by repeating the call";
        case OWN -> "by the task that it runs";
      };
    }

    private void received(CallReceived event) {
      received = event;
      undecided = "no gate has been asked about it";
    }

    /** A call that no gate governs has no rulings. */
    private void admitted(RecordedEvent recordedEvent, CallAdmitted event) {
      if (event.rulings().isEmpty()) {
        isAnsweredHere = true;
        undecided = "no gate governs it: it is answered here";
      } else if (approvalRequest == null) {
        String source = received == null ? null : received.source();
        add(
            recordedEvent,
            event.rulesHash(),
            at(recordedEvent),
            event.rulings(),
            new DecisionOutcome.Forwarded(source),
            event.logicVersion());
      } else {
        // the gates were asked again, under the rules of that moment
        add(
            recordedEvent,
            event.rulesHash(),
            recordedEvent.at(),
            event.rulings(),
            new DecisionOutcome.Held(approvalRequest.workflow()),
            event.logicVersion());
      }
    }

    private void denied(RecordedEvent recordedEvent, GateDenied event) {
      if (approvalRequest == null) {
        DecisionOutcome decisionOutcome = new DecisionOutcome.Denied(event.gate(), event.reason());
        add(
            recordedEvent,
            event.rulesHash(),
            at(recordedEvent),
            event.rulings(),
            decisionOutcome,
            event.logicVersion());
      } else {
        // denied by the approval: the event repeats the gates' earlier rulings
        DecisionOutcome decisionOutcome = new DecisionOutcome.Held(approvalRequest.workflow());
        add(
            recordedEvent,
            approvalRequest.rulesHash(),
            at(recordedEvent),
            event.rulings(),
            decisionOutcome,
            approvalRequest.logicVersion());
      }
    }

    private void approvalRequested(RecordedEvent recordedEvent, ApprovalRequested event) {
      approvalRequest = event;
      DecisionOutcome decisionOutcome = new DecisionOutcome.Held(event.workflow());
      add(
          recordedEvent,
          event.rulesHash(),
          at(recordedEvent),
          event.rulings(),
          decisionOutcome,
          event.logicVersion());
    }

    private Instant at(RecordedEvent recordedEvent) {
      return received == null ? recordedEvent.at() : received.receivedAt();
    }

    private void add(
        RecordedEvent recordedEvent,
        String rulesHash,
        Instant at,
        List<Ruling> rulings,
        DecisionOutcome decisionOutcome,
        @Nullable Integer logicVersion) {
      boolean hasPerson = rulings.stream().anyMatch(Builder::isByPerson);
      List<Ruling> decided =
          hasPerson ? rulings.stream().filter(it -> !isByPerson(it)).toList() : rulings;
      decisions.add(
          new RecordedDecision(
              recordedEvent.position(),
              rulesHash,
              at,
              decided,
              decisionOutcome,
              logicVersion == null ? 0 : logicVersion));
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

    private void answered(ApprovalEvent event, String fact) {
      answer = event;
      facts.add("approval: " + fact);
    }

    private void failed(ErrorTranslated event) {
      Fault fault = event.fault();
      error = isForwarded ? null : event;
      if (decisions.isEmpty()) {
        undecided =
            "no gate was asked about it: it was refused before, with %s".formatted(kind(fault));
      } else if (isForwarded) {
        facts.add("source: " + fault.kind());
      } else if (approvalRequest == null) {
        notForwarded(fault);
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

    private static String kind(Fault fault) {
      return fault instanceof Misdirected.RateLimited(Misdirected.Limit limit, _)
          ? "%s (%s)".formatted(fault.kind(), limit.word())
          : fault.kind();
    }

    /** Every gate let it pass, and it was not forwarded. */
    private void notForwarded(Fault fault) {
      switch (fault) {
        case Withheld.InspectionFailed(var inspector, _) ->
            replaceOutcome(new DecisionOutcome.Withheld(inspector));
        case Misdirected.RateLimited(Misdirected.Limit limit, _) -> rateLimited(limit);
        case ServerFault.ServiceUnavailable _ -> quotaFull("hold quota: too many calls were held");
        case Denied _ -> {
          // GateDenied gives the decision
        }
        case Misdirected.InvalidParams other -> {
          replaceOutcome(new DecisionOutcome.NotDenied());
          facts.add("afterwards: " + other.kind());
        }
        case Fault other -> facts.add("afterwards: " + other.kind());
      }
    }

    private void rateLimited(Misdirected.Limit limit) {
      switch (limit) {
        case HELD_CALLS -> quotaFull("hold quota: too many calls of this principal were held");
        case RATE -> notCounted("the rate was reached");
        case CONCURRENCY -> notCounted("too many calls ran at the same time");
        case BUDGET -> notCounted("the calls of the day were used up");
        case UPSTREAM -> notCounted("a limit of the source was reached");
      }
    }

    private void notCounted(String why) {
      replaceOutcome(new DecisionOutcome.NotDenied());
      facts.add("quota: " + why);
    }

    private void quotaFull(String fact) {
      replaceOutcome(new DecisionOutcome.Held(null));
      facts.add(fact);
    }

    private void replaceOutcome(DecisionOutcome decisionOutcome) {
      decisions.addLast(decisions.removeLast().withOutcome(decisionOutcome));
    }

    private static String by(@Nullable String operator, String otherwise) {
      return operator == null ? otherwise : "by " + operator;
    }
  }
}
