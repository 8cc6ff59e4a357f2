package gatebook.api.operator.redecide;

import gatebook.api.operator.redecide.RedecidedCall.State;
import gatebook.api.operator.redecide.RedecidedCall.Step;
import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.GateDenied;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.query.call.CallHistory.Moment;
import gatebook.query.call.CallView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Builds the steps of a call: its events in order, each with the state known after it. */
final class CallSteps {

  private @Nullable String source;
  private @Nullable String rulesHash;
  private @Nullable String workflow;
  private @Nullable String approval;
  private @Nullable Integer attempts;

  private CallSteps() {}

  static List<Step> of(List<Moment> moments) {
    CallSteps callSteps = new CallSteps();
    List<Step> steps = new ArrayList<>();
    long before = 0;
    for (Moment moment : moments) {
      moment.event().ifPresent(callSteps::apply);
      long millis = TimeUnit.MICROSECONDS.toMillis(moment.sinceBeginMicros());
      steps.add(
          new Step(
              moment.position(),
              moment.name(),
              moment.at(),
              millis - before,
              callSteps.state(moment.call())));
      before = millis;
    }
    return steps;
  }

  private void apply(CallEvent event) {
    switch (event) {
      case CallReceived received -> {
        rulesHash = received.rulesHash();
        source = received.source();
      }
      case CallAdmitted admitted -> rulesHash = admitted.rulesHash();
      case GateDenied denied -> rulesHash = denied.rulesHash();
      case ApprovalRequested asked -> {
        rulesHash = asked.rulesHash();
        workflow = asked.workflow();
        approval = "waiting";
      }
      case ApprovalGranted granted -> approval = approvalText("granted", granted.by());
      case ApprovalRejected rejected -> approval = approvalText("rejected", rejected.by());
      case ApprovalTimedOut _ -> approval = "timed out";
      case CallForwarded forwarded -> {
        source = forwarded.source();
        attempts = forwarded.attempt();
      }
      case CallEnd _ -> {
        // the view of the call says how it ended
      }
      case TaskCreated _, ResultKept _, AgentTaskCreated _, SourceAsked _, CallerReplied _ -> {
        // these events decide nothing
      }
    }
  }

  private static String approvalText(String how, @Nullable String by) {
    return by == null ? how : how + " by " + by;
  }

  private State state(CallView callView) {
    return new State(
        callView.status(),
        callView.gate(),
        callView.code(),
        callView.fault(),
        callView.principal(),
        callView.target(),
        source,
        rulesHash,
        workflow,
        approval,
        attempts,
        callView.durationMillis());
  }
}
