package gatebook.command.call;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallState.Approval;
import gatebook.command.call.CallState.ApprovalStatus;
import gatebook.command.call.CallState.End;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.UpstreamFault;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class CallStateTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID APPROVAL = UUID.fromString("0192cccc-0000-7000-8000-0000000000ef");
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final ErrorResponse RESPONSE =
      new ErrorResponse(Dialect.MCP, -32_000, "no", null, 200);
  private static final CallReceived RECEIVED =
      ReceivedCall.of(CALL, NOON).to("demo", "deploy").under("sha256:aa").event();
  private static final Ruling HIDDEN =
      new Ruling.Visibility(
          new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.ALLOWLIST, null, 1);
  private static final ApprovalRequested REQUEST =
      new ApprovalRequested(
          CALL,
          APPROVAL,
          null,
          "ops",
          "operator",
          DIGEST,
          NOON,
          NOON.plusSeconds(600),
          null,
          OnTimeout.DENY,
          "sha256:aa",
          List.of());
  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, APPROVAL, null, "ada", null, NOON);

  @Test
  void aCallIsHeldGrantedAndForwardedTwice() {
    assertThat(
            after(
                RECEIVED,
                REQUEST,
                GRANTED,
                new CallAdmitted(CALL, "sha256:aa", List.of()),
                new CallForwarded(CALL, 1, "demo", "here", 1, null),
                new CallForwarded(CALL, 2, "demo", "here", 1, "refused")))
        .isEqualTo(
            new CallState(
                RECEIVED,
                2,
                new Approval(REQUEST, new ApprovalStatus.Granted(GRANTED)),
                null,
                List.of(),
                null));
  }

  @Test
  void anApprovalRequestWaitsUntilItIsDecided() {
    assertThat(after(RECEIVED, REQUEST).approval())
        .isEqualTo(new Approval(REQUEST, new ApprovalStatus.Waiting()));
  }

  @Test
  void aDecisionWithoutARequestChangesNothing() {
    assertThat(after(GRANTED)).isEqualTo(CallState.EMPTY);
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        Arguments.of(
            new CallAnswered(
                CALL,
                CallAnswered.Outcome.TOOL_ERROR,
                new KeptContent(1, DIGEST, null, null),
                1,
                1L,
                1),
            End.ANSWERED),
        Arguments.of(translated(new UpstreamFault.UpstreamTimeout("demo", "here", 1)), End.FAILED),
        Arguments.of(translated(new Denied.ApprovalTimeout("deploy", 600, "ops")), End.DENIED),
        Arguments.of(
            new MessageRefused(
                CALL,
                "order-7",
                Dialect.MCP,
                Transport.HTTP,
                "alice",
                null,
                1,
                new Malformed.BatchNotSupported(),
                RESPONSE),
            End.REFUSED),
        Arguments.of(
            new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, false, 1), End.ABANDONED),
        Arguments.of(new CallOrphaned(CALL, "node-2", true), End.ORPHANED));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void eachEndEventEndsTheCall(CallEnd event, End end) {
    assertThat(after(RECEIVED, event))
        .isEqualTo(new CallState(RECEIVED, 0, null, null, List.of(), event));
    assertThat(after(RECEIVED, event).end()).isEqualTo(end);
  }

  @Test
  void aDenialAloneDoesNotEndTheCall() {
    assertThat(
            after(RECEIVED, new GateDenied(CALL, "sha256:aa", "deploy", "alice", List.of(HIDDEN))))
        .isEqualTo(after(RECEIVED));
  }

  private static ErrorTranslated translated(Fault fault) {
    return new ErrorTranslated(CALL, "deploy", fault, RESPONSE, 0, null, 1);
  }

  private static CallState after(CallEvent... events) {
    CallState state = CallState.EMPTY;
    for (CallEvent event : events) {
      state = state.evolve(event);
    }
    return state;
  }
}
