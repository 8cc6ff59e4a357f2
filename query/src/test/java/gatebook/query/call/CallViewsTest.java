package gatebook.query.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.events.ApprovalRequested;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.FollowedJournal;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallKeys;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.FindCallIds;
import gatebook.query.calls.FindCallRows;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.ListCalls;
import gatebook.query.calls.LookupResult;
import gatebook.query.projection.ViewStatus;
import gatebook.query.terms.StoredOccurrences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CallViewsTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID LATER_CALL = UUID.fromString("0192bbbb-0000-7000-8000-000000000001");
  private static final UUID APPROVAL = UUID.fromString("0192cccc-0000-7000-8000-0000000000ef");
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));

  @TempDir private Path directory;

  @AutoClose private FollowedJournal followed;
  private CallQueries callQueries;

  @BeforeEach
  void open() {
    open(Journals.inSegments(directory));
  }

  private void open(JournalSettings settings) {
    followed = FollowedJournal.of(settings, directory);
    callQueries = follow();
  }

  private CallQueries follow() {
    return followed.follow(CallQueries::follow, it -> it.view().close());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallIsFoundByEachOfItsIds(boolean isShared) throws InterruptedException {
    if (isShared) {
      followed.close();
      open(Journals.shared(directory));
    }
    append(received(CALL, "order-7", "task-9"), approvalRequested());

    CallView found = one(CALL.toString());

    assertThat(found)
        .usingRecursiveComparison()
        .ignoringFields("events")
        .isEqualTo(
            new CallView(
                CALL,
                "order-7",
                Dialect.MCP,
                "tools/call",
                "delete_file",
                "alice",
                CallStatus.HELD,
                null,
                null,
                null,
                AT.toString(),
                null,
                List.of()));
    assertThat(
            Stream.of(
                "order-7",
                " order-7\n",
                CALL.toString().toUpperCase(Locale.ROOT),
                CALL.toString().replace("-", ""),
                TRACE.toUpperCase(Locale.ROOT),
                "task-9",
                APPROVAL.toString()))
        .allSatisfy(id -> assertThat(one(id)).isEqualTo(found));
  }

  @Test
  void oneKeyIsStoredForTheCallsOwnId() throws Exception {
    append(received(LATER_CALL, LATER_CALL.toString(), null));

    assertThat(Stream.of(LATER_CALL.toString(), LATER_CALL.toString().replace("-", "")))
        .allSatisfy(id -> assertThat(one(id).callId()).isEqualTo(LATER_CALL));
    assertThat(rows()).containsExactly(LATER_CALL.toString().replace("-", "") + " 1");
  }

  @Test
  void anEventAfterItsEndChangesACallsRow() throws InterruptedException {
    append(received(CALL, "order-7", null), answered());
    assertThat(status(CALL)).isEqualTo(CallStatus.ANSWERED);

    append(ReceivedCall.of(LATER_CALL, AT).trace(CALL.toString()).event());
    assertThat(status(LATER_CALL)).isEqualTo(CallStatus.HELD);
    append(new CallOrphaned(CALL, "node-2", true));

    assertThat(status(CALL)).isEqualTo(CallStatus.ORPHANED);
    assertThat(status(LATER_CALL)).isEqualTo(CallStatus.HELD);
  }

  private @Nullable CallStatus status(UUID call) throws InterruptedException {
    CallView row = callQueries.handle(new FindCallRows(List.of(call), 0)).calls().get(call);
    return row == null ? null : row.status();
  }

  @Test
  void eachEventIsOpenedOnce() throws InterruptedException {
    CountedKeys keys = new CountedKeys();
    EventVocabulary eventVocabulary = new EventVocabulary(keys, OldKeys.NONE);
    callQueries.view().close();
    callQueries =
        followed.follow(
            (views, journal, reader, _) ->
                CallQueries.follow(views, journal, reader, eventVocabulary),
            it -> it.view().close());
    append(received(CALL, "order-7", null), received(CALL, "order-7", null));
    callQueries.view().awaitHead(2);
    keys.opened.set(0);

    assertThat(one("order-7").events()).hasSize(2);
    assertThat(keys.opened).as("lookup").hasValue(2);
    assertThat(new CallHistory(followed.journal(), eventVocabulary).of(CALL)).hasSize(2);
    assertThat(keys.opened).as("history").hasValue(4);
    assertThat(callQueries.handle(new FindCallIds("order-7", 0)).callIds()).containsExactly(CALL);
    assertThat(keys.opened).as("ids").hasValue(4);
  }

  /** Counts how often a key is used to open content. */
  private static final class CountedKeys implements ContentKeys {
    private final MemoryContentKeys memoryContentKeys = new MemoryContentKeys();
    private final AtomicInteger opened = new AtomicInteger();

    CountedKeys() {
      memoryContentKeys.current(ContentOwner.ofCall(null, CALL));
    }

    @Override
    public ContentKey current(ContentOwner owner) {
      return memoryContentKeys.current(owner);
    }

    @Override
    public KeyLookup find(String id) {
      opened.incrementAndGet();
      return memoryContentKeys.find(id);
    }
  }

  @Test
  void aLookupShowsTheStoredEventsWithoutOriginals() throws InterruptedException {
    append(received(LATER_CALL, "another", null));
    append(received(CALL, "order-7", null), forwarded());

    List<CallView.Step> events = one("order-7").events();

    assertThat(events)
        .extracting(
            CallView.Step::position,
            CallView.Step::name,
            CallView.Step::version,
            CallView.Step::node)
        .containsExactly(
            tuple(2L, "CallReceived", "2", "node-1"), tuple(3L, "CallForwarded", "1", "node-1"));
    assertThat(events.getFirst().data().path("method").asText()).isEqualTo("tools/call");
    assertThat(events.getFirst().data().has("original")).isFalse();
  }

  @Test
  void opaqueIdsMatchExactly() throws InterruptedException {
    append(received(CALL, "Order-7", "Task-9"));

    assertThat(lookup("order-7")).isEqualTo(new LookupResult.NeverSeen(1));
    assertThat(lookup("Order7")).isEqualTo(new LookupResult.NeverSeen(1));
    assertThat(lookup("task-9")).isEqualTo(new LookupResult.NeverSeen(1));
  }

  @Test
  void callsThatShareAnIdAreAllFoundNewestFirst() throws InterruptedException {
    append(received(CALL, "same", null));
    append(received(LATER_CALL, "same", null));

    assertThat(lookup("same"))
        .isInstanceOfSatisfying(
            LookupResult.Found.class,
            found -> {
              assertThat(found.calls())
                  .extracting(CallView::callId)
                  .containsExactly(LATER_CALL, CALL);
              assertThat(found.more()).isFalse();
            });
  }

  @Test
  void aLookupShowsTheNewestOfManyCalls() throws InterruptedException {
    for (int i = 0; i <= CallQueries.CALLS_MAX; i++) {
      append(received(new UUID(CALL.getMostSignificantBits() + (1L << 20) * i, 1), "same", null));
    }

    assertThat(lookup("same"))
        .isInstanceOfSatisfying(
            LookupResult.Found.class,
            found -> {
              assertThat(found.calls()).hasSize(CallQueries.CALLS_MAX);
              assertThat(found.more()).isTrue();
            });
  }

  @Test
  void aLaggingViewIsDistinguishedFromAnUnknownId() throws InterruptedException {
    append(received(CALL, "order-7", null));

    assertThat(lookup("order-8")).isEqualTo(new LookupResult.NeverSeen(1));
    assertThat(callQueries.handle(new FindCalls("order-8", 2, Optional.empty())))
        .isEqualTo(new LookupResult.NotProjectedYet(1, 2));
  }

  @Test
  void everyAppendIsSeenByTheLookupAfterIt() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      append(received(UUID.randomUUID(), "order-" + i, null));

      assertThat(one("order-" + i).correlationId()).isEqualTo("order-" + i);
    }
  }

  @Test
  void theViewContinuesAtItsStoredPosition() throws InterruptedException {
    append(received(CALL, "order-7", null));
    CallView before = one("order-7");

    followed.reopenViews();
    callQueries = follow();

    assertThat(callQueries.view().status().position()).isEqualTo(1);
    append(received(LATER_CALL, "order-8", null));
    assertThat(one("order-7")).isEqualTo(before);
    assertThat(one("order-8").callId()).isEqualTo(LATER_CALL);
    assertThat(callQueries.view().status())
        .isEqualTo(new ViewStatus("calls", 2, 0, ViewStatus.State.UP_TO_DATE, 0, null, null, null));
  }

  @Test
  void anUnusableViewIsRebuiltWithTheSameContent() throws Exception {
    for (int i = 0; i < 600; i++) {
      append(received(new UUID(CALL.getMostSignificantBits() + i, i), "order-" + i % 7, "t" + i));
    }
    lookup("order-0");
    List<String> before = rows();

    for (Damage damage : Damage.values()) {
      followed.close();
      damage.to(directory.resolve("views.mv.db"));
      open();
      lookup("order-0");

      assertThat(rows()).describedAs(damage.name()).isEqualTo(before);
    }
  }

  enum Damage {
    GONE {
      @Override
      void to(Path file) throws IOException {
        Files.delete(file);
      }
    },
    OF_ANOTHER_VERSION {
      @Override
      void to(Path file) throws SQLException {
        execute(file, "UPDATE calls_1.progress SET version = 0", "DELETE FROM calls_1.call_keys");
      }
    },
    WITHOUT_PROGRESS {
      @Override
      void to(Path file) throws SQLException {
        execute(file, "DELETE FROM calls_1.progress");
      }
    },
    OVERWRITTEN {
      @Override
      void to(Path file) throws IOException {
        Files.writeString(file, "no database");
      }
    };

    abstract void to(Path file) throws IOException, SQLException;

    static void execute(Path file, String... statements) throws SQLException {
      String name = file.toString().replace(".mv.db", "");
      try (Connection connection = DriverManager.getConnection("jdbc:h2:" + name)) {
        for (String sql : statements) {
          connection.createStatement().execute(sql);
        }
      }
    }
  }

  @Test
  void theViewOfAnotherJournalIsRebuilt() throws InterruptedException, IOException {
    append(received(CALL, "order-7", null));
    lookup("order-7");

    followed.close();
    Path other = Files.createDirectory(directory.resolve("other"));
    open(Journals.inSegments(other));
    append(received(LATER_CALL, "order-8", null));

    assertThat(one("order-8").callId()).isEqualTo(LATER_CALL);
    assertThat(lookup("order-7")).isEqualTo(new LookupResult.NeverSeen(1));
  }

  @Test
  void aCallWithASeparateApprovalIdIsOneRow() throws InterruptedException {
    append(received(CALL, "order-7", null));
    append(approvalRequested(CALL));
    lookup("order-7");
    append(forwarded());

    assertThat(
            callQueries.handle(new ListCalls(CallFilter.ALL, OptionalLong.empty(), 10, 0)).calls())
        .extracting(CallView::callId, CallView::status)
        .containsExactly(tuple(CALL, CallStatus.FORWARDED));
  }

  @Test
  void anUnreadableEventIsShownAndNotInterpreted() throws InterruptedException {
    append(received(CALL, "order-7", null));
    DraftEvent known = MemoryContentKeys.vocabulary().draft(forwarded(), AT);
    DraftEvent newer =
        DraftEvent.of(
            "e1", known.name(), "99", AT, known.tags(), known.payload(), known.metadata());
    followed.append(List.of(newer));

    CallView found = one("order-7");

    assertThat(found.status()).isEqualTo(CallStatus.HELD);
    assertThat(found.events()).extracting(CallView.Step::version).containsExactly("2", "99");
  }

  private List<String> rows() throws SQLException {
    String url = "jdbc:h2:steady:" + directory.resolve("views") + ";DB_CLOSE_ON_EXIT=FALSE";
    try (Connection connection = DriverManager.getConnection(url + ";TRACE_LEVEL_FILE=0")) {
      connection.setSchema("CALLS_1");
      return StoredOccurrences.of(connection, CallKeys.INDEX);
    }
  }

  private void append(Event... events) {
    followed.append(AT, events);
  }

  private LookupResult lookup(String id) throws InterruptedException {
    return callQueries.handle(new FindCalls(id, 0, Optional.empty()));
  }

  private CallView one(String id) throws InterruptedException {
    LookupResult lookupResult = lookup(id);
    assertThat(lookupResult).describedAs(id).isInstanceOf(LookupResult.Found.class);
    List<CallView> found = ((LookupResult.Found) lookupResult).calls();
    assertThat(found).describedAs(id).hasSize(1);
    return found.getFirst();
  }

  private static CallReceived received(UUID call, String correlationId, @Nullable String task) {
    return ReceivedCall.of(call, AT)
        .correlation(correlationId)
        .trace(call.equals(CALL) ? TRACE : null)
        .in(Dialect.MCP, "2025-11-25")
        .to("files", "delete_file")
        .task(task)
        .with(null, "{\"secret\":1}")
        .event();
  }

  private static ApprovalRequested approvalRequested() {
    return approvalRequested(APPROVAL);
  }

  private static ApprovalRequested approvalRequested(UUID approval) {
    return new ApprovalRequested(
        CALL,
        approval,
        "task-9",
        "default",
        "operator",
        DIGEST,
        AT,
        AT,
        null,
        ApprovalRequested.OnTimeout.DENY,
        "rules",
        List.of());
  }

  private static CallForwarded forwarded() {
    return new CallForwarded(CALL, 1, "files", "http://files", 1000, null);
  }

  static CallAnswered answered() {
    return new CallAnswered(
        CALL, CallAnswered.Outcome.SUCCESS, new KeptContent(2, DIGEST, null, null), 1, 5L, 7);
  }
}
