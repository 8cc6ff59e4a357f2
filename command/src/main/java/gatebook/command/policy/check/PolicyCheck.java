package gatebook.command.policy.check;

import com.cedarpolicy.model.DetailedError;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.policy.check.AttributeReads.Read;
import gatebook.command.policy.check.DeclaredArgument.Described;
import gatebook.command.policy.check.DeclaredArgument.Undeclared;
import gatebook.events.RulesRejected.Mistake;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks one policy against the tools' input schemas and reports only what is certainly wrong. */
public final class PolicyCheck {

  private static final int TOOLS_NAMED_MAX = 3;
  private static final Pattern FOR_POLICY = Pattern.compile("^for policy `\\d+`, ");
  private static final Pattern OPTIONAL =
      Pattern.compile("unable to guarantee safety of access to optional attribute `([^`]*)`");

  private final LocatedPolicy policy;
  private final List<Read> reads;

  /** A check of this policy, whose JSON form in the engine is {@code tree}. */
  public PolicyCheck(LocatedPolicy policy, JsonNode tree) {
    this.policy = policy;
    this.reads = AttributeReads.in(tree);
  }

  /** Returns a copy of a schema, in the engine's JSON form, opened for what the policy reads. */
  public JsonNode openSchema(JsonNode schema) {
    return OpenSchema.of(schema, reads);
  }

  /** The engine's error as a mistake; none if it reports a guard as missing that is there. */
  public Stream<Mistake> mistakes(DetailedError error) {
    Matcher optional = OPTIONAL.matcher(error.message);
    if (optional.find() && isGuarded(optional.group(1))) {
      return Stream.empty();
    }
    String message = FOR_POLICY.matcher(error.message).replaceFirst("");
    return Stream.of(
        policy.mistakeAtByte(EngineMessage.startByte(error), EngineMessage.of(message, error)));
  }

  /** The engine does not recognise a guard in an alternative: {@code !(x has y) || x.y}. */
  private boolean isGuarded(String attribute) {
    List<Read> accesses =
        reads.stream().filter(read -> !read.isTest() && attribute.equals(attribute(read))).toList();
    return !accesses.isEmpty() && accesses.stream().allMatch(Read::isGuarded);
  }

  /** The attribute as the engine writes it: the path from the entity. */
  private static String attribute(Read read) {
    String members = String.join(".", read.members());
    return read.isArgument() ? "arguments." + members : members;
  }

  /** The warnings of these checks. The list of tools must be complete. */
  public static List<Mistake> warnings(List<PolicyCheck> checks, List<ToolSchema> tools) {
    Map<ToolSchema, JsonNode> schemas = new LinkedHashMap<>();
    tools.forEach(tool -> schemas.put(tool, DeclaredArgument.parseSchema(tool.inputSchema())));
    return checks.stream().flatMap(check -> check.warnings(schemas).stream()).toList();
  }

  private List<Mistake> warnings(Map<ToolSchema, JsonNode> tools) {
    Set<Mistake> warnings = new LinkedHashSet<>();
    for (int i = 0; i < reads.size(); i++) {
      Read read = reads.get(i);
      String warning = read.isArgument() ? warning(read, declarations(read, tools)) : null;
      if (warning != null) {
        String message = "`%s` %s".formatted(AttributeReads.inCedar(read.path()), warning);
        warnings.add(policy.mistakeAt(textIndex(i), message));
      }
    }
    return List.copyOf(warnings);
  }

  private static Map<ToolSchema, DeclaredArgument> declarations(
      Read read, Map<ToolSchema, JsonNode> tools) {
    Map<ToolSchema, DeclaredArgument> declarations = new LinkedHashMap<>();
    tools.forEach((tool, schema) -> {
      if (read.facts().allows(tool)) {
        declarations.put(tool, DeclaredArgument.of(schema, read.members()));
      }
    });
    return declarations;
  }

  private static @Nullable String warning(
      Read read, Map<ToolSchema, DeclaredArgument> declarations) {
    if (declarations.isEmpty()) {
      return null;
    }
    if (declarations.values().stream().allMatch(Undeclared.class::isInstance)) {
      return "is declared by no tool that the policy applies to: " + names(declarations, _ -> true);
    }
    if (declarations.values().stream()
        .allMatch(declaredArgument -> isUnfit(read, declaredArgument))) {
      return "is used as %s, and declared otherwise by %s"
          .formatted(
              read.expected().description(),
              names(declarations, declaredArgument -> declaredArgument instanceof Described));
    }
    boolean isRisky = !read.isTest() && !read.isGuarded();
    return isRisky && declarations.values().stream().anyMatch(PolicyCheck::isOptional)
        ? "is read without `has`, so a call without it is denied; it is not required by "
            + names(declarations, PolicyCheck::isOptional)
        : null;
  }

  /** A declaration without a type allows any type. */
  private static boolean isUnfit(Read read, DeclaredArgument declaredArgument) {
    return switch (declaredArgument) {
      case Described(var types, var _) -> !types.isEmpty() && !read.expected().allowsAnyOf(types);
      case Undeclared _ -> true;
      case DeclaredArgument.Unclear _ -> false;
    };
  }

  private static boolean isOptional(DeclaredArgument declaredArgument) {
    return declaredArgument instanceof Described(var _, var isRequired) && !isRequired;
  }

  private static String names(
      Map<ToolSchema, DeclaredArgument> declarations, Predicate<DeclaredArgument> which) {
    List<String> names =
        declarations.entrySet().stream()
            .filter(tool -> which.test(tool.getValue()))
            .map(tool -> "`%s` of `%s`".formatted(tool.getKey().tool(), tool.getKey().source()))
            .toList();
    String first = names.stream().limit(TOOLS_NAMED_MAX).collect(Collectors.joining(", "));
    int others = names.size() - TOOLS_NAMED_MAX;
    return others > 0 ? "%s and %d more".formatted(first, others) : first;
  }

  /**
   * The index of a read in the policy's text, or 0. It is searched for, because the engine's JSON
   * form has no positions.
   */
  private int textIndex(int i) {
    Read read = reads.get(i);
    long nth = reads.subList(0, i).stream().filter(other -> alsoMatches(other, read)).count();
    Matcher matcher = pattern(read).matcher(policy.text());
    int index = 0;
    while (nth >= 0 && matcher.find()) {
      index = matcher.start();
      nth--;
    }
    return index;
  }

  /** Whether the pattern of {@code read} also matches the text of {@code longer}. */
  private static boolean alsoMatches(Read longer, Read read) {
    return longer.isTest() == read.isTest()
        && longer.path().size() >= read.path().size()
        && longer.path().subList(0, read.path().size()).equals(read.path());
  }

  private static Pattern pattern(Read read) {
    StringBuilder pattern = new StringBuilder("\\bresource\\s*").append(member("arguments"));
    int last = read.path().size() - 1;
    for (String member : read.path().subList(1, read.isTest() ? last : last + 1)) {
      pattern.append(member(member));
    }
    if (read.isTest()) {
      pattern.append("\\s*\\bhas\\s+\"?").append(Pattern.quote(read.path().getLast()));
    }
    return Pattern.compile(pattern.toString());
  }

  private static String member(String name) {
    String quoted = Pattern.quote(name);
    return "\\s*(?:\\.\\s*%s\\b|\\[\\s*\"%s\"\\s*\\])".formatted(quoted, quoted);
  }
}
