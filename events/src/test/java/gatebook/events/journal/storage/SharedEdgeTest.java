package gatebook.events.journal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several writers append after the right edge that they share on PostgreSQL. */
class SharedEdgeTest {
  private static final int NODES = 3;
  private static final int PHASES = 60;
  private static final int APPENDS_MAX = 12;
  private static final int TAGS = 3;

  @TempDir Path directory;
  private JournalSettings settings;

  @BeforeEach
  void create() {
    settings = Journals.shared(directory);
    Journals.opened(settings).close();
  }

  /** In each phase some of the nodes append at the same time, so that each is alone at times. */
  @Test
  void randomHistoriesOfSeveralWritersLoseNoConflict() {
    SplittableRandom random = new SplittableRandom();
    ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    List<Journal> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(NODES)) {
      IntStream.range(0, NODES).forEach(_ -> nodes.add(Journals.opened(settings)));
      for (int phase = 0; phase < PHASES; phase++) {
        List<CompletableFuture<Void>> busy = new ArrayList<>();
        for (Journal node : nodes) {
          SplittableRandom own = random.split();
          if (own.nextBoolean()) {
            busy.add(CompletableFuture.runAsync(() -> appendMany(node, own, attempts), threads));
          }
        }
        busy.forEach(CompletableFuture::join);
      }
    } finally {
      nodes.forEach(Journal::close);
    }

    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      List<Entry> entries = journal.find(null, 0, Long.MAX_VALUE, Integer.MAX_VALUE);
      check(entries);
      assertThat(attempts).allSatisfy(attempt -> attempt.check(entries));
      assertThat(attempts).anyMatch(attempt -> attempt.result() instanceof Append.Conflict);
      assertThat(attempts.stream().mapToLong(Attempt::events).sum()).isEqualTo(entries.size());
    }
  }

  private static void appendMany(
      Journal node, SplittableRandom random, ConcurrentLinkedQueue<Attempt> attempts) {
    List<CompletableFuture<?>> pending = new ArrayList<>();
    for (int i = random.nextInt(APPENDS_MAX); i >= 0; i--) {
      Tag tag = new Tag("contested", Integer.toString(random.nextInt(TAGS)));
      long after = Math.max(0, node.head() - random.nextInt(3));
      CompletableFuture<Append> result =
          node.append(
              ConflictCondition.nothingAfter(after, EventCriteria.havingTags(tag)),
              List.of(Journals.draft("x", tag), Journals.draft("y")));
      pending.add(result.thenAccept(append -> attempts.add(new Attempt(tag, after, append))));
      if (random.nextBoolean()) {
        pending.forEach(CompletableFuture::join);
      }
    }
    pending.forEach(CompletableFuture::join);
  }

  /** An append on the condition that no event with the tag is stored after a position. */
  private record Attempt(Tag tag, long after, Append result) {
    void check(List<Entry> entries) {
      switch (result) {
        case Stored(long first, long last) -> {
          assertThat(last).isEqualTo(first + 1);
          assertThat(tagged(entries, first - 1)).as("overlooked by %s", this).isEmpty();
        }
        case Append.Conflict _ ->
            assertThat(tagged(entries, entries.size())).as("found by %s", this).isNotEmpty();
        default -> throw new AssertionError(this);
      }
    }

    private List<Entry> tagged(List<Entry> entries, long upTo) {
      return entries.subList((int) Math.min(after, upTo), (int) upTo).stream()
          .filter(entry -> entry.tagSet().contains(tag))
          .toList();
    }

    long events() {
      return result instanceof Stored ? 2 : 0;
    }
  }

  private void check(List<Entry> entries) {
    assertThat(entries)
        .extracting(Entry::position)
        .isEqualTo(LongStream.rangeClosed(1, entries.size()).boxed().toList());
    LeafHasher hasher = new LeafHasher();
    RightEdge tree = new RightEdge();
    for (Entry entry : entries) {
      assertThat(entry.leaf()).isEqualTo(hasher.leaf(entry));
      tree.append(entry.leaf());
    }
    try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
      assertThat(snapshot.edge().orElseThrow())
          .usingRecursiveComparison()
          .isEqualTo(new JournalSnapshot.StoredEdge(tree.size(), tree.bytes()));
    }
  }

  @Test
  void aBatchOnAnEdgeThatMovedStoresNothing() throws StorageFailure {
    try (JournalStorage storage = settings.storage();
        StorageWriter one = storage.writer();
        StorageWriter other = storage.writer()) {
      lock(one);
      assertThat(append(one)).isTrue();
      assertThat(append(other)).isTrue();

      assertThat(append(one)).isFalse();
      assertThat(other.lastPosition()).isEqualTo(2);
      assertThat(append(one)).isTrue();
      assertThat(other.lastPosition()).isEqualTo(3);
    }
  }

  @Test
  void aCheckpointAfterOneOfAnotherWriterIsNotStored() throws StorageFailure {
    try (JournalStorage storage = settings.storage();
        StorageWriter one = storage.writer();
        StorageWriter other = storage.writer()) {
      lock(one);
      assertThat(append(one)).isTrue();
      StoredCheckpoint second = new StoredCheckpoint(2, 1, "other", new byte[32]);
      other.lockEdge();
      other.insertCheckpoint(second);
      other.commit();

      assertThat(append(one, new StoredCheckpoint(2, 2, "one", new byte[32]))).isFalse();
      assertThat(one.lastPosition()).isEqualTo(1);
      assertThat(one.newestCheckpoint()).usingRecursiveComparison().isEqualTo(second);
      assertThat(append(one, new StoredCheckpoint(3, 2, "one", new byte[32]))).isTrue();
      assertThat(other.newestCheckpoint()).extracting(StoredCheckpoint::note).isEqualTo("one");
      assertThat(other.lastPosition()).isEqualTo(2);
    }
  }

  @Test
  void aBatchThatWaitedSeesTheMovedEdge() throws Exception {
    try (JournalStorage storage = settings.storage();
        StorageWriter one = storage.writer();
        StorageWriter other = storage.writer()) {
      lock(one);
      assertThat(append(one)).isTrue();
      RightEdge locked = other.lockEdge();
      CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> append(one));
      await().until(this::isAStatementWaiting);

      add(other, locked);
      other.commit();

      assertThat(waiting.join()).isFalse();
      assertThat(other.lastPosition()).isEqualTo(2);
    }
  }

  private boolean isAStatementWaiting() throws SQLException {
    try (Connection connection = Journals.administrator((SharedLocation) settings.location());
        ResultSet row =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND query LIKE 'WITH edge AS%'")) {
      row.next();
      return row.getLong(1) > 0;
    }
  }

  /** After this the writer knows the edge, and expects to find it again. */
  private static void lock(StorageWriter writer) throws StorageFailure {
    writer.lockEdge();
    writer.rollback();
  }

  private static boolean append(StorageWriter writer, StoredCheckpoint... checkpoints) {
    try {
      add(writer, writer.expectEdge());
      for (StoredCheckpoint checkpoint : checkpoints) {
        writer.insertCheckpoint(checkpoint);
      }
      return writer.commitIfUnmoved();
    } catch (StorageFailure e) {
      throw new AssertionError(e);
    }
  }

  private static void add(StorageWriter writer, RightEdge edge) throws StorageFailure {
    Entry entry = Journals.draft("x").toEntry(edge.size() + 1, "node");
    entry = entry.withLeaf(new LeafHasher().leaf(entry));
    edge.append(entry.leaf());
    writer.insert(List.of(entry));
    writer.moveEdge(edge);
  }
}
