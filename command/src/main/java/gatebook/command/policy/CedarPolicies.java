package gatebook.command.policy;

import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.policy.PolicySet;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.policy.CedarJson.Unusable;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cedar policies, read once and good for any number of questions from any number of threads.
 * Whatever no policy permits is denied, and so is whatever any policy could not be asked about.
 */
public final class CedarPolicies {

  /** What evaluates policies, and which version of it. */
  public static final String ENGINE = CedarEngine.VERSION;

  /** How many decisions are kept, unless told otherwise. */
  public static final int DECISIONS_MAX = 10_000;

  /** How many characters a question may have for its decision to be kept. */
  static final int KEPT_CHARACTERS_MAX = 2_048;

  /** None at all: nothing is permitted. */
  public static final CedarPolicies NONE = new CedarPolicies(null, 0, List.of());

  private final @Nullable PolicySet set;
  private final List<PolicyCheck> checked;
  private final @Nullable DecisionCache<Key, PolicyAnswer> decisionCache;

  /** Keeps no decision where {@code decisionsMax} is 0. */
  CedarPolicies(@Nullable PolicySet set, int decisionsMax, List<PolicyCheck> checked) {
    this.set = set;
    this.checked = List.copyOf(checked);
    this.decisionCache = decisionsMax == 0 ? null : new DecisionCache<>(decisionsMax);
  }

  public static PolicyReading compile(List<PolicyFile> files, @Nullable PolicyFile schema) {
    return compile(files, schema, DECISIONS_MAX);
  }

  /** Keeps {@code decisionsMax} decisions at most, none where it is 0. */
  public static PolicyReading compile(
      List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    return new PolicyCompiler(files, schema, decisionsMax).reading();
  }

  public Ruling.Policy decide(PolicyQuestion policyQuestion) {
    long began = System.nanoTime();
    Key key = decisionCache == null ? null : Key.of(policyQuestion);
    PolicyAnswer kept = decisionCache == null || key == null ? null : decisionCache.find(key);
    PolicyAnswer policyAnswer = kept == null ? evaluate(policyQuestion) : kept;
    if (decisionCache != null && key != null && kept == null && !policyAnswer.isError()) {
      decisionCache.keep(key, policyAnswer);
    }
    return policyAnswer.ruling(
        policyQuestion.policyId(), kept != null, (System.nanoTime() - began) / 1_000);
  }

  /**
   * What policies read of arguments that these tools, all there are, do not take or take otherwise.
   * Where a tool's schema leaves room for doubt, nothing is said.
   */
  public List<Mistake> warningsFor(List<ToolSchema> tools) {
    Map<ToolSchema, JsonNode> schemas = new LinkedHashMap<>();
    tools.forEach(tool -> schemas.put(tool, DeclaredArgument.schema(tool.inputSchema())));
    return checked.stream().flatMap(policy -> policy.warnings(schemas).stream()).toList();
  }

  private PolicyAnswer evaluate(PolicyQuestion policyQuestion) {
    if (set == null) {
      return PolicyAnswer.NOTHING_PERMITS;
    }
    try {
      CedarRequest cedarRequest = CedarRequest.of(policyQuestion);
      return PolicyAnswer.of(
          CedarEngine.loaded().isAuthorized(cedarRequest.request(), set, cedarRequest.entities()));
    } catch (Unusable e) {
      return PolicyAnswer.failed(String.valueOf(e.getMessage()));
    } catch (AuthException | RuntimeException | LinkageError e) {
      return PolicyAnswer.failed("the policy engine failed: " + e.getClass().getSimpleName());
    }
  }

  /**
   * All of a question but the time: equal only where policies that do not look at the time cannot
   * tell the difference. Compared in full, since a hash alone may be another question's.
   */
  private record Key(
      Principal principal,
      String method,
      boolean tool,
      String name,
      String source,
      @Nullable String arguments,
      String policyId) {

    /** Nothing for a question so long that keeping many like it would cost too much. */
    static @Nullable Key of(PolicyQuestion policyQuestion) {
      String arguments = policyQuestion.arguments();
      long characters =
          (long) policyQuestion.method().length()
              + policyQuestion.name().length()
              + (arguments == null ? 0 : arguments.length());
      return characters > KEPT_CHARACTERS_MAX
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
