package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Objects;
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
 * @param errors why the candidate could not decide: each names the policy that failed and why, as a
 *     ruling does
 * @param workflow that would ask a person
 * @param target the denied target, by which such verdicts are counted; absent for the others, and
 *     where the event has the same one
 * @param principal that called, by which such verdicts are counted; absent for the others, and
 *     where the event has it
 */
@JsonInclude(Include.NON_NULL)
public record ObservedVerdict(
    String rulesHash,
    Outcome outcome,
    @Nullable Gate gate,
    @Nullable Integer rule,
    @Nullable List<String> policies,
    @Nullable String reason,
    @Erasable @Nullable List<String> errors,
    @Nullable String workflow,
    @Nullable String target,
    @Nullable String principal) {

  /**
   * The reason of a denial because the candidate knows no principal of the name. No gate denied.
   */
  public static final String PRINCIPAL_UNKNOWN = "principal-unknown";

  public ObservedVerdict {
    policies = policies == null ? null : List.copyOf(policies);
    errors = errors == null ? null : List.copyOf(errors);
  }

  /** The candidate could not decide; the reason is a word. */
  public static ObservedVerdict failed(
      String rulesHash, String reason, @Nullable List<String> errors) {
    return new ObservedVerdict(
        rulesHash, Outcome.FAILED, null, null, null, reason, errors, null, null, null);
  }

  /** This verdict in an event with the principal, and with a target: it repeats neither. */
  public ObservedVerdict besideTarget(@Nullable String other) {
    return new ObservedVerdict(
        rulesHash,
        outcome,
        gate,
        rule,
        policies,
        reason,
        errors,
        workflow,
        Objects.equals(target, other) ? null : target,
        null);
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
