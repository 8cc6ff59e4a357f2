package gatebook.command.policy;

import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.policy.PolicySet;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.policy.Arguments.Unusable;
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
public final class Policies {

  /** What evaluates policies, and which version of it. */
  public static final String ENGINE = Engine.VERSION;

  /** How many decisions are kept, unless told otherwise. */
  public static final int DECISIONS_MAX = 10_000;

  /** How many characters a question may have for its decision to be kept. */
  static final int KEPT_CHARACTERS_MAX = 2_048;

  /** None at all: nothing is permitted. */
  public static final Policies NONE = new Policies(null, 0, List.of());

  private final @Nullable PolicySet set;
  private final List<Checked> checked;
  private final @Nullable Decisions<Key, Answer> decisions;

  /** Keeps no decision where {@code decisionsMax} is 0. */
  Policies(@Nullable PolicySet set, int decisionsMax, List<Checked> checked) {
    this.set = set;
    this.checked = List.copyOf(checked);
    this.decisions = decisionsMax == 0 ? null : new Decisions<>(decisionsMax);
  }

  public static Reading compile(List<PolicyFile> files, @Nullable PolicyFile schema) {
    return compile(files, schema, DECISIONS_MAX);
  }

  /** Keeps {@code decisionsMax} decisions at most, none where it is 0. */
  public static Reading compile(
      List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    return new Compiling(files, schema, decisionsMax).reading();
  }

  public Ruling.Policy decide(Question question) {
    long began = System.nanoTime();
    Key key = decisions == null ? null : Key.of(question);
    Answer kept = decisions == null || key == null ? null : decisions.find(key);
    Answer answer = kept == null ? evaluate(question) : kept;
    if (decisions != null && key != null && kept == null && !answer.isError()) {
      decisions.keep(key, answer);
    }
    return answer.ruling(question.policyId(), kept != null, (System.nanoTime() - began) / 1_000);
  }

  /**
   * What policies read of arguments that these tools, all there are, do not take or take otherwise.
   * Where a tool's schema leaves room for doubt, nothing is said.
   */
  public List<Mistake> warningsFor(List<ToolSchema> tools) {
    Map<ToolSchema, JsonNode> schemas = new LinkedHashMap<>();
    tools.forEach(tool -> schemas.put(tool, Declared.schema(tool.inputSchema())));
    return checked.stream().flatMap(policy -> policy.warnings(schemas).stream()).toList();
  }

  private Answer evaluate(Question question) {
    if (set == null) {
      return Answer.NOTHING_PERMITS;
    }
    try {
      Ask ask = Ask.of(question);
      return Answer.of(Engine.loaded().isAuthorized(ask.request(), set, ask.entities()));
    } catch (Unusable e) {
      return Answer.failed(String.valueOf(e.getMessage()));
    } catch (AuthException | RuntimeException | LinkageError e) {
      return Answer.failed("the policy engine failed: " + e.getClass().getSimpleName());
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
    static @Nullable Key of(Question question) {
      String arguments = question.arguments();
      long characters =
          (long) question.method().length()
              + question.name().length()
              + (arguments == null ? 0 : arguments.length());
      return characters > KEPT_CHARACTERS_MAX
          ? null
          : new Key(
              question.principal(),
              question.method(),
              question.tool(),
              question.name(),
              question.source(),
              arguments,
              question.policyId());
    }
  }
}
