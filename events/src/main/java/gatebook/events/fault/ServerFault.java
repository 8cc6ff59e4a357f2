package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Erasable;
import gatebook.events.call.Word;
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
  record ServiceUnavailable(@LogField("reason") Cause cause, @Nullable Long retryAfterSeconds)
      implements ServerFault {

    @Override
    public Category category() {
      return cause == Cause.UPSTREAM || cause == Cause.UPSTREAM_QUEUE_FULL
          ? Category.UPSTREAM
          : ServerFault.super.category();
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Service unavailable")
          .because(told().word())
          .details(PublicFault.parts(cause.consequence, PublicFault.retryAfter(retryAfterSeconds)))
          .retry(retryAfterSeconds);
    }

    /** The cause that callers are told. */
    private Cause told() {
      return switch (cause) {
        case ANSWER_DROPPED -> Cause.OVERLOADED;
        case STOPPED -> Cause.SHUTTING_DOWN;
        default -> cause;
      };
    }
  }

  /** What is unavailable. */
  enum Cause implements Word {
    JOURNAL("journal", "calls cannot be recorded now: nothing was forwarded"),
    /** The call went upstream, and its outcome could not be written. */
    OUTCOME_NOT_RECORDED("outcome-not-recorded", "forwarded, outcome not recorded, do not retry"),
    /** What is free on the disk is kept for recording denials. */
    DISK_RESERVE("disk-reserve", "the disk is nearly full: nothing was forwarded"),
    QUEUE_FULL("queue-full", "overloaded: nothing was forwarded"),
    /** The messages in flight take all the memory they may; nothing was forwarded. */
    OVERLOADED("overloaded", "overloaded: nothing was forwarded"),
    /** The call went upstream, and its answer did not fit beside the other messages in flight. */
    ANSWER_DROPPED("answer-dropped", "overloaded: forwarded, the answer was dropped, do not retry"),
    HELD_CALLS_FULL("held-calls-full", "too many calls wait for approval"),
    /** The source said so. */
    UPSTREAM("upstream", "the upstream server is unavailable"),
    /** Too many requests to the source are open; nothing was sent to it. */
    UPSTREAM_QUEUE_FULL("upstream-queue-full", "too many requests to the upstream server are open"),
    /** The keys of a token's issuer cannot be read. */
    SIGN_ON_KEYS("sign-on-keys", "tokens cannot be verified now: nothing was forwarded"),
    SHUTTING_DOWN("shutting-down", "shutting down: nothing was forwarded"),
    /** The call went upstream, and the node stopped before its answer came. */
    STOPPED("stopped", "shutting down: forwarded, the answer was not awaited, do not retry");

    private final String word;
    private final String consequence;

    Cause(String word, String consequence) {
      this.word = word;
      this.consequence = consequence;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The rules, or what they name, cannot be used. */
  record ConfigurationError(@LogField("reason") String detail) implements ServerFault {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Configuration error")
          .details("the rules cannot be used: an operator has to correct them");
    }
  }

  /** An unexpected error in the operation that {@code doing} names. */
  @SuppressWarnings("AvoidCommonTypeNames") // the name every vocabulary has for it
  record InternalError(@LogField("doing") String doing, @Erasable @LogField("reason") String error)
      implements ServerFault {
    @Override
    public PublicFault shown() {
      return failedInternally();
    }
  }

  /** A value of the gateway could not be serialised or deserialised. */
  record SerializationError(@Erasable @LogField("reason") String what) implements ServerFault {
    @Override
    public PublicFault shown() {
      return failedInternally();
    }
  }

  /** A file or a connection of the gateway could not be read or written. */
  record IoError(@Erasable @LogField("reason") String what) implements ServerFault {
    @Override
    public PublicFault shown() {
      return failedInternally();
    }
  }

  /** Nothing is shown of what failed. */
  private static PublicFault failedInternally() {
    return PublicFault.of("Internal error");
  }
}
