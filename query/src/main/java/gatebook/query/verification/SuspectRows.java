package gatebook.query.verification;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.LeafHasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The suspect rows, whose leaf does not match. Each was either altered, or moved from another
 * position that lost its row, too.
 */
final class SuspectRows {
  private final VerificationLimits verificationLimits;
  private final LeafHasher hasher;
  private final List<Entry> kept = new ArrayList<>();
  private final Map<Long, byte[]> leaves = new HashMap<>();
  private final Set<Long> missing = new LinkedHashSet<>();
  private long bytes;

  SuspectRows(VerificationLimits verificationLimits, LeafHasher hasher) {
    this.verificationLimits = verificationLimits;
    this.hasher = hasher;
  }

  /** Keeps a row. Returns false when the limits are reached. */
  boolean add(Entry entry) {
    bytes += entry.payload().length + entry.metadata().length;
    if (kept.size() == verificationLimits.suspectsMax()
        || bytes > verificationLimits.suspectBytesMax()) {
      return false;
    }
    kept.add(entry);
    leaves.put(entry.position(), entry.leaf());
    return true;
  }

  void addMissing(long from, long to) {
    LongStream.rangeClosed(from, to)
        .limit(verificationLimits.suspectsMax() - missing.size())
        .forEach(missing::add);
  }

  /**
   * One finding for each row: reordered or altered. {@code vouchedUpTo} is the size up to which
   * checkpoints confirm the rows.
   */
  List<VerificationFinding> findings(long vouchedUpTo) {
    List<VerificationFinding> findings = new ArrayList<>();
    for (Entry entry : kept) {
      OptionalLong origin = origin(entry);
      findings.add(
          origin.isPresent()
              ? new VerificationFinding.Reordered(entry.position(), origin.getAsLong())
              : altered(entry.position(), vouchedUpTo));
    }
    return findings;
  }

  static VerificationFinding altered(long position, long vouchedUpTo) {
    return new VerificationFinding.Altered(position, position <= vouchedUpTo);
  }

  private OptionalLong origin(Entry entry) {
    return LongStream.concat(
            leaves.keySet().stream().mapToLong(Long::longValue),
            missing.stream().mapToLong(Long::longValue))
        .filter(position -> position != entry.position() && wasWrittenAt(position, entry))
        .findFirst();
  }

  private boolean wasWrittenAt(long position, Entry entry) {
    byte[] leafThere = hasher.leaf(entry.movedTo(position));
    byte[] storedThere = leaves.get(position);
    return Arrays.equals(leafThere, entry.leaf())
        || (storedThere != null && Arrays.equals(leafThere, storedThere));
  }
}
