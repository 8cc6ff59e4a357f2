package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** A fault of the gateway itself. */
public sealed interface ServerFault extends Fault {

  @Override
  default Category category() {
    return Category.SERVER;
  }

  @Override
  default Severity severity() {
    return Severity.ERROR;
  }

  /**
   * The call cannot be served now; {@code retryAfterSeconds} is absent when it is not known until
   * when.
   */
  record ServiceUnavailable(Cause cause, @Nullable Long retryAfterSeconds) implements ServerFault {

    @Override
    public Category category() {
      return cause == Cause.UPSTREAM || cause == Cause.UPSTREAM_QUEUE_FULL
          ? Category.UPSTREAM
          : ServerFault.super.category();
    }
  }

  /** What is unavailable. */
  enum Cause {
    JOURNAL("journal"),
    /** The call went upstream, and its outcome could not be written. */
    OUTCOME_NOT_RECORDED("outcome-not-recorded"),
    QUEUE_FULL("queue-full"),
    /** The messages in flight take all the memory they may; nothing was forwarded. */
    OVERLOADED("overloaded"),
    /** The call went upstream, and its answer did not fit beside the other messages in flight. */
    ANSWER_DROPPED("answer-dropped"),
    HELD_CALLS_FULL("held-calls-full"),
    /** The source said so. */
    UPSTREAM("upstream"),
    /** Too many requests to the source are open; nothing was sent to it. */
    UPSTREAM_QUEUE_FULL("upstream-queue-full"),
    SHUTTING_DOWN("shutting-down");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The rules, or what they name, cannot be used. */
  record ConfigurationError(String detail) implements ServerFault {}

  /** An unexpected error in the operation that {@code doing} names. */
  @SuppressWarnings("AvoidCommonTypeNames") // the name every vocabulary has for it
  record InternalError(String doing, String error) implements ServerFault {}

  /** A value of the gateway could not be serialised or deserialised. */
  record SerializationError(String what) implements ServerFault {}

  /** A file or a connection of the gateway could not be read or written. */
  record IoError(String what) implements ServerFault {}
}
