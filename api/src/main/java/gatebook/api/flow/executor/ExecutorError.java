package gatebook.api.flow.executor;

import gatebook.command.tree.SettleTreeTask.Ending;
import org.jspecify.annotations.Nullable;

/**
 * The error of a task whose executor failed: it names the executor, and says why. A denial is no
 * failure of the executor, nor are wrong inputs.
 */
public final class ExecutorError {
  private static final int INTERNAL_ERROR = -32603;

  private ExecutorError() {}

  /** The ending of a call, where a failure names its executor. */
  static Ending named(Ending ending, @Nullable String executor) {
    return ending instanceof Ending.Failure(var cause, var code)
            && executor != null
            && (code == null || code == INTERNAL_ERROR)
        ? new Ending.Failure(prefix(executor) + cause, code)
        : ending;
  }

  /** Why the executor failed, without its name. */
  public static String cause(String executor, String error) {
    String prefix = prefix(executor);
    return error.startsWith(prefix) ? error.substring(prefix.length()) : error;
  }

  private static String prefix(String executor) {
    return "Executor '%s' raised exception: ".formatted(executor);
  }
}
