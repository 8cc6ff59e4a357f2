package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads tallies from the rows themselves: by any columns, and with any filter. The first span is
 * read in pieces, which are kept, so that spans within it are read mostly from them.
 */
public final class RowReader implements TallySource {
  private static final int PIECES = 64;
  private static final int KEPT_MAX = 100_000;
  private static final TimeSpan NONE = new TimeSpan(0, 0);

  private final Connection view;
  private final CountTable table;
  private final List<String> columns;
  private final RowFilter rowFilter;
  private final boolean isFew;

  /** The times of the first and of the last row. */
  private final TimeSpan rowTimes;

  /** The first span that was read, or {@code NONE} when its pieces had too many tallies. */
  private @Nullable TimeSpan first;

  private long pieceNanos;
  private final List<Piece> pieces = new ArrayList<>();

  /** A tally of a piece, which begins at a time. */
  private record Piece(long begin, Map<String, @Nullable String> values, Tally tally) {}

  /** Takes a tally, in the first columns of a row, before those by which rows are grouped. */
  @FunctionalInterface
  private interface RowTaker {
    void take(ResultSet row) throws SQLException;
  }

  private RowReader(
      Connection view, CountTable table, List<String> columns, RowFilter rowFilter, boolean isFew)
      throws SQLException {
    this.view = view;
    this.table = table;
    this.columns = columns;
    this.rowFilter = rowFilter;
    this.isFew = isFew;
    this.rowTimes = table.rowTimes(view);
  }

  /**
   * Reads any rows.
   *
   * @param columns those in which the rows of a tally have the same values, at least one
   */
  public static RowReader of(
      Connection view, CountTable table, List<String> columns, RowFilter rowFilter)
      throws SQLException {
    return new RowReader(view, table, columns, rowFilter, false);
  }

  /** Reads a few rows, which the filter finds by their places. */
  public static RowReader ofFew(
      Connection view, CountTable table, List<String> columns, RowFilter rowFilter)
      throws SQLException {
    return new RowReader(view, table, columns, rowFilter, true);
  }

  @Override
  public void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    TimeSpan all = new TimeSpan(rowTimes.from(), rowTimes.to() + 1);
    for (int i = 0; i < spans.size(); i++) {
      TimeSpan span = spans.get(i).within(all);
      if (span.from() < span.to()) {
        read(span, i, tallyTaker);
      }
    }
  }

  private void read(TimeSpan span, long part, TallyTaker tallyTaker) throws SQLException {
    if (first == null) {
      readPieces(span, part, tallyTaker);
      return;
    }
    TimeSpan whole = wholePieces(span.within(first), first.from());
    if (whole.from() >= whole.to()) {
      readRows(span, part, tallyTaker);
      return;
    }
    for (Piece piece : pieces) {
      if (whole.contains(piece.begin)) {
        tallyTaker.take(part, piece.values, piece.tally);
      }
    }
    readRows(new TimeSpan(span.from(), whole.from()), part, tallyTaker);
    readRows(new TimeSpan(whole.to(), span.to()), part, tallyTaker);
  }

  private TimeSpan wholePieces(TimeSpan span, long begin) {
    return new TimeSpan(
        begin + Math.ceilDiv(span.from() - begin, pieceNanos) * pieceNanos,
        begin + Math.floorDiv(span.to() - begin, pieceNanos) * pieceNanos);
  }

  private void readPieces(TimeSpan span, long part, TallyTaker tallyTaker) throws SQLException {
    long nanos = Math.ceilDiv(span.to() - span.from(), (long) PIECES);
    List<String> grouped = new ArrayList<>(columns);
    grouped.add("(%s - %d) / %d".formatted(table.at(), span.from(), nanos));
    read(
        grouped,
        span,
        row -> {
          long begin = span.from() + row.getLong(4 + grouped.size()) * nanos;
          Piece piece = new Piece(begin, TallySource.values(row, columns), tally(row));
          tallyTaker.take(part, piece.values, piece.tally);
          if (pieces.size() <= KEPT_MAX) {
            pieces.add(piece);
          }
        });
    pieceNanos = nanos;
    first = span;
    if (pieces.size() > KEPT_MAX) {
      pieces.clear();
      first = NONE;
    }
  }

  private void readRows(TimeSpan span, long part, TallyTaker tallyTaker) throws SQLException {
    if (span.from() < span.to()) {
      read(
          columns,
          span,
          row -> tallyTaker.take(part, TallySource.values(row, columns), tally(row)));
    }
  }

  @Override
  public void readEach(CountInterval interval, TimeSpan span, TallyTaker tallyTaker)
      throws SQLException {
    List<String> grouped = new ArrayList<>(columns);
    grouped.add(interval.begin(table.at()));
    read(
        grouped,
        span,
        row ->
            tallyTaker.take(
                row.getLong(4 + grouped.size()), TallySource.values(row, columns), tally(row)));
  }

  @Override
  public long lastAt() {
    return rowTimes.to();
  }

  private void read(List<String> grouped, TimeSpan span, RowTaker rowTaker) throws SQLException {
    RowFilter isIn = new RowFilter().and(table.at() + " >= ?", span.from());
    isIn.and(table.at() + " < ?", span.to());
    if (!isFew) {
      PlaceRange places = new PlaceFinder(view, table, span).range();
      isIn.and("place >= ? AND place <= ?", places.first(), places.last());
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT SUM(times), MIN(%1$s), MAX(%1$s), MAX(place), %2$s FROM %3$s WHERE TRUE%4$s%5$s GROUP BY %2$s"
                .formatted(
                    table.at(),
                    String.join(", ", grouped),
                    table.rows(),
                    isIn.sql(),
                    rowFilter.sql()))) {
      int _ = rowFilter.set(select, isIn.set(select, 1));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          rowTaker.take(row);
        }
      }
    }
  }

  private static Tally tally(ResultSet row) throws SQLException {
    return new Tally(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
  }
}
