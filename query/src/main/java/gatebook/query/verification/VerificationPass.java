package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One pass over the events, growing the tree and comparing it with whatever says what it should be.
 */
final class VerificationPass {
  static final String FILE = "the checkpoint file";
  static final String NO_TREE = "too many events are missing to compute the tree";

  private final JournalRows journalRows;
  private final CheckpointCheck checkpointCheck;
  private final TagIndexCheck index;
  private final FindingCollector findingCollector;
  private final VerificationLimits verificationLimits;
  private final LeafHasher hasher = new LeafHasher();
  private final SuspectRows suspectRows;
  private final RightEdge tree = new RightEdge();
  private final List<AcceptedMismatch> matching = new ArrayList<>();
  private final Outside outside = new Outside();

  private TreeMilestones treeMilestones = new TreeMilestones(Stream.of());
  private Optional<Checkpoint> inFile = Optional.empty();
  private long edgeSize = Long.MAX_VALUE;
  private long events;
  private long lastPosition;
  private boolean treeEnded;

  VerificationPass(
      JournalRows journalRows,
      CheckpointCheck checkpointCheck,
      TagIndexCheck index,
      FindingCollector findingCollector,
      VerificationLimits verificationLimits) {
    this.journalRows = journalRows;
    this.checkpointCheck = checkpointCheck;
    this.index = index;
    this.findingCollector = findingCollector;
    this.verificationLimits = verificationLimits;
    this.suspectRows = new SuspectRows(verificationLimits, hasher);
  }

  void expect(List<AcceptedMismatch> candidates, List<ExternalCheckpoint> against) {
    inFile =
        journalRows
            .checkpointFile()
            .flatMap(note -> checkpointCheck.trusted(FILE, Long.MAX_VALUE, note));
    treeMilestones =
        new TreeMilestones(
            Stream.of(
                    candidates.stream().map(it -> new TreeMilestones.Accepted(it, matching)),
                    against.stream().flatMap(this::elsewhere),
                    inFile.stream()
                        .map(
                            it -> new TreeMilestones.InFile(it, checkpointCheck, findingCollector)),
                    journalRows.edge().stream().flatMap(this::edge))
                .flatMap(it -> it));
    compare();
  }

  void row(Entry event) {
    events++;
    index.row(event);
    byte[] leaf = hasher.leaf(event);
    if (!Arrays.equals(leaf, event.leaf()) && !suspectRows.add(event)) {
      findingCollector.add(SuspectRows.altered(event.position(), 0));
    }
    if (event.position() < 1 || event.position() > edgeSize) {
      outside.add(event.position());
    }
    if (event.position() >= 1) {
      fill(event.position() - 1);
      append(leaf);
      lastPosition = event.position();
    }
  }

  VerificationReport end() {
    index.end();
    outside.tell(findingCollector, edgeSize);
    edgeMissing();
    checkpointCheck.end(lastPosition);
    treeMilestones.end(lastPosition);
    checkpointsMissing();
    suspectRows.findings(checkpointCheck.vouchedUpTo()).forEach(findingCollector::add);
    return report(base64(tree.root()));
  }

  private Stream<TreeMilestone> elsewhere(ExternalCheckpoint kept) {
    String which = "the checkpoint kept in " + kept.name();
    return checkpointCheck
        .trusted(which, Long.MAX_VALUE, kept.note())
        .<TreeMilestone>map(it -> new TreeMilestones.Elsewhere(which, it, findingCollector))
        .stream();
  }

  private Stream<TreeMilestone> edge(JournalSnapshot.StoredEdge edge) {
    if (RightEdge.restored(edge.size(), edge.hashes()).isEmpty()) {
      findingCollector.add(
          new VerificationFinding.EdgeMismatch(
              edge.size(), "it cannot have %d bytes".formatted(edge.hashes().length)));
      return Stream.empty();
    }
    edgeSize = edge.size();
    return Stream.of(new TreeMilestones.StoredEdge(edge, findingCollector));
  }

  /** Puts the leaf of a missing event where there is none, up to this position. */
  private void fill(long upTo) {
    long from = lastPosition + 1;
    long to = Math.min(upTo, edgeSize);
    if (from <= to) {
      findingCollector.add(new VerificationFinding.Missing(from, to));
      suspectRows.missing(from, to);
    }
    pad(upTo);
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

  private void edgeMissing() {
    if (events > 0 && journalRows.edge().isEmpty()) {
      findingCollector.add(new VerificationFinding.EdgeMismatch(lastPosition, "there is none"));
    }
  }

  private void checkpointsMissing() {
    long inDatabase = checkpointCheck.signedUpTo();
    long file = inFile.map(Checkpoint::size).orElse(0L);
    if (file > inDatabase) {
      missing(
          "the checkpoint file has one over %d events, and the newest in the database has %d"
              .formatted(file, inDatabase));
    }
    if (events > 0 && checkpointCheck.stored() == 0) {
      missing("no checkpoint is in the database, where one was signed before the first event");
    }
    if (journalRows.keepsCheckpointFile()
        && journalRows.checkpointFile().isEmpty()
        && checkpointCheck.stored() > 1) {
      missing("the checkpoint file is gone");
    }
  }

  private void missing(String what) {
    findingCollector.add(new VerificationFinding.CheckpointMissing(what, Long.MAX_VALUE));
  }

  private VerificationReport report(String root) {
    List<AcceptedMismatch> valid =
        matching.stream().filter(it -> it.position() <= checkpointCheck.agreedUpTo()).toList();
    long accepted = findingCollector.accepted(valid);
    return new VerificationReport(
        findingCollector.told(valid),
        findingCollector.counts(),
        findingCollector.all() - accepted,
        accepted,
        totals(root),
        standing());
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

  private Optional<VerificationReport.Standing> standing() {
    pad(Math.max(checkpointCheck.signedUpTo(), inFile.map(Checkpoint::size).orElse(0L)));
    if (edgeSize - tree.size() <= verificationLimits.missingRunMax()) {
      pad(edgeSize); // nobody signed it, so a senseless one is left alone
    }
    return treeEnded
        ? Optional.empty()
        : Optional.of(
            new VerificationReport.Standing(tree.size(), base64(tree.root()), tree.bytes()));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The rows that stand where no event was ever written. */
  private static final class Outside {
    private long first;
    private long last;
    private long count;

    void add(long position) {
      first = count == 0 ? position : first;
      last = position;
      count++;
    }

    void tell(FindingCollector findingCollector, long edgeSize) {
      if (count > 0) {
        findingCollector.add(new VerificationFinding.Surplus(first, last, count, edgeSize));
      }
    }
  }
}
