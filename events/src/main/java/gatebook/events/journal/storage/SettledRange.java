package gatebook.events.journal.storage;

import gatebook.events.journal.tree.CompactRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * A settled range of events: each was found to be as it was written, and the checkpoints stored
 * among them to be those of its tree, if the tree before the range had this root. With it a
 * verification goes on behind the range without reading it.
 *
 * @param rootBefore the root of the tree over all events before the range
 * @param leaves of its events
 * @param checkpoints empty when none is stored among its events
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SettledRange(
    byte[] rootBefore, CompactRange leaves, Optional<CheckpointRun> checkpoints) {

  /** Checkpoints with consecutive numbers and growing sizes, all of them valid. */
  public record CheckpointRun(long firstNumber, long firstSize, long lastNumber, long lastSize) {
    public long count() {
      return lastNumber - firstNumber + 1;
    }
  }

  /** The position of its first event. */
  public long first() {
    return leaves.begin() + 1;
  }

  /** The position of its last event. */
  public long last() {
    return leaves.end();
  }

  public long count() {
    return leaves.end() - leaves.begin();
  }

  /** Whether the events, and those before them, have the same leaves. */
  public boolean hasSameTree(SettledRange other) {
    return leaves.begin() == other.leaves.begin()
        && leaves.end() == other.leaves.end()
        && Arrays.equals(rootBefore, other.rootBefore)
        && Arrays.deepEquals(roots(), other.roots());
  }

  private byte[][] roots() {
    return leaves.roots().toArray(byte[][]::new);
  }
}
