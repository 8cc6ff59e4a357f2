package gatebook.query.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.SubtreeCache;
import gatebook.query.projection.GroupTag;
import gatebook.query.proof.InclusionProof.ProvenEvent;
import gatebook.query.proof.InclusionProof.SignedTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers queries for proofs that events are in the tree of a checkpoint.
 *
 * <p>The first proof needs every leaf of the journal once, the next ones only few leaves and those
 * that are new. A query reads leaves for a moment only: if that is not enough, a thread reads the
 * others, and the query says how far it is. Proofs are computed one at a time.
 */
public final class ProofQueries {
  private static final Logger LOG = LoggerFactory.getLogger(ProofQueries.class);

  /** How long leaves are read at a time: a query waits for others that read, and reads itself. */
  private static final long READ_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int EVENTS_MAX = 1_000;

  private final Journal journal;
  private final long readNanosMax;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final AtomicBoolean isReading = new AtomicBoolean();
  private final List<SubtreeCache> trees;

  public ProofQueries(Journal journal) {
    this(journal, READ_NANOS_MAX);
  }

  ProofQueries(Journal journal, long readNanosMax) {
    this.journal = journal;
    this.readNanosMax = readNanosMax;
    this.trees =
        List.of(
            new SubtreeCache(journal::leaves),
            // after an operator accepted edited rows, the tree is over the rows as they are
            new SubtreeCache(this::hashedLeaves));
  }

  private List<byte[]> hashedLeaves(long from, long to) {
    LeafHasher hasher = new LeafHasher();
    List<byte[]> leaves = new ArrayList<>(journal.leaves(from, to)); // all that dropped events left
    for (Entry entry : journal.find(null, from, to, (int) (to - from))) {
      leaves.set((int) (entry.position() - from - 1), hasher.leaf(entry));
    }
    return leaves;
  }

  @QueryHandler
  InclusionProof handle(ProveCall query) {
    return prove(
        journal.find(GroupTag.CALL.criteria(query.callId()), 0, journal.head(), EVENTS_MAX),
        Optional.empty());
  }

  @QueryHandler
  InclusionProof handle(ProveEvents query) {
    return prove(
        query.positions().stream()
            .sorted()
            .flatMap(position -> journal.find(null, position - 1, position, 1).stream())
            .toList(),
        query.note());
  }

  private InclusionProof prove(List<Entry> entries, Optional<String> note) {
    if (entries.isEmpty()) {
      return new InclusionProof.NothingRecorded();
    }
    return note.or(() -> journal.newestCheckpoint().map(StoredCheckpoint::note))
        .map(it -> prove(entries, it))
        .orElseGet(InclusionProof.NothingSigned::new);
  }

  private InclusionProof prove(List<Entry> entries, String note) {
    if (!(Checkpoint.open(note.getBytes(UTF_8), List.of(journal.verifier()))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _))) {
      return new InclusionProof.Disagreement(
          Checkpoint.ofNote(note).map(Checkpoint::size).orElse(0L));
    }
    long until = System.nanoTime() + readNanosMax;
    lock.lock();
    try {
      for (SubtreeCache tree : trees) {
        if (!tree.cover(checkpoint.size(), until)) {
          InclusionProof soFar = new InclusionProof.BeingRead(tree.covered(), checkpoint.size());
          readOn(tree, checkpoint.size());
          return soFar;
        }
        Optional<List<ProvenEvent>> proven = provenIn(tree, entries, checkpoint);
        if (proven.isPresent()) {
          return new InclusionProof.Proven(signedTree(note, checkpoint), proven.get());
        }
      }
      return new InclusionProof.Disagreement(checkpoint.size());
    } finally {
      lock.unlock();
    }
  }

  /** Reads the rest of a tree on a thread of its own, unless one does already. */
  private void readOn(SubtreeCache tree, long size) {
    if (isReading.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("proof-tree").start(() -> readAll(tree, size));
    }
  }

  private void readAll(SubtreeCache tree, long size) {
    try {
      boolean isRead = false;
      while (!isRead) {
        isRead = readSome(tree, size);
      }
    } catch (RuntimeException e) {
      LOG.debug("the tree of the leaves is not read on; the next proof begins again", e);
    } finally {
      isReading.set(false);
    }
  }

  private boolean readSome(SubtreeCache tree, long size) {
    lock.lock();
    try {
      return tree.cover(size, System.nanoTime() + readNanosMax);
    } finally {
      lock.unlock();
    }
  }

  /** Empty when a path does not lead to the checkpoint's root. */
  private static Optional<List<ProvenEvent>> provenIn(
      SubtreeCache tree, List<Entry> entries, Checkpoint checkpoint) {
    SubtreeCache.PathsOfTree paths = tree.pathsIn(checkpoint.size());
    LeafHasher hasher = new LeafHasher();
    List<ProvenEvent> proven = new ArrayList<>();
    for (Entry entry : entries) {
      byte[] envelope = hasher.bytes(entry);
      if (entry.position() > checkpoint.size()) {
        proven.add(event(entry, entry.leaf(), envelope, Optional.empty()));
      } else {
        long index = entry.position() - 1;
        InclusionPath path = paths.of(index);
        byte[] leaf = paths.leaf(index);
        if (!Arrays.equals(path.rootFrom(leaf), checkpoint.root())) {
          return Optional.empty();
        }
        proven.add(event(entry, leaf, envelope, Optional.of(path)));
      }
    }
    return Optional.of(proven);
  }

  private static ProvenEvent event(
      Entry entry, byte[] leaf, byte[] envelope, Optional<InclusionPath> path) {
    return new ProvenEvent(
        entry.position(), new QualifiedName(entry.name()).localName(), leaf, envelope, path);
  }

  private SignedTree signedTree(String note, Checkpoint checkpoint) {
    return new SignedTree(
        note,
        checkpoint.size(),
        journal.find(null, checkpoint.size() - 1, checkpoint.size(), 1).stream()
            .map(Entry::at)
            .findFirst());
  }
}
