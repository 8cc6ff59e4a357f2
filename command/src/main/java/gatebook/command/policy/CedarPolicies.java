package gatebook.command.policy;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.policy.Policy;
import com.cedarpolicy.model.policy.PolicySet;
import gatebook.command.policy.CedarJson.UnusableInput;
import gatebook.command.policy.check.PolicyCheck;
import gatebook.command.policy.check.QuestionParts;
import gatebook.command.policy.check.QuestionParts.Owner;
import gatebook.command.policy.check.ToolSchema;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiled Cedar policies. They are immutable but for a cache, and decide questions from any number
 * of threads. A question that no policy permits is denied, and so is one that any policy could not
 * evaluate.
 */
public final class CedarPolicies {

  /** The engine that evaluates policies, and its version. */
  public static final String ENGINE = CedarEngine.VERSION;

  /** How many decisions are cached by default. */
  public static final int DECISIONS_MAX = 10_000;

  /** The longest question, in characters, whose decision is cached. */
  static final int CACHED_CHARACTERS_MAX = 2_048;

  /** No policies: nothing is permitted. */
  public static final CedarPolicies NONE = new CedarPolicies(null, List.of(), QuestionParts.ALL, 0);

  private final @Nullable PolicySet set;
  private final List<PolicyCheck> checks;
  private final QuestionParts parts;
  private final @Nullable DecisionCache<Key, PolicyAnswer> decisionCache;
  private final @Nullable CedarPolicies withObserved;

  /**
   * Policies that are asked with these parts of a question. They cache no decision when they read
   * the time, or {@code decisionsMax} is 0.
   */
  CedarPolicies(
      @Nullable PolicySet set, List<PolicyCheck> checks, QuestionParts parts, int decisionsMax) {
    this(set, checks, parts, decisionsMax, null);
  }

  /**
   * The same.
   *
   * @param withObserved these policies with those in mode observe; null when there are none
   */
  CedarPolicies(
      @Nullable PolicySet set,
      List<PolicyCheck> checks,
      QuestionParts parts,
      int decisionsMax,
      @Nullable CedarPolicies withObserved) {
    this.withObserved = withObserved;
    this.set = set;
    this.checks = List.copyOf(checks);
    this.parts = parts;
    this.decisionCache =
        decisionsMax == 0 || parts.include(Owner.CONTEXT, CedarRequest.TIME)
            ? null
            : new DecisionCache<>(decisionsMax);
  }

  public static PolicyReading compile(List<PolicyFile> files, @Nullable PolicyFile schema) {
    return compile(files, schema, DECISIONS_MAX);
  }

  /** Caches at most {@code decisionsMax} decisions, none when it is 0. */
  public static PolicyReading compile(
      List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    return new PolicyCompiler(files, schema, decisionsMax).compile();
  }

  /** These policies with those in mode observe; these themselves when there are none. */
  public CedarPolicies withObserved() {
    return withObserved == null ? this : withObserved;
  }

  /**
   * Decides a question.
   *
   * @param nanos only measures how long it takes
   */
  public Ruling.Policy decide(PolicyQuestion policyQuestion, LongSupplier nanos) {
    long began = nanos.getAsLong();
    Key key = decisionCache == null ? null : Key.of(policyQuestion);
    PolicyAnswer cached = decisionCache == null || key == null ? null : decisionCache.get(key);
    PolicyAnswer policyAnswer = cached == null ? evaluate(policyQuestion) : cached;
    if (decisionCache != null && key != null && cached == null && !policyAnswer.isError()) {
      decisionCache.put(key, policyAnswer);
    }
    return policyAnswer.ruling(
        policyQuestion.policyId(), cached != null, (nanos.getAsLong() - began) / 1_000);
  }

  /**
   * Warns of arguments that policies read and these tools do not declare, or declare with another
   * type. The list must hold all tools. A schema that leaves room for doubt gives no warning.
   */
  public List<Mistake> warningsFor(List<ToolSchema> tools) {
    return PolicyCheck.warnings(checks, tools);
  }

  /** The texts of the policies, by the ids that rulings name. */
  public Map<String, String> texts() {
    return set == null
        ? Map.of()
        : set.policies.stream().collect(toUnmodifiableMap(Policy::getID, Policy::getSource));
  }

  private PolicyAnswer evaluate(PolicyQuestion policyQuestion) {
    if (set == null) {
      return PolicyAnswer.NOTHING_PERMITS;
    }
    try {
      CedarRequest cedarRequest = CedarRequest.of(policyQuestion, parts);
      return PolicyAnswer.of(
          CedarEngine.instance()
              .isAuthorized(cedarRequest.request(), set, cedarRequest.entities()));
    } catch (UnusableInput e) {
      return PolicyAnswer.failed(String.valueOf(e.getMessage()));
    } catch (AuthException | RuntimeException | LinkageError e) {
      return PolicyAnswer.failed("the policy engine failed: " + e.getClass().getSimpleName());
    }
  }

  /**
   * A question without its time. Policies that do not read the time decide equal keys alike. Keys
   * are compared in full, since two questions may have the same hash.
   */
  private record Key(
      Principal principal,
      String method,
      boolean tool,
      String name,
      String source,
      @Nullable String arguments,
      String policyId) {

    /** Null for a question so long that caching many like it would need too much memory. */
    static @Nullable Key of(PolicyQuestion policyQuestion) {
      String arguments = policyQuestion.arguments();
      long characters =
          (long) policyQuestion.method().length()
              + policyQuestion.name().length()
              + (arguments == null ? 0 : arguments.length());
      return characters > CACHED_CHARACTERS_MAX
          ? null
          : new Key(
              policyQuestion.principal(),
              policyQuestion.method(),
              policyQuestion.tool(),
              policyQuestion.name(),
              policyQuestion.source(),
              arguments,
              policyQuestion.policyId());
    }
  }
}
