package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of a candidate on a call, which had no effect on its answer. What has no value is
 * absent.
 *
 * @param rulesHash of the candidate
 * @param gate that decided
 * @param rule the place of the governance rule that decided, counted from 1
 * @param policies that determined the decision
 * @param reason a word: of the denial, of the failure, or the name of the inspector or fault
 * @param workflow that would ask a person
 * @param target the denied target, by which such verdicts are counted; absent for the others, as is
 *     {@code principal}
 */
@JsonInclude(Include.NON_NULL)
public record ObservedVerdict(
    String rulesHash,
    Outcome outcome,
    @Nullable Gate gate,
    @Nullable Integer rule,
    @Nullable List<String> policies,
    @Nullable String reason,
    @Nullable String workflow,
    @Nullable String target,
    @Nullable String principal) {

  public ObservedVerdict {
    policies = policies == null ? null : List.copyOf(policies);
  }

  /** The candidate could not decide; the reason is a word. */
  public static ObservedVerdict failed(String rulesHash, String reason) {
    return new ObservedVerdict(
        rulesHash, Outcome.FAILED, null, null, null, reason, null, null, null);
  }

  /** What would have become of the call. */
  public enum Outcome implements Word {
    WOULD_FORWARD("would-forward"),
    /** A person would be asked. Nobody was. */
    WOULD_ASK("would-ask"),
    WOULD_DENY("would-deny"),
    /** No gate would deny it, and an inspector would refuse it, or it has a flaw. */
    WOULD_WITHHOLD("would-withhold"),
    /** The candidate could not decide. */
    FAILED("failed");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }
}
