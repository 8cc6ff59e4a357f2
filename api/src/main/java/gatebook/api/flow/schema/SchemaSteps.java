package gatebook.api.flow.schema;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaException;
import java.io.Serial;
import java.util.function.Supplier;

/**
 * Counts the steps of checks by schemas, and ends the check that takes too many. A step is about
 * one keyword of a schema that is applied to one value.
 */
public final class SchemaSteps {
  private static final ScopedValue<SchemaSteps> CURRENT = ScopedValue.newInstance();

  private long left;

  public SchemaSteps(long stepsMax) {
    this.left = stepsMax;
  }

  /** Ends a check that takes too many steps. */
  static final class TooManySteps extends SchemaException {
    @Serial private static final long serialVersionUID = 1L;

    TooManySteps() {
      super(Error.builder().message("too many steps").build());
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  void take(long steps) {
    left -= steps;
    if (left < 0) {
      throw new TooManySteps();
    }
  }

  /** Takes steps of the check that runs in this thread. */
  static void takeCurrent(long steps) {
    CURRENT.get().take(steps);
  }

  /** Runs a check whose steps are taken from these. */
  <T> T count(Supplier<T> check) {
    return ScopedValue.where(CURRENT, this).call(check::get);
  }
}
