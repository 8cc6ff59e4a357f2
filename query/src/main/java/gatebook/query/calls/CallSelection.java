package gatebook.query.calls;

import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.BlockSearch.Blocks;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.RowFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Selects rows of calls, newest first: that is the order of the positions at which they began. */
final class CallSelection {
  /** More calls than these with one correlation id are found like calls with any of its ids. */
  private static final int CORRELATED_MAX = 1_000;

  private final Connection view;
  private final ListCalls query;
  private final List<CallView> calls = new ArrayList<>();
  private long last;

  private CallSelection(Connection view, ListCalls query) {
    this.view = view;
    this.query = query;
    this.last = query.before().orElse(Long.MAX_VALUE);
  }

  /**
   * A page of rows.
   *
   * @param next the cursor of the next page; empty on the last page
   */
  record RowPage(List<CallView> calls, OptionalLong next) {}

  /** A page of the calls that match a filter. */
  static RowPage page(Connection view, ListCalls query) throws SQLException {
    return new CallSelection(view, query).page();
  }

  private RowPage page() throws SQLException {
    boolean more =
        query.filter().correlationId().isPresent()
            ? readCorrelated(query.filter().correlationId().get())
            : readBlocks();
    return new RowPage(calls, more ? OptionalLong.of(last) : OptionalLong.empty());
  }

  /** Returns whether there are more calls than the page has. */
  private boolean readCorrelated(String correlationId) throws SQLException {
    Set<Long> correlated =
        CallKeys.positions(
            view, CallKeys.terms(CallKeys.forSearch(correlationId)), CORRELATED_MAX + 1);
    return correlated.size() > CORRELATED_MAX
        ? readBlocks()
        : read(
            new RowFilter()
                .and("position = ANY(?)", view.createArrayOf("BIGINT", correlated.toArray()))
                .and("position < ?", last));
  }

  private boolean readBlocks() throws SQLException {
    try (BlockSearch search = new BlockSearch(view)) {
      Blocks matching = matching(search);
      long block = matching.notAfter(CallBlocks.INDEX.place(last - 1));
      while (block != BlockSearch.NONE) {
        if (read(block)) {
          return true;
        }
        block = block == 0 ? BlockSearch.NONE : matching.notAfter(block - 1);
      }
      return false;
    }
  }

  private Blocks matching(BlockSearch search) throws SQLException {
    CallFilter filter = query.filter();
    List<Blocks> all = new ArrayList<>();
    filter.properties().forEach(property -> all.add(search.with(property)));
    if (filter.status().isPresent()) {
      all.add(withStatus(search, filter.status().get()));
    }
    if (filter.since().isPresent() || filter.until().isPresent()) {
      all.add(receivedInTime(search, filter));
    }
    if (all.isEmpty()) {
      all.add(search.with(CallProperty.RECORDED.number(CallProperty.EVERY_CALL)));
    }
    return BlockSearch.all(all);
  }

  private Blocks withStatus(BlockSearch search, CallStatus status) throws SQLException {
    Blocks with = search.with(CallProperty.STATUS.number(status.word()));
    return CallProperty.isOpen(status)
        ? BlockSearch.any(List.of(BlockSearch.of(OpenCallTable.blocks(view)), with))
        : with;
  }

  private static Blocks receivedInTime(BlockSearch search, CallFilter filter) {
    List<Blocks> buckets = new ArrayList<>();
    TimeBuckets.covering(
        filter.since().map(EpochNanos::of).orElse(Long.MIN_VALUE),
        filter.until().map(EpochNanos::of).orElse(Long.MAX_VALUE),
        bucket -> buckets.add(search.with(bucket)));
    return BlockSearch.any(buckets);
  }

  private boolean read(long block) throws SQLException {
    long first = block * CallBlocks.POSITIONS;
    return read(
        new RowFilter()
            .and("position >= ?", first)
            .and("position < ?", Math.min(last, first + CallBlocks.POSITIONS)));
  }

  /** Adds the matching calls of a range to the page. Returns whether it has more than fit in. */
  private boolean read(RowFilter range) throws SQLException {
    RowFilter matching = query.filter().rowFilter();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT position, %s FROM calls WHERE TRUE%s%s ORDER BY position DESC LIMIT ?"
                .formatted(CallTable.COLUMNS, range.sql(), matching.sql()))) {
      select.setInt(matching.set(select, range.set(select, 1)), query.limit() - calls.size() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (calls.size() == query.limit()) {
            return true;
          }
          calls.add(CallTable.call(row));
          last = row.getLong("position");
        }
      }
    }
    return false;
  }

  /** The calls with these ids, as far as they are in the view. */
  static Map<UUID, CallView> rows(Connection view, List<UUID> callIds) throws SQLException {
    Map<UUID, CallView> calls = new HashMap<>();
    Set<Long> positions =
        CallKeys.positions(view, callIds.stream().map(CallKeys::term).toList(), 1);
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM calls WHERE position = ANY(?)".formatted(CallTable.COLUMNS))) {
      select.setArray(1, view.createArrayOf("BIGINT", positions.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          CallView call = CallTable.call(row);
          calls.put(call.callId(), call);
        }
      }
    }
    return calls;
  }
}
