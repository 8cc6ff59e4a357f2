package gatebook.query.calls;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.KeptContent;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.query.FollowedJournal;
import gatebook.query.projection.EventReader;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
final class OpenCallTableTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID LATER = UUID.fromString("0192bbbb-0000-7000-8000-000000000001");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private Journal journal;
  private CallQueries callQueries;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    journal = followed.journal();
    callQueries = followed.follow(CallQueries::follow, it -> it.view().close());
  }

  @Test
  void anOpenCallReportsItsProgress() throws InterruptedException {
    append(received(CALL, "1"));
    append(received(LATER, "1"), approvalRequested(LATER));
    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls())
        .containsExactly(open(CALL, null, false, false), open(LATER, "task-9", false, true));

    append(forwarded(CALL));
    append(granted(LATER));

    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls())
        .containsExactly(open(CALL, null, true, false), open(LATER, "task-9", false, false));
  }

  static Stream<Event> ends() {
    return Stream.of(
        new CallAnswered(
            CALL, CallAnswered.Outcome.SUCCESS, new KeptContent(2, DIGEST, null, null), 1, 5L, 7),
        new ErrorTranslated(
            CALL,
            "delete_file",
            new UpstreamFault.UpstreamTimeout("files", "here", 1),
            new ErrorResponse(Dialect.MCP, -32_001, "no", null, 200),
            1,
            1L,
            1),
        new CallAbandoned(CALL, CallAbandoned.Cause.RESTARTED, false, 1),
        new CallOrphaned(CALL, "node-2", false));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aCallThatEndedIsNotOpen(Event end) throws InterruptedException {
    append(received(CALL, "1"));
    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls()).hasSize(1);

    append(end);
    append(received(LATER, "1"), end);

    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls())
        .extracting(OpenCall::callId)
        .containsExactly(LATER);
  }

  @Test
  void aNotificationIsOpenOnlyAfterForwarding() throws InterruptedException {
    append(received(CALL, null));
    append(received(LATER, null), forwarded(LATER));

    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls())
        .containsExactly(open(LATER, null, true, false));

    append(forwarded(CALL));
    append(new CallOrphaned(LATER, "node-2", true));

    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls())
        .containsExactly(open(CALL, null, true, false));
  }

  @Test
  void openCallsAreStillOpenAfterARestart() throws InterruptedException {
    append(received(CALL, "1"));
    List<OpenCall> before = callQueries.handle(new ListOpenCalls(journal.head())).calls();
    followed.close();
    open();

    assertThat(callQueries.handle(new ListOpenCalls(journal.head())).calls()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aCallWithinOnePageCausesNoStatement(Event end) throws Exception {
    append(received(CALL, "1"), forwarded(CALL), end);

    EventReader reader = new EventReader();
    try (CallTable stories = new CallTable(untouched())) {
      for (Entry entry : journal.read(0, 3)) {
        CallTable.Row row = Objects.requireNonNull(stories.find(CALL, entry));
        row.apply((CallEvent) reader.read(entry), entry);
      }
      OpenCallTable.write(untouched(), stories.touched());
    }
  }

  private static Connection untouched() {
    return (Connection)
        Proxy.newProxyInstance(
            OpenCallTableTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, _) -> {
              throw new AssertionError(method);
            });
  }

  private void append(Event... events) {
    followed.append(AT, events);
  }

  private static OpenCall open(UUID call, @Nullable String task, boolean forwarded, boolean held) {
    return new OpenCall(call, "order-7", "node-1", AT, task, forwarded, held);
  }

  private static CallReceived received(UUID call, @Nullable String rpcId) {
    return ReceivedCall.of(call, AT).rpcId(rpcId).to("files", "delete_file").event();
  }

  private static CallForwarded forwarded(UUID call) {
    return new CallForwarded(call, 1, "files", "http://files", 1000, null);
  }

  private static ApprovalGranted granted(UUID call) {
    return new ApprovalGranted(call, call, "task-9", "ada", null, AT);
  }

  private static ApprovalRequested approvalRequested(UUID call) {
    return new ApprovalRequested(
        call,
        call,
        "task-9",
        "ops",
        "operator",
        DIGEST,
        AT,
        AT,
        null,
        ApprovalRequested.OnTimeout.DENY,
        "rules",
        List.of());
  }
}
