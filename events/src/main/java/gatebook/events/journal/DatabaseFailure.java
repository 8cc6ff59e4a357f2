package gatebook.events.journal;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies and describes a failure of the database. */
final class DatabaseFailure {
  /** Data exceptions, integrity violations and exceeded limits: the same event would fail again. */
  private static final Set<String> DATA_CLASSES = Set.of("22", "23", "54");

  private DatabaseFailure() {}

  static boolean isCausedByData(Throwable failure) {
    for (@Nullable SQLException e = asSql(failure); e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && state.length() == 5 && DATA_CLASSES.contains(state.substring(0, 2))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable SQLException asSql(Throwable failure) {
    return failure instanceof SQLException sql ? sql : null;
  }

  /** One line for operators: the engine's message without the lines it adds below. */
  static String describe(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
