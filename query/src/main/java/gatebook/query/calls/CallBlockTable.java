package gatebook.query.calls;

import static java.util.stream.Collectors.partitioningBy;

import gatebook.query.projection.RowBatch;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table that says in which blocks of positions there are calls with some property, such as a
 * target. A search reads the calls of these blocks only. Since most calls share their properties
 * with others of their block, a row here is written much more rarely than an entry of an index
 * would be.
 *
 * <p>Rows are only added: the calls of a block may have had the property and lost it. So it depends
 * on the events only, and not on their pages, which rows there are, and those of later events do no
 * harm in a view that is rebuilt from an earlier one.
 */
final class CallBlockTable {
  /** The number of positions in a block. */
  static final int POSITIONS = 512;

  static final ViewTable TABLE =
      new ViewTable("call_blocks", "entry", List.of("entry BIGINT NOT NULL"), List.of());

  private static final long BLOCK_MASK = 0xFFFF_FFFFL;

  private final Set<Long> added = new LinkedHashSet<>();

  /** The block of a position; that of very high ones is the last one. */
  static long blockOf(long position) {
    return Math.clamp(position / POSITIONS, 0, BLOCK_MASK);
  }

  /** The entries of a property are in the opposite order of their blocks. */
  static long entry(int property, long block) {
    return ((long) property << Integer.SIZE) | (BLOCK_MASK - block);
  }

  static long blockOfEntry(long entry) {
    return BLOCK_MASK - (entry & BLOCK_MASK);
  }

  /**
   * Adds the properties that a call got by an event. A held call is added when it is not in the
   * table of open calls, which has the others.
   *
   * @param before the call before the event; absent before its first one
   * @param at when it was received, in nanoseconds
   */
  void add(long position, @Nullable CallView before, CallView call, long at, boolean wantsAnswer) {
    long block = blockOf(position);
    boolean wasOpen = before == null || CallProperty.isOpen(before.status());
    if (call.status() == CallStatus.HELD && !(wasOpen && wantsAnswer)) {
      add(block, CallProperty.STATUS, CallStatus.HELD.word());
    }
    if (before == null) {
      add(block, CallProperty.RECORDED, CallProperty.EVERY_CALL);
    }
    if (before == null || !Objects.equals(before.receivedAt(), call.receivedAt())) {
      TimeBuckets.of(at, bucket -> added.add(entry(bucket, block)));
    }
    for (CallProperty property : CallProperty.OF_CALLS) {
      Object value = property.of(call);
      if (value != null && (before == null || !value.equals(property.of(before)))) {
        add(block, property, value);
      }
    }
  }

  private void add(long block, CallProperty property, Object value) {
    added.add(entry(property.number(value), block));
  }

  /** Writes the rows that are not there yet. No block beyond the newest one has any. */
  void write(Connection view) throws SQLException {
    if (added.isEmpty()) {
      return;
    }
    long newest = newestBlock(view);
    Map<Boolean, List<Long>> isNew =
        added.stream().collect(partitioningBy(entry -> blockOfEntry(entry) > newest));
    RowBatch.write(
        view,
        "INSERT INTO call_blocks (entry, position, changed) VALUES (?, ?, ?)",
        isNew.getOrDefault(true, List.of()),
        CallBlockTable::set);
    RowBatch.write(
        view,
        "INSERT INTO call_blocks (entry, position, changed)"
            + " SELECT CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)"
            + " WHERE NOT EXISTS (SELECT 1 FROM call_blocks WHERE entry = ?)",
        isNew.getOrDefault(false, List.of()),
        (insert, entry) -> {
          set(insert, entry);
          insert.setLong(4, entry);
        });
  }

  /** The newest block that has rows; -1 without any. Every such block has a recorded call. */
  private static long newestBlock(Connection view) throws SQLException {
    int recorded = CallProperty.RECORDED.number(CallProperty.EVERY_CALL);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT entry FROM call_blocks WHERE entry BETWEEN ? AND ? ORDER BY entry LIMIT 1")) {
      select.setLong(1, entry(recorded, BLOCK_MASK));
      select.setLong(2, entry(recorded, 0));
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? blockOfEntry(row.getLong(1)) : -1;
      }
    }
  }

  private static void set(PreparedStatement insert, Long entry) throws SQLException {
    long first = blockOfEntry(entry) * POSITIONS;
    insert.setLong(1, entry);
    insert.setLong(2, first);
    insert.setLong(3, first);
  }
}
