package gatebook.events.journal.segment;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.StorageWriter;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The takeover of a journal from another storage: copies its entries with their leaves, and its
 * checkpoints, as they are.
 *
 * <p>It can be broken off at any time and goes on where it was.
 */
final class Takeover {
  private static final int PAGE = 1_000;

  private final String name;
  private final PredecessorJournal from;
  private final StorageWriter to;
  private final LeafHasher hasher = new LeafHasher();
  private RightEdge edge = new RightEdge();
  private volatile long takenUpTo;
  private volatile long size;

  private Takeover(String name, PredecessorJournal from, StorageWriter to) {
    this.name = name;
    this.from = from;
    this.to = to;
  }

  /**
   * Copies what the target does not have yet.
   *
   * @param name of the other storage, for operators
   */
  static void run(String name, PredecessorJournal from, StorageWriter to)
      throws OpenRefusal, StorageFailure {
    Takeover takeover = new Takeover(name, from, to);
    try (SlowOperation _ =
        SlowOperation.start(() ->
            String.format(
                Locale.ROOT,
                "taking over %,d of %,d events into segments",
                takeover.takenUpTo,
                takeover.size))) {
      takeover.copy();
    }
  }

  private void copy() throws OpenRefusal, StorageFailure {
    StoredEdge stored = from.edge().orElseThrow(() -> refusal("it has no right edge"));
    size = stored.size();
    edge = to.lockEdge();
    takenUpTo = to.lastPosition();
    StoredCheckpoint newest = to.newestCheckpoint();
    copyCheckpoints(newest == null ? 0 : newest.number());
    copyUpTo(stored.size(), null);
    requireSameEdge(stored);
  }

  /** Copies each checkpoint after the last entry that it covers. */
  private void copyCheckpoints(long signed) throws OpenRefusal, StorageFailure {
    List<StoredCheckpoint> page = from.checkpoints(signed, PAGE);
    while (!page.isEmpty()) {
      for (StoredCheckpoint checkpoint : page) {
        copyUpTo(checkpoint.size(), checkpoint);
      }
      page = from.checkpoints(page.getLast().number(), PAGE);
    }
  }

  private OpenRefusal refusal(String why) {
    return new OpenRefusal(
        "the journal %s cannot be taken over into segments: %s".formatted(name, why));
  }

  /** Copies the entries up to a size, the last of them together with the checkpoint. */
  private void copyUpTo(long upTo, @Nullable StoredCheckpoint checkpoint)
      throws OpenRefusal, StorageFailure {
    List<Entry> page = page(upTo);
    while (page.size() == PAGE) {
      insert(page);
      to.commit();
      page = page(upTo);
    }
    insert(page);
    if (checkpoint != null) {
      to.insertCheckpoint(checkpoint);
      edge = edgeAfter(checkpoint);
    }
    to.moveEdge(edge);
    to.commit();
  }

  private List<Entry> page(long upTo) throws StorageFailure {
    return from.entries(takenUpTo, upTo, PAGE);
  }

  /** Entries before and after a missing one are different records. */
  private void insert(List<Entry> page) throws OpenRefusal, StorageFailure {
    List<Entry> run = new ArrayList<>();
    for (Entry entry : page) {
      requireStorable(entry);
      if (!run.isEmpty() && run.getLast().position() != entry.position() - 1) {
        insertRun(run);
        to.commit();
        run = new ArrayList<>();
      }
      run.add(entry);
    }
    insertRun(run);
  }

  private void insertRun(List<Entry> run) throws StorageFailure {
    if (!run.isEmpty()) {
      to.insert(run);
      run.forEach(this::grow);
      to.moveEdge(edge);
      takenUpTo = run.getLast().position();
    }
  }

  private void grow(Entry entry) {
    while (edge.size() < entry.position() - 1) {
      edge.append(hasher.missing(edge.size() + 1));
    }
    edge.append(Arrays.copyOf(entry.leaf(), Sha256.BYTES));
  }

  /** An accepted journal has an edge that its rows alone do not lead to. */
  private RightEdge edgeAfter(StoredCheckpoint checkpoint) {
    return checkpoint.size() < edge.size()
        ? edge
        : RightEdge.restored(checkpoint.size(), checkpoint.hashes()).orElse(edge);
  }

  private void requireStorable(Entry entry) throws OpenRefusal {
    boolean storable =
        Stream.of(entry.id(), entry.name(), entry.version(), entry.at(), entry.node(), entry.tags())
            .allMatch(Takeover::isUnicode);
    if (!storable) {
      throw refusal("a text of event %d holds half of a character".formatted(entry.position()));
    }
  }

  private static boolean isUnicode(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return text.equals(new String(utf8, StandardCharsets.UTF_8));
  }

  private void requireSameEdge(StoredEdge stored) throws OpenRefusal {
    if (edge.size() != stored.size() || !Arrays.equals(edge.bytes(), stored.hashes())) {
      throw refusal("its rows do not lead to its right edge: verify it with the version before");
    }
  }
}
