package gatebook.events.journal;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a failure of the database says about whose fault it was. */
final class DatabaseFailure {
  /** Data exceptions, integrity violations and exceeded limits: the same event would fail again. */
  private static final Set<String> OF_THE_DATA = Set.of("22", "23", "54");

  private DatabaseFailure() {}

  static boolean isOfTheData(Throwable failure) {
    for (@Nullable SQLException e = asSql(failure); e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && state.length() == 5 && OF_THE_DATA.contains(state.substring(0, 2))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable SQLException asSql(Throwable failure) {
    return failure instanceof SQLException sql ? sql : null;
  }

  /** One line for operators: the engine's own words, without what it adds below them. */
  static String describe(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
