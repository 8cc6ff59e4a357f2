package gatebook.query.call;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.UpstreamFault;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class CallSummaryTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final String AT = "2026-01-02T03:04:05.000000006Z";

  record ExpectedSummary(
      CallStatus status, @Nullable Gate gate, @Nullable Integer code, @Nullable String fault) {
    static ExpectedSummary withStatus(CallStatus callStatus) {
      return new ExpectedSummary(callStatus, null, null, null);
    }
  }

  static List<Arguments> summaries() {
    Fault denied = new Denied.ToolNotExposed("rm", null);
    Fault timeout = new UpstreamFault.UpstreamTimeout("files", "http://files", 1000);
    return List.of(
        summary(ExpectedSummary.withStatus(CallStatus.HELD), admitted()),
        summary(ExpectedSummary.withStatus(CallStatus.FORWARDED), admitted(), forwarded()),
        summary(
            ExpectedSummary.withStatus(CallStatus.ANSWERED),
            admitted(),
            forwarded(),
            CallViewsTest.answered()),
        summary(
            new ExpectedSummary(CallStatus.DENIED, Gate.VISIBILITY, -32015, "ToolNotExposed"),
            gateDenied(),
            translated(denied, -32015)),
        summary(
            new ExpectedSummary(CallStatus.FAILED, null, -32001, "UpstreamTimeout"),
            admitted(),
            forwarded(),
            translated(timeout, -32001)),
        summary(
            new ExpectedSummary(CallStatus.REFUSED, null, -32009, "RateLimited"),
            translated(new Misdirected.RateLimited(Misdirected.Limit.RATE, 1L), -32009)),
        summary(
            new ExpectedSummary(CallStatus.REFUSED, null, -32009, "RateLimited"),
            admitted(),
            translated(new Misdirected.RateLimited(Misdirected.Limit.BUDGET, 1L), -32009)),
        summary(
            new ExpectedSummary(CallStatus.FAILED, null, -32009, "RateLimited"),
            forwarded(),
            translated(new Misdirected.RateLimited(Misdirected.Limit.UPSTREAM, 1L), -32009)),
        summary(
            ExpectedSummary.withStatus(CallStatus.ABANDONED), admitted(), forwarded(), abandoned()),
        summary(
            ExpectedSummary.withStatus(CallStatus.ORPHANED),
            forwarded(),
            new CallOrphaned(CALL, "node-2", true)));
  }

  @ParameterizedTest
  @MethodSource("summaries")
  void theEventsProduceTheSummary(ExpectedSummary expected, List<CallEvent> events) {
    CallSummary callSummary = new CallSummary(CALL);
    events.forEach(event -> callSummary.apply(event, AT));

    CallView callView = callSummary.toView(List.of());

    assertThat(
            new ExpectedSummary(
                callView.status(), callView.gate(), callView.code(), callView.fault()))
        .isEqualTo(expected);
  }

  @Test
  void aRefusedMessageHasASummary() {
    CallSummary callSummary = new CallSummary(CALL);
    Malformed fault = new Malformed.BatchNotSupported();

    callSummary.apply(
        new MessageRefused(
            CALL,
            "order-7",
            Dialect.FLOW,
            Transport.HTTP,
            "alice",
            null,
            17,
            fault,
            errorResponse(-32600)),
        AT);

    assertThat(callSummary.toView(List.of()))
        .isEqualTo(
            new CallView(
                CALL,
                "order-7",
                Dialect.FLOW,
                null,
                null,
                "alice",
                CallStatus.REFUSED,
                null,
                -32600,
                "BatchNotSupported",
                AT,
                null,
                List.of()));
  }

  private static Arguments summary(ExpectedSummary expectedSummary, CallEvent... events) {
    return Arguments.of(expectedSummary, Stream.of(events).toList());
  }

  private static CallAdmitted admitted() {
    return new CallAdmitted(CALL, "rules", List.of());
  }

  private static CallForwarded forwarded() {
    return new CallForwarded(CALL, 1, "files", "http://files", 1000, null);
  }

  private static CallAbandoned abandoned() {
    return new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, true, 12);
  }

  private static GateDenied gateDenied() {
    Verdict no = new Verdict.Deny(DenialReason.NOT_EXPOSED, null);
    return new GateDenied(
        CALL,
        "rules",
        "rm",
        "alice",
        List.of(new Ruling.Visibility(no, Exposure.ALLOWLIST, null, 1)));
  }

  private static ErrorTranslated translated(Fault fault, int code) {
    return new ErrorTranslated(CALL, "rm", fault, errorResponse(code), 0, null, 3);
  }

  private static ErrorResponse errorResponse(int code) {
    return new ErrorResponse(Dialect.MCP, code, "no", null, 200);
  }
}
