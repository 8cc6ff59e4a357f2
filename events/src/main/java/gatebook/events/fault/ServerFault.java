package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** What we could not do. */
public sealed interface ServerFault extends Fault {

  @Override
  default Category category() {
    return Category.SERVER;
  }

  @Override
  default Severity severity() {
    return Severity.ERROR;
  }

  /** Not now; {@code retryAfterSeconds} is absent when nobody knows until when. */
  record ServiceUnavailable(Cause cause, @Nullable Long retryAfterSeconds) implements ServerFault {

    @Override
    public Category category() {
      return cause == Cause.UPSTREAM ? Category.UPSTREAM : ServerFault.super.category();
    }
  }

  /** What is unavailable. */
  enum Cause {
    JOURNAL("journal"),
    /** The call went upstream, and what came of it could not be written. */
    OUTCOME_NOT_RECORDED("outcome-not-recorded"),
    QUEUE_FULL("queue-full"),
    HELD_CALLS_FULL("held-calls-full"),
    UPSTREAM("upstream"),
    SHUTTING_DOWN("shutting-down");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The rules, or what they name, cannot be used. */
  record ConfigurationError(String detail) implements ServerFault {}

  /** Something unforeseen happened while {@code doing} what it says. */
  @SuppressWarnings("AvoidCommonTypeNames") // the name every vocabulary has for it
  record InternalError(String doing, String error) implements ServerFault {}

  /** Something of ours could not be turned into, or read from, its written form. */
  record SerializationError(String what) implements ServerFault {}

  /** Something of ours could not be read or written. */
  record IoError(String what) implements ServerFault {}
}
