package gatebook.events.fault;

import static gatebook.events.fault.PublicFault.invalidRequest;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Erasable;
import gatebook.events.call.Word;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A misdirected call: well-formed, but not possible as it was requested. */
public sealed interface Misdirected extends ClientFault {

  /** Neither the gateway nor an upstream has the method. */
  record MethodNotFound(@FromCaller String method) implements Misdirected {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Method not found").details(method);
    }
  }

  /** No agent has the id that the caller addressed. */
  record UnknownAgent(@FromCaller @LogField("agent") String agent) implements Misdirected {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Agent not found").details("no such agent");
    }
  }

  /** The parameters do not fit the method; at least one problem, the first found first. */
  record InvalidParams(@Erasable @FromCaller @LogField("problems") List<Problem> problems)
      implements Misdirected {
    public InvalidParams {
      problems = List.copyOf(problems);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Invalid params").explaining(problems);
    }
  }

  /** The caller is not known, or not permitted to do this. */
  record Unauthorized(@LogField("reason") Refusal refusal) implements Misdirected {
    @Override
    public PublicFault shown() {
      return invalidRequest(refusal.word());
    }
  }

  /** The reason why the caller is refused. */
  enum Refusal implements Word {
    TOKEN_MISSING("token-missing"),
    TOKEN_UNKNOWN("token-unknown"),
    NOT_PERMITTED("not-permitted"),
    USER_MISMATCH("user-mismatch");

    private final String word;

    Refusal(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /**
   * Too many calls; {@code retryAfterSeconds} is absent when it is not known when calls are
   * accepted again.
   */
  record RateLimited(@LogField("reason") Limit limit, @Nullable Long retryAfterSeconds)
      implements Misdirected {

    @Override
    public Category category() {
      return limit == Limit.UPSTREAM ? Category.UPSTREAM : Misdirected.super.category();
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Too many requests")
          .because(limit.word())
          .details(
              retryAfterSeconds == null ? limit.advice : PublicFault.retryAfter(retryAfterSeconds))
          .retry(retryAfterSeconds);
    }
  }

  /** The limit that was reached. */
  enum Limit implements Word {
    /** Calls per second. */
    RATE("rate", Limit.LATER),
    /** Calls of one principal that wait for a person. */
    HELD_CALLS("held-calls", "too many of your calls wait for approval: retry when one is decided"),
    /** Calls of a quota that run at the same time. */
    CONCURRENCY("concurrency", "too many calls run at the same time: retry when one has ended"),
    /** Calls of a quota in one day. */
    BUDGET("budget", Limit.LATER),
    /** A limit of the upstream. */
    UPSTREAM("upstream", Limit.LATER);

    private static final String LATER = "retry later, and less often";

    private final String word;
    private final String advice;

    Limit(String word, String advice) {
      this.word = word;
      this.advice = advice;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** A header that contradicts the body it describes. */
  record HeaderMismatch(@Erasable @FromCaller @LogField("header") String header)
      implements Misdirected {
    @Override
    public PublicFault shown() {
      return invalidRequest("header-mismatch").details(header);
    }
  }
}
