package gatebook.query.verification;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.query.verification.VerificationReport.PositionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The single pass of a verification over the events, part by part. Grows the tree and compares it
 * with checkpoints, the edge and acceptances.
 */
final class VerificationPass {
  static final String FILE = "the checkpoint file";
  static final String ACKNOWLEDGED = "the file acknowledged";
  static final String NO_TREE = "too many events are missing to compute the tree";
  private static final int LOST_MAX = 1_000;

  private final JournalRows journalRows;
  private final CheckpointCheck checkpointCheck;
  private final DropCheck dropCheck;
  private final FindingCollector findingCollector;
  private final VerificationLimits verificationLimits;
  private final KeyCheck keyCheck;
  private final LeafHasher hasher = new LeafHasher();
  private final SuspectRows suspectRows;
  private final RightEdge tree = new RightEdge();
  private final List<AcceptedMismatch> matching = new ArrayList<>();
  private final OutsideRows outsideRows = new OutsideRows();
  private final BasisCollector basis = new BasisCollector();

  private TreeMilestones treeMilestones = new TreeMilestones(Stream.of());
  private Optional<Checkpoint> inFile = Optional.empty();
  private long edgeSize = Long.MAX_VALUE;
  private long events;
  private long lastPosition;
  private long passedPosition = Long.MIN_VALUE;
  private boolean treeEnded;

  /** The first positions without a row. */
  private final List<PositionRange> lost = new ArrayList<>();

  VerificationPass(
      JournalRows journalRows,
      CheckpointCheck checkpointCheck,
      FindingCollector findingCollector,
      DropCheck dropCheck,
      VerificationLimits verificationLimits,
      KeyCheck keyCheck) {
    this.keyCheck = keyCheck;
    this.journalRows = journalRows;
    this.dropCheck = dropCheck;
    this.checkpointCheck = checkpointCheck;
    this.findingCollector = findingCollector;
    this.verificationLimits = verificationLimits;
    this.suspectRows = new SuspectRows(verificationLimits, hasher);
  }

  void expect(
      List<AcceptedMismatch> candidates, Origins origins, List<ExternalCheckpoint> against) {
    inFile =
        journalRows
            .checkpointFile()
            .flatMap(note -> checkpointCheck.openTrusted(FILE, Long.MAX_VALUE, note));
    treeMilestones =
        new TreeMilestones(
            Stream.of(
                    candidates.stream()
                        .map(it -> new TreeMilestones.AcceptanceMilestone(it, matching)),
                    against.stream().flatMap(it -> externalMilestone(it, origins)),
                    inFile.stream()
                        .map(it ->
                            new TreeMilestones.FileMilestone(
                                it, checkpointCheck, findingCollector)),
                    journalRows.edge().stream().flatMap(this::edgeMilestone))
                .flatMap(it -> it));
    compare();
  }

  /** Adds the next part: its rows, unless what settled them still holds here. */
  void add(SnapshotPart part) {
    Optional<SettledRange> settled =
        part.settled()
            .filter(it ->
                part.isUnread()
                    ? isNext(it)
                    : continuesWith(it)
                        && checkpointCheck.isSettledRightly(it, part.stampedAt().isPresent()));
    if (settled.isPresent()) {
      addSettled(settled.get(), part);
    } else {
      addRows(part);
    }
  }

  /** The same, where the tree is also the one before the range. */
  private boolean continuesWith(SettledRange range) {
    return isNext(range) && Arrays.equals(tree.root(), range.rootBefore());
  }

  /** Whether the range is behind the rows so far, and nothing has to be compared inside of it. */
  private boolean isNext(SettledRange range) {
    return !treeEnded
        && lastPosition == range.first() - 1
        && tree.size() == lastPosition
        && range.last() <= edgeSize
        && treeMilestones.nextSize() >= range.last()
        && checkpointCheck.isIdle();
  }

  private void addSettled(SettledRange range, SnapshotPart part) {
    range.checkpoints().ifPresent(checkpointCheck::addSettled);
    dropCheck.addSettled(part, range.last());
    events += range.count();
    lastPosition = range.last();
    passedPosition = lastPosition;
    tree.append(range.leaves());
    compare();
    if (part.isUnread()) {
      basis.addUnread(range.count());
      return;
    }
    part.stampedAt()
        .ifPresentOrElse(
            at -> basis.addStamped(range.first(), range.last(), at),
            () -> basis.addRead(range.first(), range.last()));
  }

  private void reportDamaged(SnapshotPart part) {
    try (RowCursor<DamagedRecord> records = part.damagedRecords()) {
      for (DamagedRecord it = records.next(); it != null; it = records.next()) {
        findingCollector.add(new VerificationFinding.Damaged(it.from(), it.to(), it.where()));
      }
    }
  }

  private void addRows(SnapshotPart part) {
    reportDamaged(part);
    checkpointCheck.add(part.checkpoints(), tree.size());
    compare();
    try (RowCursor<IndexedTag> index = part.tagIndex();
        RowCursor<Entry> rows = part.events(passedPosition)) {
      TagIndexCheck tagIndexCheck = new TagIndexCheck(index, findingCollector);
      Entry first = rows.next();
      if (first != null) {
        dropCheck.begin(part, first.position());
      }
      for (Entry event = first; event != null; event = rows.next()) {
        tagIndexCheck.checkRow(event);
        dropCheck.checkRow(event);
        if (!part.isVisited() && !event.isDropped()) {
          keyCheck.accept(event);
        }
        addRow(event);
        passedPosition = event.position();
      }
      tagIndexCheck.end();
      if (first != null) {
        dropCheck.end(tree);
        basis.addRead(first.position(), passedPosition);
      }
    }
  }

  private void addRow(Entry event) {
    events++;
    byte[] leaf = event.isDropped() ? event.leaf() : hasher.leaf(event);
    if (!Arrays.equals(leaf, event.leaf()) && !suspectRows.add(event)) {
      findingCollector.add(SuspectRows.altered(event.position(), 0));
    }
    if (event.position() < 1 || event.position() > edgeSize) {
      outsideRows.add(event.position());
    }
    if (event.position() >= 1) {
      fill(event.position() - 1);
      append(leaf);
      lastPosition = event.position();
    }
  }

  VerificationReport end(List<RefusedStamp> refusedStamps) {
    outsideRows.report(findingCollector, edgeSize);
    checkEdgePresent();
    checkpointCheck.end(lastPosition);
    dropCheck.end(checkpointCheck.agreedUpTo());
    treeMilestones.end(lastPosition);
    checkAcknowledged();
    reportTail();
    checkCheckpointsPresent();
    suspectRows.findings(checkpointCheck.vouchedUpTo()).forEach(findingCollector::add);
    return report(base64(tree.root()), basis.basis(events, refusedStamps));
  }

  private Stream<TreeMilestone> externalMilestone(ExternalCheckpoint kept, Origins origins) {
    String which = "the checkpoint kept in " + kept.name();
    return checkpointCheck
        .openTrusted(which, Long.MAX_VALUE, kept.note())
        .<TreeMilestone>map(
            it -> new TreeMilestones.ExternalMilestone(which, it, origins, findingCollector))
        .stream();
  }

  private Stream<TreeMilestone> edgeMilestone(JournalSnapshot.StoredEdge edge) {
    if (RightEdge.restored(edge.size(), edge.hashes()).isEmpty()) {
      findingCollector.add(
          new VerificationFinding.EdgeMismatch(
              edge.size(), "it cannot have %d bytes".formatted(edge.hashes().length)));
      return Stream.empty();
    }
    edgeSize = edge.size();
    return Stream.of(new TreeMilestones.EdgeMilestone(edge, findingCollector));
  }

  /** Appends the leaf of a missing event for each position without a row, up to this one. */
  private void fill(long upTo) {
    long from = lastPosition + 1;
    long to = Math.min(upTo, edgeSize);
    if (from <= to) {
      findingCollector.add(new VerificationFinding.Missing(from, to));
      suspectRows.addMissing(from, to);
      addLost(from, to);
    }
    pad(upTo);
  }

  private void addLost(long from, long to) {
    if (from <= to && lost.size() < LOST_MAX) {
      lost.add(new PositionRange(from, to));
    }
  }

  private void pad(long upTo) {
    treeEnded = treeEnded || upTo - tree.size() > verificationLimits.missingRunMax();
    while (!treeEnded && tree.size() < upTo) {
      append(hasher.missing(tree.size() + 1));
    }
  }

  private void append(byte[] leaf) {
    if (!treeEnded) {
      tree.append(leaf);
      compare();
    }
  }

  private void compare() {
    if (checkpointCheck.nextSize() == tree.size()) {
      checkpointCheck.compare(tree);
    }
    if (treeMilestones.nextSize() == tree.size()) {
      treeMilestones.reached(tree);
    }
  }

  /** As at a start: the rows end before the last acknowledged event. */
  private void checkAcknowledged() {
    long known = edgeSize == Long.MAX_VALUE ? lastPosition : Math.max(lastPosition, edgeSize);
    if (journalRows.acknowledged() > known) {
      findingCollector.add(
          new VerificationFinding.Truncated(
              lastPosition, journalRows.acknowledged(), ACKNOWLEDGED));
    }
  }

  /**
   * A last record that is not whole was never acknowledged, unless a checkpoint or the count of
   * acknowledged events covers its events.
   */
  private void reportTail() {
    long inDatabase = checkpointCheck.signedUpTo();
    long file = inFile.map(Checkpoint::size).orElse(0L);
    long known = Math.max(journalRows.acknowledged(), Math.max(inDatabase, file));
    if (known > lastPosition || file > inDatabase) {
      journalRows
          .tail()
          .map(it -> new VerificationFinding.Damaged(it.from(), known, it.where()))
          .ifPresent(findingCollector::add);
    }
  }

  private void checkEdgePresent() {
    if (events > 0 && journalRows.edge().isEmpty()) {
      findingCollector.add(new VerificationFinding.EdgeMismatch(lastPosition, "there is none"));
    }
  }

  private void checkCheckpointsPresent() {
    long inDatabase = checkpointCheck.signedUpTo();
    long file = inFile.map(Checkpoint::size).orElse(0L);
    if (file > inDatabase) {
      reportCheckpointMissing(
          "the checkpoint file has one over %d events, and the newest in the journal has %d"
              .formatted(file, inDatabase));
    }
    if (events > 0 && checkpointCheck.storedCount() == 0) {
      reportCheckpointMissing(
          "no checkpoint is in the journal, where one was signed before the first event");
    }
    if (journalRows.requiresCheckpointFile()
        && journalRows.checkpointFile().isEmpty()
        && checkpointCheck.storedCount() > 1) {
      reportCheckpointMissing("the checkpoint file is gone");
    }
  }

  private void reportCheckpointMissing(String what) {
    findingCollector.add(new VerificationFinding.CheckpointMissing(what, Long.MAX_VALUE));
  }

  private VerificationReport report(String root, VerificationReport.Basis reportBasis) {
    List<AcceptedMismatch> valid =
        matching.stream().filter(it -> it.position() <= checkpointCheck.agreedUpTo()).toList();
    long accepted = findingCollector.countAccepted(valid);
    return new VerificationReport(
        findingCollector.found(valid),
        findingCollector.counts(),
        findingCollector.total() - accepted,
        accepted,
        totals(root),
        currentTree(valid),
        reportBasis,
        dropCheck.dropped());
  }

  private VerificationReport.Totals totals(String root) {
    long agreed = checkpointCheck.agreedUpTo();
    return new VerificationReport.Totals(
        events,
        lastPosition,
        root,
        checkpointCheck.usable(),
        agreed,
        Math.max(0, lastPosition - agreed));
  }

  private Optional<VerificationReport.CurrentTree> currentTree(List<AcceptedMismatch> valid) {
    pad(Math.max(checkpointCheck.signedUpTo(), inFile.map(Checkpoint::size).orElse(0L)));
    padUnlessAbsurd(edgeSize);
    padUnlessAbsurd(journalRows.acknowledged());
    if (treeEnded) {
      return Optional.empty();
    }
    addLost(lastPosition + 1, tree.size());
    long accepted = valid.stream().mapToLong(AcceptedMismatch::size).max().orElse(0);
    return Optional.of(
        new VerificationReport.CurrentTree(
            tree.size(),
            base64(tree.root()),
            tree.bytes(),
            lost.stream().filter(it -> it.to() > accepted).toList(),
            checkpointCheck.isNewestAgreed(inFile.map(Checkpoint::size).orElse(0L))));
  }

  /** Neither the edge nor the number of acknowledged events is signed. */
  private void padUnlessAbsurd(long upTo) {
    if (upTo - tree.size() <= verificationLimits.missingRunMax()) {
      pad(upTo);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The rows outside the positions at which the journal wrote. */
  private static final class OutsideRows {
    private long first;
    private long last;
    private long count;

    void add(long position) {
      first = count == 0 ? position : first;
      last = position;
      count++;
    }

    void report(FindingCollector findingCollector, long edgeSize) {
      if (count > 0) {
        findingCollector.add(new VerificationFinding.Surplus(first, last, count, edgeSize));
      }
    }
  }
}
