package gatebook.api.flow.executor;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.tree.SettleTreeTask.Ending;
import gatebook.events.call.TextPrefix;

/** The size of the ending of a task: what is too large to be recorded must not be tried. */
final class EndingSize {

  /** The beginning of an error is enough to act on, and always fits into an event. */
  static final int ERROR_CHARS_MAX = 4_096;

  private EndingSize() {}

  /** The ending, or the failure that it becomes when the result is too large. */
  static Ending limited(Ending ending, int resultBytesMax) {
    return switch (ending) {
      case Ending.Result(var json) -> {
        int bytes = json.getBytes(UTF_8).length;
        yield bytes <= resultBytesMax
            ? ending
            : new Ending.Failure(
                "the result has %d bytes, and at most %d are allowed"
                    .formatted(bytes, resultBytesMax),
                null);
      }
      case Ending.Failure(var error, var code) ->
          error.length() <= ERROR_CHARS_MAX ? ending : new Ending.Failure(beginning(error), code);
    };
  }

  private static String beginning(String error) {
    return TextPrefix.of(error, ERROR_CHARS_MAX - 1) + "…";
  }
}
