package gatebook.query.verification;

import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks dropped events. A leaf stands for its event only where an event says so that a checkpoint
 * covers: its range ends with its root, and exactly the events are there that it keeps.
 */
final class DropCheck {
  private final SnapshotReading reading;
  private final FindingCollector findingCollector;
  private final List<RecordedDrop> used = new ArrayList<>();
  private @Nullable RecordedDrop current;
  private Instant toldAt = Instant.MIN;
  private long wrongFrom;
  private long wrongTo;
  private long events;
  private long through;
  private Instant newestAt = Instant.MIN;

  DropCheck(SnapshotReading reading, FindingCollector findingCollector) {
    this.reading = reading;
    this.findingCollector = findingCollector;
  }

  /** Takes a part that a stamp settled, dropped events included. */
  void addSettled(SnapshotPart part, long last) {
    part.dropped().ifPresent(it -> add(it.events(), last, it.newestAt()));
  }

  private void add(long more, long last, Instant at) {
    events += more;
    through = last;
    newestAt = at;
  }

  /**
   * Begins with the rows of a part.
   *
   * @param first the position of its first row
   */
  void begin(SnapshotPart part, long first) {
    current = part.dropped().flatMap(_ -> recorded(first)).orElse(null);
    toldAt = part.dropped().map(SnapshotPart.DroppedPart::newestAt).orElse(Instant.MIN);
  }

  private Optional<RecordedDrop> recorded(long first) {
    return reading
        .tagged(RecordedDrop.tag(first))
        .filter(it -> Arrays.equals(new LeafHasher().leaf(it), it.leaf()))
        .flatMap(RecordedDrop::of)
        .filter(it -> it.from() == first);
  }

  void checkRow(Entry entry) {
    boolean mustBeDropped = current != null && current.drops(entry.position());
    if (entry.isDropped()) {
      events++;
    }
    if (entry.isDropped() != mustBeDropped) {
      if (wrongFrom == 0) {
        wrongFrom = entry.position();
      }
      wrongTo = entry.position();
    } else {
      reportWrong();
    }
  }

  private void reportWrong() {
    if (wrongFrom > 0) {
      report(
          wrongFrom,
          wrongTo,
          current == null
              ? "no event says that they are dropped for good"
              : "they are not those that event %d drops for good".formatted(current.position()));
      wrongFrom = 0;
    }
  }

  private void report(long from, long to, String why) {
    findingCollector.add(new VerificationFinding.Dropped(from, to, why));
  }

  /** Called after the last row of a part, with the tree up to there. */
  void end(RightEdge tree) {
    reportWrong();
    RecordedDrop drop = current;
    if (drop != null) {
      used.add(drop);
      if (!toldAt.equals(drop.newestAt())) {
        report(
            drop.from(),
            drop.to(),
            "they have another newest time than event %d says".formatted(drop.position()));
      }
      add(0, drop.to(), drop.newestAt());
      if (tree.size() != drop.to() || !Arrays.equals(tree.root(), drop.root())) {
        report(
            drop.from(),
            drop.to(),
            "they have another root than event %d says".formatted(drop.position()));
      }
    }
  }

  /**
   * Called in the end.
   *
   * @param coveredUpTo the size of the newest checkpoint that agrees with the rows
   */
  void end(long coveredUpTo) {
    used.stream()
        .filter(it -> it.position() > coveredUpTo)
        .forEach(it ->
            report(
                it.from(),
                it.to(),
                "no checkpoint covers event %d, which says so".formatted(it.position())));
  }

  /** What is dropped; empty when nothing is. */
  Optional<VerificationReport.DroppedEvents> dropped() {
    return events == 0
        ? Optional.empty()
        : Optional.of(new VerificationReport.DroppedEvents(through, newestAt, events));
  }
}
