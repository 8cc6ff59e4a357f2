package gatebook.query.projection;

import java.util.List;
import java.util.stream.Stream;

/**
 * A table of a view. Besides its own columns it has three: {@code call}, the call a row is about,
 * absent where it is about none; {@code position}, that of the event which made the row; and {@code
 * changed}, that of the event which changed it last. By these, a part of a view can be taken over
 * into another making of it.
 *
 * @param key columns that tell its rows apart; empty where two may be the same
 * @param columns its own, as SQL declares them
 * @param indexed each a list of columns
 */
public record ViewTable(String name, String key, List<String> columns, List<String> indexed) {

  public ViewTable {
    columns = List.copyOf(columns);
    indexed = List.copyOf(indexed);
  }

  /** The statements that make it. */
  Stream<String> statements() {
    String table =
        "CREATE TABLE %s (call UUID, position BIGINT NOT NULL, changed BIGINT NOT NULL, %s%s)"
            .formatted(
                name,
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
