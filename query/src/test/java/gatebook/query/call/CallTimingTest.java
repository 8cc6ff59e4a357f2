package gatebook.query.call;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ReceivedCall;
import gatebook.events.SourceAsked;
import gatebook.events.call.Action;
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
import gatebook.events.fault.Malformed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CallTimingTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Instant RECEIVED_AT = Instant.parse("2026-01-02T03:04:05.000000001Z");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final KeptContent KEPT = new KeptContent(2, DIGEST, null, null);

  private final List<CallTiming.TimedEvent> events = new ArrayList<>();

  @Test
  void aDeniedCallIsDividedBetweenGatesAndNode() {
    at(56_400, received(), denied(30, 20, 52_000), translated(56));

    assertThat(shares()).containsExactly("", "gate 30, gate 20, gate 52000, node 4350", "");
  }

  @Test
  void anAnsweredCallIsDividedBetweenUpstreamAndNode() {
    at(2_000, received(), admitted(30, 20), forwarded(1));
    at(110_300, answered(110, 100L));

    assertThat(shares())
        .containsExactly("", "gate 30, gate 20, node 1950", "", "node 8300, upstream 100000");
  }

  @Test
  void theUpstreamHasACallDuringItsRetries() {
    at(2_000, received(), admitted(), forwarded(1));
    at(53_000, forwarded(2));
    at(110_000, answered(110, 100L));

    assertThat(shares())
        .containsExactly("", "node 2000", "", "node 8000, upstream 43000", "upstream 57000");
  }

  @Test
  void theApproverHasTheCallUntilTheDecision() {
    at(2_000, received(), approvalRequested(30, 20));
    at(9_002_000, granted());
    at(9_010_000, admitted(40, 10), forwarded(1));
    at(9_100_500, answered(9_100, 80L));

    assertThat(shares())
        .containsExactly(
            "",
            "gate 30, gate 20, node 1950",
            "person 9000000",
            "gate 40, gate 10, node 7950",
            "",
            "node 10500, upstream 80000");
  }

  @Test
  void repeatedRulingsTakeNoTime() {
    at(2_000, received(), approvalRequested(30, 20));
    at(9_002_000, rejected());
    at(9_010_000, denied(30, 20), translated(9_009));

    assertThat(shares())
        .containsExactly("", "gate 30, gate 20, node 1950", "person 9000000", "node 7999", "");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theApproverHasTheCallUntilTimeoutOrAbandonment(boolean timedOut) {
    at(2_000, received(), approvalRequested());
    if (timedOut) {
      at(600_000, timedOut(), denied(1), translated(600));
    } else {
      at(600_000, new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 600));
    }

    assertThat(shares()).startsWith("", "node 2000", "person 598000");
  }

  @Test
  void theCallerHasTheCallDuringAQuestion() {
    at(1_000, received(), admitted(), forwarded(1));
    at(11_000, question("a"));
    at(12_000, question("b"));
    at(15_000, reply("a"));
    at(21_000, reply("b"));
    at(31_000, answered(31, 30L));

    assertThat(shares())
        .containsExactly(
            "",
            "node 1000",
            "",
            "upstream 10000",
            "caller 1000",
            "caller 3000",
            "caller 6000",
            "upstream 10000");
  }

  @Test
  void withoutUpstreamTimeTheUpstreamHasTheCallSinceForwarding() {
    at(1_000, received(), admitted(), forwarded(1));
    at(90_000, new CallAbandoned(CALL, CallAbandoned.Cause.CANCELLED, true, 89));

    assertThat(shares()).containsExactly("", "node 1000", "", "upstream 88999");
  }

  @Test
  void anOpenCallIsTimedUpToItsNewestEvent() {
    at(2_000, received(), approvalRequested(30));
    at(9_002_000, granted());

    assertThat(shares()).containsExactly("", "gate 30, node 1970", "person 9000000");
  }

  @Test
  void anOrphanedCallIsTimedUpToItsClosing() {
    at(1_000, received(), admitted(), forwarded(1));
    at(90_000, new CallOrphaned(CALL, "node-2", true));

    assertThat(shares()).containsExactly("", "node 1000", "", "upstream 89000");
  }

  @Test
  void aRefusedMessageHasNoTime() {
    at(7, refused());

    assertThat(shares()).containsExactly("");
  }

  @Test
  void anUnreadableEventHasATime() {
    at(2_000, received());
    events.add(new CallTiming.TimedEvent(Optional.empty(), time(3_000)));
    at(4_000, translated(4));

    assertThat(shares()).containsExactly("", "node 3000", "node 1000");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 400, 400",
    "0, 999, 999",
    "0, 1700, 999",
    "0, 2000, 0",
    "3, 3000, 3000",
    "3, 2999, 3000",
    "3, 3999, 3999",
    "3, 4999, 3999",
    "3, 5000, 3000",
  })
  void theEndIsRefinedByTheEventsTime(long millis, long at, long micros) {
    at(at, received(), translated(millis));

    assertThat(shares()).containsExactly("", micros == 0 ? "" : "node " + micros);
  }

  @Test
  void noPartExceedsTheCallWhenClocksDisagree() {
    at(-5_000, received(), denied(900, 700_000), translated(2));

    assertThat(shares()).containsExactly("", "gate 0, gate 0", "node 2000");
  }

  @Test
  void gateTimesAreCappedToTheAvailableTime() {
    at(2_500, received(), denied(900, 700_000), translated(2));

    assertThat(shares()).containsExactly("", "gate 900, gate 1600", "");
  }

  /** Random event times, and ends with random durations. */
  @RepeatedTest(200)
  void allPartsOfACallAddUpToItsDuration(RepetitionInfo repetition) {
    var random = new java.util.Random(repetition.getCurrentRepetition());
    long total = random.nextLong(300);
    at(random.nextLong(-50_000, 300_000), received());
    for (int i = random.nextInt(6); i > 0; i--) {
      at(random.nextLong(-50_000, 300_000), any(random.nextInt(8), random.nextLong(100_000)));
    }
    at(
        random.nextLong(-50_000, 300_000),
        random.nextBoolean()
            ? answered(total, random.nextBoolean() ? random.nextLong(400) : null)
            : translated(total));

    List<List<TimeShare>> shares = CallTiming.of(events);
    assertThat(shares).hasSameSizeAs(events);
    assertThat(shares.stream().flatMap(List::stream)).allMatch(part -> part.micros() >= 0);
    assertThat(shares.stream().flatMap(List::stream).mapToLong(TimeShare::micros).sum() / 1_000)
        .isEqualTo(total);
  }

  private static CallEvent any(int kind, long micros) {
    return switch (kind) {
      case 0 -> admitted(micros, micros / 2);
      case 1 -> denied(micros);
      case 2 -> approvalRequested(micros, 1);
      case 3 -> granted();
      case 4 -> forwarded(1);
      case 5 -> question("a");
      case 6 -> reply("a");
      default -> rejected();
    };
  }

  private List<String> shares() {
    return CallTiming.of(events).stream().map(CallTimingTest::shown).toList();
  }

  private static String shown(List<TimeShare> parts) {
    return parts.stream()
        .map(part -> part.on().word() + " " + part.micros())
        .collect(Collectors.joining(", "));
  }

  private void at(long micros, CallEvent... recordedTogether) {
    for (CallEvent event : recordedTogether) {
      events.add(new CallTiming.TimedEvent(Optional.of(event), time(micros)));
    }
  }

  private static String time(long micros) {
    return RECEIVED_AT.plus(micros, ChronoUnit.MICROS).toString();
  }

  private static CallReceived received() {
    return ReceivedCall.of(CALL, RECEIVED_AT).to("files", "rm").event();
  }

  private static List<Ruling> rulings(long... micros) {
    List<Ruling> rulings = new ArrayList<>();
    for (long took : micros) {
      rulings.add(new Ruling.Visibility(new Verdict.Pass(), Exposure.ALL, null, took));
    }
    return rulings;
  }

  private static CallAdmitted admitted(long... micros) {
    return new CallAdmitted(CALL, "rules", rulings(micros));
  }

  private static GateDenied denied(long... micros) {
    List<Ruling> rulings = rulings(micros);
    long took = rulings.removeLast().tookMicros();
    rulings.add(
        new Ruling.Governance(
            new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "rm", took));
    return new GateDenied(CALL, "rules", "rm", "alice", rulings);
  }

  private static ApprovalRequested approvalRequested(long... micros) {
    return new ApprovalRequested(
        CALL,
        CALL,
        null,
        "ops",
        "operator",
        DIGEST,
        RECEIVED_AT,
        RECEIVED_AT.plusSeconds(600),
        null,
        ApprovalRequested.OnTimeout.DENY,
        "rules",
        rulings(micros));
  }

  private static ApprovalGranted granted() {
    return new ApprovalGranted(CALL, CALL, null, "bob", null, RECEIVED_AT);
  }

  private static ApprovalRejected rejected() {
    return new ApprovalRejected(CALL, CALL, null, "bob", null, RECEIVED_AT);
  }

  private static ApprovalTimedOut timedOut() {
    return new ApprovalTimedOut(CALL, CALL, null, RECEIVED_AT, 600);
  }

  private static CallForwarded forwarded(int attempt) {
    return new CallForwarded(CALL, attempt, "files", "http://files", 1_000, null);
  }

  private static SourceAsked question(String id) {
    return new SourceAsked(CALL, "files", id, "elicitation/create", null);
  }

  private static CallerReplied reply(String id) {
    return new CallerReplied(CALL, "files", id, CallerReplied.Outcome.RESULT, KEPT);
  }

  private static CallAnswered answered(long totalMillis, @Nullable Long upstreamMillis) {
    return new CallAnswered(
        CALL, CallAnswered.Outcome.SUCCESS, KEPT, 1, upstreamMillis, totalMillis);
  }

  private static ErrorTranslated translated(long totalMillis) {
    return new ErrorTranslated(
        CALL, "rm", new Denied.ToolNotExposed("rm", null), errorResponse(), 0, null, totalMillis);
  }

  private static MessageRefused refused() {
    return new MessageRefused(
        CALL,
        "order-7",
        Dialect.FLOW,
        Transport.HTTP,
        "alice",
        null,
        17,
        new Malformed.BatchNotSupported(),
        errorResponse());
  }

  private static ErrorResponse errorResponse() {
    return new ErrorResponse(Dialect.MCP, -32_015, "no", null, 200);
  }
}
