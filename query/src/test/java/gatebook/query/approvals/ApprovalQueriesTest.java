package gatebook.query.approvals;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.fault.UpstreamFault;
import gatebook.query.FollowedJournal;
import gatebook.query.approvals.ApprovalQuestion.ApprovalStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
final class ApprovalQueriesTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final Instant LATER = AT.plusSeconds(30);
  private static final UUID FIRST = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID SECOND = UUID.fromString("0192bbbb-0000-7000-8000-000000000001");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final KeptContent ARGUMENTS =
      new KeptContent(9, DIGEST, JsonValue.parse("{\"a\":1}"), null);

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private ApprovalQueries approvalQueries;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    approvalQueries = followed.follow(ApprovalQueries::follow, it -> it.view().close());
  }

  @Test
  void waitingQuestionsAreListedOldestFirst() throws InterruptedException {
    append(received(SECOND), approvalRequested(SECOND));
    append(received(FIRST), approvalRequested(FIRST));

    assertThat(approvalQueries.handle(new ListApprovals(false, 10)))
        .isEqualTo(new ApprovalQueries.Page(List.of(waiting(FIRST), waiting(SECOND)), false));
    assertThat(approvalQueries.handle(new ListApprovals(false, 1)))
        .isEqualTo(new ApprovalQueries.Page(List.of(waiting(FIRST)), true));
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        Arguments.of(
            new ApprovalGranted(FIRST, FIRST, null, "ada", "fine", LATER),
            ApprovalStatus.GRANTED,
            "ada",
            "fine",
            LATER),
        Arguments.of(
            new ApprovalRejected(FIRST, FIRST, null, "ada", null, LATER),
            ApprovalStatus.REJECTED,
            "ada",
            null,
            LATER),
        Arguments.of(
            new ApprovalTimedOut(FIRST, FIRST, null, LATER, 1),
            ApprovalStatus.TIMED_OUT,
            null,
            null,
            LATER),
        Arguments.of(
            new CallAbandoned(FIRST, CallAbandoned.Cause.RESTARTED, false, 1),
            ApprovalStatus.CALL_ENDED,
            null,
            null,
            null),
        Arguments.of(
            new CallOrphaned(FIRST, "node-2", false), ApprovalStatus.CALL_ENDED, null, null, null),
        Arguments.of(failed(FIRST), ApprovalStatus.CALL_ENDED, null, null, null));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void decidedOrObsoleteQuestionsLeaveTheList(
      Event end,
      ApprovalStatus approvalStatus,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant at)
      throws InterruptedException {
    append(received(FIRST), approvalRequested(FIRST), received(SECOND), approvalRequested(SECOND));
    assertThat(approvalQueries.handle(new ListApprovals(false, 10)).questions()).hasSize(2);

    append(end);

    ApprovalQuestion closed = question(FIRST, approvalStatus, by, reason, at);
    assertThat(approvalQueries.handle(new ListApprovals(false, 10)))
        .isEqualTo(new ApprovalQueries.Page(List.of(waiting(SECOND)), false));
    assertThat(approvalQueries.handle(new ListApprovals(true, 10)))
        .isEqualTo(new ApprovalQueries.Page(List.of(closed), false));
    assertThat(approvalQueries.of(FIRST)).contains(closed);
  }

  @Test
  void aDecisionRemainsWhenItsCallEnds() throws InterruptedException {
    append(received(FIRST), approvalRequested(FIRST));
    append(new ApprovalRejected(FIRST, FIRST, null, "ada", null, LATER), failed(FIRST));

    assertThat(approvalQueries.handle(new ListApprovals(true, 10)).questions())
        .containsExactly(question(FIRST, ApprovalStatus.REJECTED, "ada", null, LATER));
  }

  @Test
  void callsWithoutApprovalAreNotListed() throws InterruptedException {
    append(received(FIRST), failed(FIRST));

    assertThat(approvalQueries.handle(new ListApprovals(false, 10)))
        .isEqualTo(new ApprovalQueries.Page(List.of(), false));
    assertThat(approvalQueries.handle(new ListApprovals(true, 10)))
        .isEqualTo(new ApprovalQueries.Page(List.of(), false));
    assertThat(approvalQueries.of(FIRST)).isEmpty();
    assertThat(approvalQueries.of(SECOND)).isEmpty();
  }

  @Test
  void theViewIsRebuiltWithTheSameContent() throws Exception {
    append(received(FIRST), approvalRequested(FIRST), received(SECOND), approvalRequested(SECOND));
    append(new ApprovalGranted(FIRST, FIRST, null, "ada", "fine", LATER));
    ApprovalQueries.Page waiting = approvalQueries.handle(new ListApprovals(false, 10));
    ApprovalQueries.Page closed = approvalQueries.handle(new ListApprovals(true, 10));
    followed.close();
    Files.delete(directory.resolve("views.mv.db"));
    open();

    assertThat(approvalQueries.handle(new ListApprovals(false, 10))).isEqualTo(waiting);
    assertThat(approvalQueries.handle(new ListApprovals(true, 10))).isEqualTo(closed);
  }

  private void append(Event... events) {
    followed.append(AT, events);
  }

  private static ApprovalQuestion waiting(UUID call) {
    return question(call, ApprovalStatus.WAITING, null, null, null);
  }

  private static ApprovalQuestion question(
      UUID call,
      ApprovalStatus approvalStatus,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant decidedAt) {
    return new ApprovalQuestion(
        call,
        call,
        null,
        "order-7",
        "delete_file",
        "alice",
        ARGUMENTS,
        "ops",
        AT,
        AT.plusSeconds(600),
        AT.plusSeconds(300),
        approvalStatus,
        by,
        reason,
        decidedAt);
  }

  private static ErrorTranslated failed(UUID call) {
    return new ErrorTranslated(
        call,
        "delete_file",
        new UpstreamFault.UpstreamTimeout("files", "here", 1),
        new ErrorResponse(Dialect.MCP, -32_001, "no", null, 200),
        0,
        null,
        1);
  }

  private static CallReceived received(UUID call) {
    return ReceivedCall.of(call, AT).to("files", "delete_file").with(ARGUMENTS, null).event();
  }

  private static ApprovalRequested approvalRequested(UUID call) {
    return new ApprovalRequested(
        call,
        call,
        null,
        "ops",
        "operator",
        DIGEST,
        AT,
        AT.plusSeconds(600),
        AT.plusSeconds(300),
        OnTimeout.DENY,
        "rules",
        List.of());
  }
}
