package gatebook.query.projection;

import java.util.List;
import java.util.stream.Stream;

/**
 * A table of a view. Besides its own columns it has three others: that of the projection's {@link
 * GroupTag}, the call or tree a row belongs to, absent when it belongs to none; {@code position},
 * the position of the event that created the row; and {@code changed}, the position of the event
 * that changed it last. They allow a rebuild to copy a part of the view.
 *
 * @param key the columns of the primary key; empty when equal rows are allowed
 * @param columns the table's own columns, as SQL declares them
 * @param indexed the indexes, each a list of columns
 */
public record ViewTable(String name, String key, List<String> columns, List<String> indexed) {

  public ViewTable {
    columns = List.copyOf(columns);
    indexed = List.copyOf(indexed);
  }

  /** The statements that create the table. */
  Stream<String> statements(GroupTag groupTag) {
    String table =
        "CREATE TABLE %s (%s UUID, position BIGINT NOT NULL, changed BIGINT NOT NULL, %s%s)"
            .formatted(
                name,
                groupTag.column(),
                String.join(", ", columns),
                key.isEmpty() ? "" : ", PRIMARY KEY (%s)".formatted(key));
    return Stream.concat(
        Stream.of(table),
        indexed.stream()
            .map(it ->
                "CREATE INDEX %s_by_%s ON %s (%s)"
                    .formatted(name, it.replace(", ", "_"), name, it)));
  }
}
