package gatebook.api.node;

import gatebook.events.bench.SampleCalls;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.PrincipalDrafts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;

/**
 * Calls of 1,000 principals on 400 days up to now, appended to a data directory that no process
 * uses.
 */
final class SyntheticYear {
  static final int PRINCIPALS = 1_000;
  static final int DAYS = 400;

  private static final int CHUNK_CALLS = 5_000;

  /** The events of three calls, of which one is denied: 3 + 4 + 4. */
  private static final int EVENTS_OF_THREE = 11;

  private final Path data;
  private final JournalSettings.Location location;
  private final SampleCalls.Kept kept;
  private final int callsInAll;
  private final Instant begin = Instant.now().minus(Duration.ofDays(DAYS));

  /**
   * @param callsInAll how many calls there are on all days
   */
  SyntheticYear(
      Path data, JournalSettings.Location location, SampleCalls.Kept kept, int callsInAll) {
    this.data = data;
    this.location = location;
    this.kept = kept;
    this.callsInAll = callsInAll;
  }

  /** So many calls have about so many events. */
  static int calls(long events) {
    return (int) (events * 3 / EVENTS_OF_THREE);
  }

  /** So many calls have at least so many events. */
  static long events(int calls) {
    return calls * (long) EVENTS_OF_THREE / 3;
  }

  static SegmentLocation inSegments(Path data) {
    return new SegmentLocation(data.resolve("journal"));
  }

  /** The time of a call. */
  Instant at(int call) {
    return begin.plusMillis(Duration.ofDays(DAYS).toMillis() * call / callsInAll);
  }

  static String principal(int call) {
    return "agent-" + call % PRINCIPALS;
  }

  /**
   * Appends the calls from {@code from} up to {@code to}, and runs work with the journal.
   *
   * @param isDenied says of the number of a call whether it is denied
   */
  void append(int from, int to, IntPredicate isDenied, Afterwards afterwards)
      throws IOException, InterruptedException {
    try (Journal journal = RealJournal.open(data, location);
        ContentKeyStore keys = RealJournal.keys(journal, data, location, it -> it).contentKeys()) {
      EventVocabulary eventVocabulary = new EventVocabulary(keys, OldKeys.NONE);
      for (int chunk = from; chunk < to; chunk += CHUNK_CALLS) {
        int end = Math.min(to, chunk + CHUNK_CALLS);
        makeKeys(keys, chunk, end);
        SampleCalls.fill(
            journal, chunk, end, call -> drafts(eventVocabulary, call, isDenied.test(call)));
      }
      afterwards.run();
    }
  }

  /** What is done before the journal is closed. */
  @FunctionalInterface
  interface Afterwards {
    void run() throws IOException, InterruptedException;
  }

  /** Makes keys that calls need at the same time, so that they share forces of the disk. */
  private void makeKeys(ContentKeyStore keys, int from, int to) {
    try (ExecutorService makers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int call = from; call < to; call++) {
        ContentOwner owner = ContentOwner.ofCall(principal(call), id(call));
        makers.execute(() -> keys.current(owner));
      }
    }
  }

  private List<DraftEvent> drafts(EventVocabulary eventVocabulary, int call, boolean isDenied) {
    Instant at = at(call);
    return SampleCalls.events(call, isDenied, id(call), principal(call), at, kept).stream()
        .map(event -> PrincipalDrafts.of(eventVocabulary, event, at, principal(call)))
        .toList();
  }

  /** As the product's, its first half is a time, which says under which key its content is. */
  private UUID id(int call) {
    long random = call * 0x9E37_79B9_7F4A_7C15L;
    return new UUID(
        at(call).toEpochMilli() << 16 | 0x7000 | (call & 0xfff),
        0x8000_0000_0000_0000L | random >>> 2);
  }

  String callId(int call) {
    return id(call).toString();
  }
}
