package gatebook.query.terms;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.SortedSet;

/** The occurrences of terms that a page adds to an index. */
public final class TermBatch {
  private final TermIndex index;
  private final SortedSet<byte[]> added = Occurrences.newSet();

  public TermBatch(TermIndex index) {
    this.index = index;
  }

  /**
   * Adds an occurrence. Adding it twice does no harm.
   *
   * @param position of the journal; it decides the place
   */
  public void add(byte[] term, long position) {
    boolean _ = added.add(Occurrences.occurrence(term, index.place(position)));
  }

  public void write(Connection view) throws SQLException {
    if (!added.isEmpty()) {
      new OccurrenceLists(view, index.name(), index.termBytes())
          .add(Occurrences.of(index.termBytes(), added));
    }
  }
}
