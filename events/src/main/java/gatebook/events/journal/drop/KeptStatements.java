package gatebook.events.journal.drop;

import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.storage.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Keeps the statements of a journal about itself, by which it is verified, its keys are known, and
 * what was erased stays erased.
 */
public final class KeptStatements implements DropPlanner {
  private static final int PAGE = 1_000;

  static final Set<String> NAMES =
      Set.of(
          RecordedDrop.EVENT_NAME,
          TrustEvents.MISMATCH_ACCEPTED,
          TrustEvents.ORIGIN_BEGUN,
          TrustEvents.CHECKPOINT_KEY_ROTATED,
          "gatebook.WrappingKeyRotated",
          "gatebook.KeysBackupBegun",
          "gatebook.KeysBackupCompleted",
          "gatebook.KeysRestoreBegun",
          "gatebook.ErasureBegun",
          "gatebook.ErasureCompleted",
          "gatebook.ErasureRefused");

  /** Whether an event is such a statement. */
  public static boolean isStatement(Entry entry) {
    return NAMES.contains(entry.name());
  }

  @Override
  public DropPlan plan(long from, long to, JournalAccess journal) {
    List<Long> kept = new ArrayList<>();
    List<Entry> page = journal.find(null, from - 1, to, PAGE);
    while (!page.isEmpty()) {
      page.stream().filter(KeptStatements::isStatement).map(Entry::position).forEach(kept::add);
      page = journal.find(null, page.getLast().position(), to, PAGE);
    }
    return new DropPlan(PositionSet.of(kept), List.of());
  }
}
