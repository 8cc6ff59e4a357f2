package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Snapshot;
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
final class Pass {
  static final String FILE = "the checkpoint file";
  static final String NO_TREE = "too many events are missing to compute the tree";

  private final Rows rows;
  private final Checkpoints checkpoints;
  private final IndexCheck index;
  private final Findings findings;
  private final Limits limits;
  private final LeafHasher hasher = new LeafHasher();
  private final Suspects suspects;
  private final RightEdge tree = new RightEdge();
  private final List<Acceptance> matching = new ArrayList<>();
  private final Outside outside = new Outside();

  private Milestones milestones = new Milestones(Stream.of());
  private Optional<Checkpoint> inFile = Optional.empty();
  private long edgeSize = Long.MAX_VALUE;
  private long events;
  private long lastPosition;
  private boolean treeEnded;

  Pass(Rows rows, Checkpoints checkpoints, IndexCheck index, Findings findings, Limits limits) {
    this.rows = rows;
    this.checkpoints = checkpoints;
    this.index = index;
    this.findings = findings;
    this.limits = limits;
    this.suspects = new Suspects(limits, hasher);
  }

  void expect(List<Acceptance> candidates, List<KeptElsewhere> against) {
    inFile = rows.checkpointFile().flatMap(note -> checkpoints.trusted(FILE, Long.MAX_VALUE, note));
    milestones =
        new Milestones(
            Stream.of(
                    candidates.stream().map(it -> new Milestones.Accepted(it, matching)),
                    against.stream().flatMap(this::elsewhere),
                    inFile.stream().map(it -> new Milestones.InFile(it, checkpoints, findings)),
                    rows.edge().stream().flatMap(this::edge))
                .flatMap(it -> it));
    compare();
  }

  void row(Entry event) {
    events++;
    index.row(event);
    byte[] leaf = hasher.leaf(event);
    if (!Arrays.equals(leaf, event.leaf()) && !suspects.add(event)) {
      findings.add(Suspects.altered(event.position(), 0));
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

  Report end() {
    index.end();
    outside.tell(findings, edgeSize);
    edgeMissing();
    checkpoints.end(lastPosition);
    milestones.end(lastPosition);
    checkpointsMissing();
    suspects.findings(checkpoints.vouchedUpTo()).forEach(findings::add);
    return report(base64(tree.root()));
  }

  private Stream<Milestone> elsewhere(KeptElsewhere kept) {
    String which = "the checkpoint kept in " + kept.name();
    return checkpoints
        .trusted(which, Long.MAX_VALUE, kept.note())
        .<Milestone>map(it -> new Milestones.Elsewhere(which, it, findings))
        .stream();
  }

  private Stream<Milestone> edge(Snapshot.StoredEdge edge) {
    if (RightEdge.restored(edge.size(), edge.hashes()).isEmpty()) {
      findings.add(
          new Finding.EdgeMismatch(
              edge.size(), "it cannot have %d bytes".formatted(edge.hashes().length)));
      return Stream.empty();
    }
    edgeSize = edge.size();
    return Stream.of(new Milestones.StoredEdge(edge, findings));
  }

  /** Puts the leaf of a missing event where there is none, up to this position. */
  private void fill(long upTo) {
    long from = lastPosition + 1;
    long to = Math.min(upTo, edgeSize);
    if (from <= to) {
      findings.add(new Finding.Missing(from, to));
      suspects.missing(from, to);
    }
    pad(upTo);
  }

  private void pad(long upTo) {
    treeEnded = treeEnded || upTo - tree.size() > limits.missingRunMax();
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
    if (checkpoints.nextSize() == tree.size()) {
      checkpoints.compare(tree);
    }
    if (milestones.nextSize() == tree.size()) {
      milestones.reached(tree);
    }
  }

  private void edgeMissing() {
    if (events > 0 && rows.edge().isEmpty()) {
      findings.add(new Finding.EdgeMismatch(lastPosition, "there is none"));
    }
  }

  private void checkpointsMissing() {
    long inDatabase = checkpoints.signedUpTo();
    long file = inFile.map(Checkpoint::size).orElse(0L);
    if (file > inDatabase) {
      missing(
          "the checkpoint file has one over %d events, and the newest in the database has %d"
              .formatted(file, inDatabase));
    }
    if (events > 0 && checkpoints.stored() == 0) {
      missing("no checkpoint is in the database, where one was signed before the first event");
    }
    if (rows.keepsCheckpointFile() && rows.checkpointFile().isEmpty() && checkpoints.stored() > 1) {
      missing("the checkpoint file is gone");
    }
  }

  private void missing(String what) {
    findings.add(new Finding.CheckpointMissing(what, Long.MAX_VALUE));
  }

  private Report report(String root) {
    List<Acceptance> valid =
        matching.stream().filter(it -> it.position() <= checkpoints.agreedUpTo()).toList();
    long accepted = findings.accepted(valid);
    return new Report(
        findings.told(valid),
        findings.counts(),
        findings.all() - accepted,
        accepted,
        totals(root),
        standing());
  }

  private Report.Totals totals(String root) {
    long agreed = checkpoints.agreedUpTo();
    return new Report.Totals(
        events,
        lastPosition,
        root,
        checkpoints.usable(),
        agreed,
        Math.max(0, lastPosition - agreed));
  }

  private Optional<Report.Standing> standing() {
    pad(Math.max(checkpoints.signedUpTo(), inFile.map(Checkpoint::size).orElse(0L)));
    if (edgeSize - tree.size() <= limits.missingRunMax()) {
      pad(edgeSize); // nobody signed it, so a senseless one is left alone
    }
    return treeEnded
        ? Optional.empty()
        : Optional.of(new Report.Standing(tree.size(), base64(tree.root()), tree.bytes()));
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

    void tell(Findings findings, long edgeSize) {
      if (count > 0) {
        findings.add(new Finding.Surplus(first, last, count, edgeSize));
      }
    }
  }
}
