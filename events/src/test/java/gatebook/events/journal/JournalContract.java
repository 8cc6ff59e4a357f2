package gatebook.events.journal;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append.Conflict;
import gatebook.events.journal.Append.Overloaded;
import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unstorable;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every journal beyond Axon's suite, run on each database. */
abstract class JournalContract {
  private static final ConflictCondition ANYTHING = ConflictCondition.none();

  @TempDir Path directory;

  JournalSettings settings;
  Journal journal;

  /** The settings of a new journal. */
  abstract JournalSettings fresh(Path directory);

  /** Edits the journal under test. */
  abstract JournalEditor editor();

  @BeforeEach
  void open() {
    settings = fresh(directory);
    journal = Journals.opened(settings);
  }

  @AfterEach
  void close() {
    journal.close();
    afterClose();
  }

  /** What may happen to the files of a journal that is closed. */
  void afterClose() {}

  @Test
  void positionsAreDenseFromOneUnderConcurrentCallers() {
    Collection<Stored> stored = new ConcurrentLinkedQueue<>();
    concurrently(
        16,
        caller -> {
          for (int i = 0; i < 50; i++) {
            stored.add((Stored) append(journal, draft("a"), draft("b")));
          }
        });

    assertThat(stored.stream().flatMapToLong(s -> LongStream.rangeClosed(s.first(), s.last())))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 1_600).boxed().toList());
    assertThat(allPositions()).isEqualTo(LongStream.rangeClosed(1, 1_600).boxed().toList());
  }

  @Test
  void laterAppendsHaveHigherPositions() {
    concurrently(
        8,
        caller -> {
          long last = 0;
          for (int i = 0; i < 50; i++) {
            Stored stored = (Stored) append(journal, draft("x"));
            assertThat(stored.first()).isGreaterThan(last);
            last = stored.last();
          }
        });

    assertThat(journal.head()).isEqualTo(400);
  }

  @Test
  void eventsOfAnotherProcessAreStoredUnderItsName() {
    Append mine = append(journal, draft("mine"));
    Append theirs = journal.append("another", ANYTHING, List.of(draft("theirs"))).join();

    assertThat(List.of(mine, theirs)).containsExactly(new Stored(1, 1), new Stored(2, 2));
    assertThat(journal.read(0, 10))
        .extracting(Entry::node)
        .containsExactly(settings.node(), "another");
  }

  @Test
  void nodesOfTheNewestEventsAreTold() {
    journal.append("old", ANYTHING, List.of(draft("old"))).join();
    journal.append("another", ANYTHING, List.of(draft("first"))).join();
    append(journal, draft("mine"));
    journal.append("another", ANYTHING, List.of(draft("second"))).join();

    String newest = journal.read(3, 1).getFirst().at();
    assertThat(journal.nodesAfter(1, 10))
        .containsExactly(
            Map.entry("another", newest),
            Map.entry(settings.node(), journal.read(2, 1).getFirst().at()));
    assertThat(journal.nodesAfter(1, 1)).containsExactly(Map.entry("another", newest));
    assertThat(journal.nodesAfter(4, 10)).isEmpty();
  }

  @Test
  void aBatchAndItsCheckpointAreForcedWrites() {
    append(journal, draft("a"), draft("b"));
    await().until(() -> journal.figures().checkpoints() == 2); // the first is of the empty journal

    assertThat(journal.figures().batches()).isEqualTo(1);
    assertThat(journal.figures().forcedWrites()).isEqualTo(2);
  }

  @Test
  void aCompletedAppendIsVisibleToItsCaller() {
    concurrently(
        8,
        caller -> {
          for (int i = 0; i < 50; i++) {
            Stored stored = (Stored) append(journal, draft("mine " + caller + "/" + i));
            assertThat(payload(journal.read(stored.last() - 1, 1).getFirst()))
                .isEqualTo("mine " + caller + "/" + i);
          }
        });
  }

  @Test
  void anEventComesBackAsItWasGiven() {
    DraftEvent given = draft("größer €", new Tag("call", "0190"), new Tag("k:e\\y", "a\nb"));
    append(journal, given);

    Journals.assertSame(journal.read(0, 10).getFirst(), given, 1, settings.node());
    reopen();
    Journals.assertSame(journal.read(0, 10).getFirst(), given, 1, settings.node());
  }

  @Test
  void eventsOfATagAreFoundBetweenOtherEvents() {
    Tag one = new Tag("call", "1");
    Tag other = new Tag("call", "2");
    append(journal, draft("a", one), draft("b", one, other), draft("c"), draft("d", one));
    append(journal, draft("e", one), draft("f", other));

    assertThat(found(one, 0, 6, 100)).containsExactly(1L, 2L, 4L, 5L);
    assertThat(found(one, 1, 6, 2)).containsExactly(2L, 4L);
    assertThat(found(one, 1, 4, 100)).containsExactly(2L, 4L);
    assertThat(found(other, 2, 6, 100)).containsExactly(6L);
    assertThat(
            positions(
                journal.find(
                    EventCriteria.either(
                        EventCriteria.havingTags(one), EventCriteria.havingTags(other)),
                    1,
                    6,
                    4)))
        .containsExactly(2L, 4L, 5L, 6L);
  }

  @Test
  void aTagWithManyEventsIsFoundFromAnyPosition() {
    Tag call = new Tag("call", "1");
    int many = 2 * JournalSnapshot.IndexedTag.EVENTS_MAX + 2;
    append(journal, Stream.generate(() -> draft("x", call)).limit(many).toArray(DraftEvent[]::new));

    for (int after = 0; after < many; after++) {
      assertThat(found(call, after, many, 1)).containsExactly(after + 1L);
    }
    assertThat(found(call, 0, many, many)).hasSize(many);
  }

  private List<Long> found(Tag tag, long after, long upTo, int limit) {
    return positions(journal.find(EventCriteria.havingTags(tag), after, upTo, limit));
  }

  private static List<Long> positions(List<Entry> entries) {
    return entries.stream().map(Entry::position).toList();
  }

  @Test
  void anEarlierMatchingEventIsAConflict() {
    Tag call = new Tag("call", "1");
    append(journal, draft("first", call));

    assertThat(appendUnless(call, 0)).isInstanceOf(Conflict.class);
    assertThat(appendUnless(call, 1)).isEqualTo(new Stored(2, 2));
    assertThat(appendUnless(new Tag("call", "2"), 0)).isEqualTo(new Stored(3, 3));
  }

  @Test
  void eventsStoredBeforeThisProcessConflictToo() {
    Tag call = new Tag("call", "1");
    append(journal, draft("first", call), draft("other"));
    reopen();

    assertThat(appendUnless(call, 0)).isInstanceOf(Conflict.class);
    assertThat(appendUnless(call, 1)).isEqualTo(new Stored(3, 3));
  }

  @Test
  void anEventOfAnotherNameIsNoConflict() {
    Tag tree = new Tag("tree", "1");
    DraftEvent first = draft("first", tree);
    append(journal, first);
    EventCriteria sameName = named(tree, first.name());
    EventCriteria otherName = named(tree, "test.Other");

    assertThat(appendUnless(sameName, tree)).isInstanceOf(Conflict.class);
    assertThat(appendUnless(otherName, tree)).isEqualTo(new Stored(2, 2));
    reopen();
    assertThat(appendUnless(sameName, tree)).isInstanceOf(Conflict.class);
    assertThat(appendUnless(otherName, tree)).isEqualTo(new Stored(3, 3));
    assertThat(appendUnless(EventCriteria.either(sameName, otherName), tree))
        .isInstanceOf(Conflict.class);
  }

  private static EventCriteria named(Tag tag, String name) {
    return EventCriteria.havingTags(tag).andBeingOneOfTypes(name);
  }

  private Append appendUnless(EventCriteria criteria, Tag tag) {
    return journal
        .append(ConflictCondition.nothingAfter(0, criteria), List.of(draft("x", tag)))
        .join();
  }

  @Test
  void ofConflictingAppendsInOneBatchExactlyOneIsStored() {
    Tag call = new Tag("call", "contested");
    List<CompletableFuture<Append>> results = new ArrayList<>();
    whileWriterIsBlocked(() ->
        IntStream.range(0, 50)
            .forEach(i ->
                results.add(
                    journal.append(
                        ConflictCondition.nothingAfter(0, EventCriteria.havingTags(call)),
                        List.of(draft("" + i, call))))));

    List<Append> appends = results.stream().map(CompletableFuture::join).toList();
    assertThat(appends).filteredOn(Stored.class::isInstance).hasSize(1);
    assertThat(appends).filteredOn(Conflict.class::isInstance).hasSize(49);
    assertThat(journal.head()).isEqualTo(2);
  }

  @Test
  void anEventOneByteOverTheLimitIsRefused() {
    DraftEvent small = draft("");
    int room = (int) (settings.limits().eventBytesMax() - small.bytes());

    assertThat(append(journal, draft("x".repeat(room)))).isEqualTo(new Stored(1, 1));
    assertThat(append(journal, draft("x".repeat(room + 1))))
        .isEqualTo(new Unstorable("the event has 1048577 bytes, the limit is 1048576"));
  }

  @Test
  void aTextThatDatabasesCannotStoreIsRefused() {
    assertThat(append(journal, draft("x", new Tag("call", "a\0b"))))
        .isEqualTo(new Unstorable("the event's tag holds a character that no database can keep"));
    assertThat(append(journal, draft("x", new Tag("call", "a\ud800"))))
        .isEqualTo(new Unstorable("the event's tag holds a character that no database can keep"));
    assertThat(append(journal, draft("x", new Tag("k", "v".repeat(253)))))
        .isEqualTo(new Stored(1, 1));
    assertThat(append(journal, draft("x", new Tag("k", "v".repeat(254)))))
        .isEqualTo(new Unstorable("the event's tag is longer than 255 characters"));
  }

  @Test
  void moreEventsThanTheQueueHoldsAreRefused() {
    reopen(limits -> Journals.with(limits, Map.of("queueEventsMax", 5)));
    List<CompletableFuture<Append>> taken = new ArrayList<>();
    whileWriterIsBlocked(() -> {
      IntStream.range(0, 5)
          .forEach(i -> taken.add(journal.append(ANYTHING, List.of(draft("q" + i)))));
      assertThat(journal.append(ANYTHING, List.of(draft("one too many"))).join())
          .isEqualTo(new Overloaded("too much is waiting for the journal", 1_000));
    });

    assertThat(taken).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Stored.class));
    assertThat(append(journal, draft("later"))).isInstanceOf(Stored.class);
  }

  @Test
  void moreBytesThanTheQueueHoldsAreRefused() {
    reopen(limits -> Journals.with(limits, Map.of("queueBytesMax", 2_000)));
    List<CompletableFuture<Append>> taken = new ArrayList<>();
    whileWriterIsBlocked(() -> {
      taken.add(journal.append(ANYTHING, List.of(draft("x".repeat(1_000)))));
      assertThat(journal.append(ANYTHING, List.of(draft("x".repeat(1_000)))).join())
          .isInstanceOf(Overloaded.class);
      taken.add(journal.append(ANYTHING, List.of(draft("x".repeat(500)))));
    });

    assertThat(taken).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Stored.class));
  }

  @Test
  void closingWhileBusyCompletesEveryAppendAndKeepsTheStored() throws Exception {
    Collection<Append> appends = new ConcurrentLinkedQueue<>();
    CountDownLatch busy = new CountDownLatch(500);
    try (ExecutorService callers = Executors.newFixedThreadPool(16)) {
      for (int i = 0; i < 16; i++) {
        callers.execute(() -> {
          Append result = append(journal, draft("x"));
          while (result instanceof Stored) {
            appends.add(result);
            busy.countDown();
            result = append(journal, draft("x"));
          }
          appends.add(result);
        });
      }
      assertThat(busy.await(120, TimeUnit.SECONDS)).isTrue();
      journal.close();
    }

    assertThat(appends)
        .filteredOn(end -> !(end instanceof Stored))
        .hasSize(16)
        .containsOnly(new Append.Closed("the journal is closed"));
    reopen();
    assertThat(journal.head()).isEqualTo(appends.size() - 16L);
    assertThat(journal.state()).isEqualTo(new JournalState.Writable());
  }

  @Test
  void eventsAreFoundByAnyOfTheirTags() {
    Tag one = new Tag("call", "1");
    Tag two = new Tag("task", "2");
    append(journal, draft("a", one), draft("b", two), draft("c"), draft("d", one, two));

    assertThat(found(EventCriteria.havingTags(one))).containsExactly("a", "d");
    assertThat(found(EventCriteria.havingTags(two))).containsExactly("b", "d");
    assertThat(
            found(
                EventCriteria.either(EventCriteria.havingTags(one), EventCriteria.havingTags(two))))
        .containsExactly("a", "b", "d");
    assertThat(found(EventCriteria.havingAnyTag())).containsExactly("a", "b", "c", "d");
  }

  @Test
  void memoryAndDatabaseGiveTheSameEvents() {
    reopen(limits -> Journals.with(limits, Map.of("tailEventsMax", 64)));
    IntStream.range(0, 200).forEach(i -> append(journal, draft("e" + i)));

    List<String> read = new ArrayList<>();
    for (long after = 0; after < 200; after += 10) {
      journal.read(after, 10).forEach(entry -> read.add(payload(entry)));
    }

    assertThat(read).isEqualTo(IntStream.range(0, 200).mapToObj(i -> "e" + i).toList());
  }

  @Test
  void noEventIsFoundBeyondTheHead() {
    append(journal, draft("a"), draft("b"));

    for (long position :
        List.of(3L, 1L << 31, (1L << 32) + 2, (1L << 33) + 1, 1L << 40, Long.MAX_VALUE)) {
      assertThat(journal.find(null, position - 1, position, 1)).as("%d", position).isEmpty();
      assertThat(journal.read(position, 1)).as("after %d", position).isEmpty();
    }
  }

  @Test
  void aFollowerIsCalledBackAfterAnAppend() {
    AtomicInteger calls = new AtomicInteger();
    Runnable stopFollowing = journal.follow(calls::incrementAndGet);
    append(journal, draft("x"));
    await().untilAtomic(calls, org.hamcrest.Matchers.greaterThan(0));

    stopFollowing.run();
    int before = calls.get();
    append(journal, draft("y"));
    append(journal, draft("z"));
    assertThat(calls.get()).isEqualTo(before);
  }

  @Test
  void aJournalWithADeletedRowTakesNoAppends() {
    append(journal, draft("a"), draft("b"), draft("c"));
    close();
    editor().deleteEvents(3);

    journal = Journals.opened(settings);
    String why = "there are rows up to position 2 and the right edge says 3";
    assertThat(journal.state()).isEqualTo(new JournalState.Distrusted(why));
    assertThat(append(journal, draft("d"))).isEqualTo(new Append.Distrusted(why));
  }

  @Test
  void aDatabaseOlderThanTheCheckpointFileIsNotTrusted() {
    append(journal, draft("a"), draft("b"));
    close();
    editor().deleteEverything();

    journal = Journals.opened(settings);
    assertThat(journal.state())
        .isEqualTo(
            new JournalState.Distrusted(
                "the checkpoint file covers 2 events and the journal holds 0"));
  }

  @Test
  void aDatabaseThatLostAcknowledgedEventsIsNotTrusted() throws Exception {
    append(journal, draft("a"), draft("b"));
    close();
    Path acknowledged = settings.checkpointFile().resolveSibling("acknowledged");
    assertThat(acknowledged).hasContent("0000000000000000002");
    Files.writeString(acknowledged, "0000000000000000003\n");

    journal = Journals.opened(settings);
    assertThat(journal.state())
        .isEqualTo(
            new JournalState.Distrusted("3 events were acknowledged and the journal holds 2"));
  }

  @Test
  void aJournalThatDisagreesIsNeverSigned() {
    append(journal, draft("a"), draft("b"));
    close();
    editor().deleteCheckpointsAfter(1);
    editor().rename(1, "test.Forged");

    journal = Journals.opened(settings);
    assertThat(journal.state()).isInstanceOf(JournalState.Distrusted.class);
    close();
    assertThat(checkpointSizes()).containsExactly(0L);
    journal = Journals.opened(settings);
  }

  @Test
  void eventsLeftUnsignedByACrashAreSignedAfterRestart() throws Exception {
    append(journal, draft("a"), draft("b"));
    close();
    editor().deleteCheckpointsAfter(1);
    Files.delete(settings.checkpointFile());

    journal = Journals.opened(settings);
    await().until(this::checkpointSizes, sizes -> sizes.equals(List.of(0L, 2L)));
  }

  @Test
  void checkpointMissingInItsFileIsWrittenAtStart() throws Exception {
    close();
    byte[] older = Files.readAllBytes(settings.checkpointFile());
    journal = Journals.opened(settings);
    append(journal, draft("a"));
    close();
    byte[] newest = Files.readAllBytes(settings.checkpointFile());
    Files.write(settings.checkpointFile(), older);

    journal = Journals.opened(settings);
    assertThat(journal.isCovered(1)).isTrue();
    await().untilAsserted(() -> assertThat(settings.checkpointFile()).hasBinaryContent(newest));
  }

  private List<Long> checkpointSizes() {
    List<Long> sizes = new ArrayList<>();
    try (JournalSnapshot snapshot = Journals.snapshot(settings);
        RowCursor<StoredCheckpoint> checkpoints = snapshot.checkpoints()) {
      for (StoredCheckpoint it = checkpoints.next(); it != null; it = checkpoints.next()) {
        sizes.add(it.size());
      }
    }
    return sizes;
  }

  @Test
  void everySizeIsProvenToContinueEverySmallerOne() {
    for (int i = 0; i < 12; i++) {
      append(journal, draft("a"), draft("b"));
      if (i % 3 == 0) {
        journal.sign().join();
      }
    }
    RightEdge edge = new RightEdge();
    List<byte[]> roots = new ArrayList<>(List.of(edge.root()));
    journal
        .leaves(0, 24)
        .forEach(leaf -> {
          edge.append(leaf);
          roots.add(edge.root());
        });

    for (int to = 0; to <= 24; to++) {
      for (int from = 0; from <= to; from++) {
        assertThat(journal.consistency(from, to).proves(roots.get(from), roots.get(to)))
            .as("from %d to %d", from, to)
            .isTrue();
      }
    }
  }

  @Test
  void anAcceptedJournalTakesAppendsAgain() {
    append(journal, draft("a"), draft("b"), draft("c"), draft("d"));
    List<Entry> entries = journal.read(0, 10);
    close();
    editor().deleteEvents(2, 4);

    RightEdge standing = new RightEdge();
    LeafHasher hasher = new LeafHasher();
    entries.forEach(entry -> standing.append(hasher.leaf(entry)));
    assertThat(
            MismatchAcceptance.accept(
                settings, standing, List.of(draft("accepted")), Optional.empty()))
        .isEqualTo(new MismatchAcceptance.Outcome.Accepted(5));

    journal = Journals.opened(settings);
    assertThat(journal.state()).isEqualTo(new JournalState.Writable());
    assertThat(allPositions()).containsExactly(1L, 3L, 5L);
    assertThat(append(journal, draft("e"))).isEqualTo(new Stored(6, 6));
    reopen();
    assertThat(journal.state()).isEqualTo(new JournalState.Writable());
  }

  final void reopen() {
    close();
    journal = Journals.opened(settings);
  }

  private void reopen(UnaryOperator<JournalLimits> change) {
    close();
    settings = Journals.with(settings, change.apply(settings.limits()));
    journal = Journals.opened(settings);
  }

  private Append appendUnless(Tag tag, long after) {
    return journal
        .append(
            ConflictCondition.nothingAfter(after, EventCriteria.havingTags(tag)),
            List.of(draft("x", tag)))
        .join();
  }

  final List<Long> allPositions() {
    return journal.find(null, 0, journal.head(), 100_000).stream().map(Entry::position).toList();
  }

  private List<String> found(EventCriteria criteria) {
    return journal.find(criteria, 0, journal.head(), 100).stream()
        .map(JournalContract::payload)
        .toList();
  }

  private static String payload(Entry entry) {
    return new String(entry.payload(), StandardCharsets.UTF_8);
  }

  /** Blocks the writer, so that appends are queued meanwhile and stored in few batches. */
  abstract void whileWriterIsBlocked(Runnable appends);

  /** Makes the writer wait with an append of its own, stored at position 1. */
  final CompletableFuture<Append> blockWriter() {
    CompletableFuture<Append> first = journal.append(ANYTHING, List.of(draft("blocked")));
    await().until(() -> journal.queuedEvents() == 0);
    return first;
  }

  private static void concurrently(int callers, java.util.function.IntConsumer work) {
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      List<CompletableFuture<Void>> done =
          IntStream.range(0, callers)
              .mapToObj(i -> CompletableFuture.runAsync(() -> work.accept(i), threads))
              .toList();
      done.forEach(CompletableFuture::join);
    }
  }
}
