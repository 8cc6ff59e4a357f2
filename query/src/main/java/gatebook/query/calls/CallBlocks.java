package gatebook.query.calls;

import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.terms.TermBatch;
import gatebook.query.terms.TermIndex;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of positions in which there are calls with some property, such as a target. A search
 * reads the calls of these blocks only. Since most calls share their properties with others of
 * their block, there are fewer of them than an index of calls would have entries.
 *
 * <p>Blocks are only added: the calls of a block may have had the property and lost it. So it
 * depends on the events only, and not on their pages, which ones there are, and those of later
 * events do no harm in a view that is rebuilt from an earlier one.
 */
final class CallBlocks {
  /** The number of positions in a block. */
  static final int POSITIONS = 512;

  static final TermIndex INDEX = new TermIndex("call_blocks", Integer.BYTES, POSITIONS);

  private final TermBatch added = new TermBatch(INDEX);

  /** The term of a property. */
  static byte[] term(int property) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(property).array();
  }

  /**
   * Adds the properties that a call got by an event. A held call is added when it is not in the
   * table of open calls, which has the others.
   *
   * @param before the call before the event; absent before its first one
   * @param at when it was received, in nanoseconds
   */
  void add(long position, @Nullable CallView before, CallView call, long at, boolean wantsAnswer) {
    boolean wasOpen = before == null || CallProperty.isOpen(before.status());
    if (call.status() == CallStatus.HELD && !(wasOpen && wantsAnswer)) {
      add(position, CallProperty.STATUS.number(CallStatus.HELD.word()));
    }
    if (before == null) {
      add(position, CallProperty.RECORDED.number(CallProperty.EVERY_CALL));
    }
    if (before == null || !Objects.equals(before.receivedAt(), call.receivedAt())) {
      TimeBuckets.of(at, bucket -> add(position, bucket));
    }
    for (CallProperty property : CallProperty.OF_CALLS) {
      Object value = property.of(call);
      if (value != null && (before == null || !value.equals(property.of(before)))) {
        add(position, property.number(value));
      }
    }
  }

  private void add(long position, int property) {
    added.add(term(property), position);
  }

  void write(Connection view) throws SQLException {
    added.write(view);
  }
}
