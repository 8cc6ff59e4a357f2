package gatebook.query;

import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.calls.CallIndexes;
import gatebook.query.calls.CallQueries;
import gatebook.query.errors.ErrorQueries;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import gatebook.query.terms.StoredOccurrences;
import gatebook.query.terms.TermIndex;
import gatebook.query.trees.TreeQueries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The content of views, to compare it. */
final class ViewContents {

  private ViewContents() {}

  /** Views of all kinds that follow the journal. */
  static List<View> follow(ViewFile in, Journal journal) {
    EventReader reader = new EventReader();
    EventVocabulary content = new EventVocabulary();
    CallQueries calls = CallQueries.follow(in, journal, reader, content);
    return List.of(
        calls.view(),
        ErrorQueries.follow(in, journal, reader, content).view(),
        ApprovalQueries.follow(in, journal, reader, content).view(),
        TreeQueries.follow(in, journal, reader, calls.taskCalls(), content).view());
  }

  /**
   * All rows of each table, and all occurrences of each index of terms, sorted; what says how far a
   * view is has none.
   */
  static Map<String, List<String>> of(List<View> views) {
    Map<String, List<String>> contents = new TreeMap<>();
    views.forEach(view -> contents.putAll(view.readSnapshot(ViewContents::tables)));
    return contents;
  }

  private static Map<String, List<String>> tables(Connection view) throws SQLException {
    Map<String, List<String>> tables = new TreeMap<>();
    try (ResultSet table =
        view.getMetaData().getTables(null, view.getSchema(), "%", new String[] {"BASE TABLE"})) {
      while (table.next()) {
        String name = Objects.requireNonNull(table.getString("TABLE_NAME"));
        Optional<TermIndex> index = CallIndexes.ofTable(name);
        if (index.isPresent()) {
          tables.put(index.get().name(), StoredOccurrences.of(view, index.get()));
        } else if (!name.equals("PROGRESS")) {
          tables.put(name, rows(view, name));
        }
      }
    }
    return tables;
  }

  private static List<String> rows(Connection view, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet row = view.createStatement().executeQuery("SELECT * FROM " + table)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          text.append(row.getString(i)).append(' ');
        }
        rows.add(text.toString());
      }
    }
    Collections.sort(rows);
    return rows;
  }
}
