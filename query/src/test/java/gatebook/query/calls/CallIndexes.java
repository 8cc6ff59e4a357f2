package gatebook.query.calls;

import gatebook.query.terms.StoredOccurrences;
import gatebook.query.terms.TermIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The indexes of terms in the view of calls, to compare their content. */
public final class CallIndexes {
  private CallIndexes() {}

  /** The index that a table belongs to. */
  public static Optional<TermIndex> ofTable(String table) {
    String name = table.toLowerCase(Locale.ROOT).replace("_chunks", "");
    return indexes().filter(index -> index.name().equals(name)).findFirst();
  }

  /** All occurrences of each index, as text. */
  public static Map<String, List<String>> of(Connection view) throws SQLException {
    Map<String, List<String>> contents = new TreeMap<>();
    for (TermIndex index : indexes().toList()) {
      contents.put(index.name(), StoredOccurrences.of(view, index));
    }
    return contents;
  }

  private static Stream<TermIndex> indexes() {
    return Stream.of(CallKeys.INDEX, CallBlocks.INDEX);
  }
}
