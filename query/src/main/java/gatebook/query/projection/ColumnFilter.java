package gatebook.query.projection;

import java.util.Optional;

/** The condition on a column under which its row matches the filter. */
public sealed interface ColumnFilter {
  ColumnFilter ANYTHING = new Anything();
  ColumnFilter NOTHING = new Nothing();

  /** Any value, and none. */
  record Anything() implements ColumnFilter {}

  /** No value. */
  record Nothing() implements ColumnFilter {}

  /** This value. */
  record Exactly(Object value) implements ColumnFilter {}

  /** This value, or anything when there is none. */
  static ColumnFilter of(Optional<?> value) {
    return value.<ColumnFilter>map(Exactly::new).orElse(ANYTHING);
  }
}
