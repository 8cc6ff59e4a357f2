package gatebook.query.terms;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The stored occurrences of an index as text, to compare them: lists depend on pages. */
public final class StoredOccurrences {
  private StoredOccurrences() {}

  /** All occurrences in their order. */
  public static List<String> of(Connection view, TermIndex index) throws SQLException {
    SortedSet<String> all = new TreeSet<>();
    OccurrenceLists lists = new OccurrenceLists(view, index.name(), index.termBytes());
    int width = index.termBytes() + Long.BYTES;
    for (StoredList list : lists.all()) {
      Occurrences occurrences = lists.occurrences(list);
      byte[] bytes = occurrences.bytes();
      for (int i = 0; i < occurrences.count(); i++) {
        byte[] term = Arrays.copyOfRange(bytes, i * width, i * width + index.termBytes());
        all.add(HexFormat.of().formatHex(term) + " " + occurrences.place(i));
      }
    }
    return List.copyOf(all);
  }
}
