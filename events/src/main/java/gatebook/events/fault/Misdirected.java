package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A misdirected call: well-formed, but not possible as it was requested. */
public sealed interface Misdirected extends ClientFault {

  /** Neither the gateway nor an upstream has the method. */
  record MethodNotFound(String method) implements Misdirected {}

  /** No agent has the id that the caller addressed. */
  record UnknownAgent(String agent) implements Misdirected {}

  /** The parameters do not fit the method; at least one problem, the first found first. */
  record InvalidParams(List<Problem> problems) implements Misdirected {
    public InvalidParams {
      problems = List.copyOf(problems);
    }
  }

  /** The caller is not known, or not permitted to do this. */
  record Unauthorized(Refusal refusal) implements Misdirected {}

  /** The reason why the caller is refused. */
  enum Refusal {
    TOKEN_MISSING("token-missing"),
    TOKEN_UNKNOWN("token-unknown"),
    NOT_PERMITTED("not-permitted"),
    USER_MISMATCH("user-mismatch");

    private final String word;

    Refusal(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /**
   * Too many calls; {@code retryAfterSeconds} is absent when it is not known when calls are
   * accepted again.
   */
  record RateLimited(Limit limit, @Nullable Long retryAfterSeconds) implements Misdirected {

    @Override
    public Category category() {
      return limit == Limit.UPSTREAM ? Category.UPSTREAM : Misdirected.super.category();
    }
  }

  /** The limit that was reached. */
  enum Limit {
    /** Calls per second of one principal. */
    RATE("rate"),
    /** Calls of one principal that wait for a person. */
    HELD_CALLS("held-calls"),
    /** A limit of the upstream. */
    UPSTREAM("upstream");

    private final String word;

    Limit(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** A header that contradicts the body it describes. */
  record HeaderMismatch(String header) implements Misdirected {}
}
