package gatebook.events.journal;

import java.util.concurrent.atomic.LongAdder;

/** The figures of a journal since it was opened, for monitoring. All figures only grow. */
public final class JournalFigures {
  final LongAdder eventsStored = new LongAdder();
  final LongAdder bytesStored = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder forcedWrites = new LongAdder();
  final LongAdder commitNanos = new LongAdder();
  final LongAdder checkpoints = new LongAdder();
  final LongAdder checkpointFileFailures = new LongAdder();
  final LongAdder conflicts = new LongAdder();
  final LongAdder overloaded = new LongAdder();
  final LongAdder unavailable = new LongAdder();
  final LongAdder unstorable = new LongAdder();
  final LongAdder recoveries = new LongAdder();

  public long eventsStored() {
    return eventsStored.sum();
  }

  public long bytesStored() {
    return bytesStored.sum();
  }

  /** Transactions; each was forced once if the durability requires it. */
  public long batches() {
    return batches.sum();
  }

  /** Transactions that were forced to the disk, those that only add a checkpoint included. */
  public long forcedWrites() {
    return forcedWrites.sum();
  }

  /** Time spent committing and forcing. */
  public long commitNanos() {
    return commitNanos.sum();
  }

  public long checkpoints() {
    return checkpoints.sum();
  }

  public long checkpointFileFailures() {
    return checkpointFileFailures.sum();
  }

  public long conflicts() {
    return conflicts.sum();
  }

  public long overloaded() {
    return overloaded.sum();
  }

  public long unavailable() {
    return unavailable.sum();
  }

  public long unstorable() {
    return unstorable.sum();
  }

  public long recoveries() {
    return recoveries.sum();
  }
}
