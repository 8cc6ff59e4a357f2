package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ruling of one gate: its verdict together with what the verdict rests on. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "gate")
public sealed interface Ruling {

  Gate gate();

  Verdict verdict();

  /** How long the decision took, without waiting for a person. */
  long tookMicros();

  /**
   * Decided by what the source exposes; {@code exposure} is absent when no source has the name,
   * {@code pattern} when none matched.
   */
  @JsonTypeName("visibility")
  record Visibility(
      Verdict verdict, @Nullable Exposure exposure, @Nullable String pattern, long tookMicros)
      implements Ruling {
    @Override
    public Gate gate() {
      return Gate.VISIBILITY;
    }
  }

  /**
   * Decided by the first matching rule; {@code rule} is its place in the rules file, counted from
   * 1, and absent together with {@code pattern} when the default decided.
   */
  @JsonTypeName("governance")
  record Governance(
      Verdict verdict,
      Action action,
      @Nullable Integer rule,
      @Nullable String pattern,
      long tookMicros)
      implements Ruling {
    @Override
    public Gate gate() {
      return Gate.GOVERNANCE;
    }
  }

  /**
   * Decided by the Cedar policies; {@code policyId} is the one that the rule names, {@code reasons}
   * are those that determined the decision, {@code errors} those that could not be evaluated.
   */
  @JsonTypeName("policy")
  record Policy(
      Verdict verdict,
      @Nullable String policyId,
      List<String> reasons,
      @Erasable List<String> errors,
      String engineVersion,
      boolean cached,
      long tookMicros)
      implements Ruling {

    public Policy {
      reasons = List.copyOf(reasons);
      errors = List.copyOf(errors);
    }

    @Override
    public Gate gate() {
      return Gate.POLICY;
    }
  }

  /**
   * Decided by a person; {@code approvalId} is absent when no approval could be requested, {@code
   * by} when no person decided.
   */
  @JsonTypeName("approval")
  record Approval(
      Verdict verdict,
      String workflow,
      @Nullable UUID approvalId,
      @Nullable String by,
      long tookMicros)
      implements Ruling {
    @Override
    public Gate gate() {
      return Gate.APPROVAL;
    }
  }
}
