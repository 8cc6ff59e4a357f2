package gatebook.command.policy;

import com.cedarpolicy.model.DetailedError;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.policy.AttributeReads.Read;
import gatebook.command.policy.DeclaredArgument.Described;
import gatebook.command.policy.DeclaredArgument.Undeclared;
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

/** One policy against what tools say they take: only what is certainly wrong is told. */
record PolicyCheck(PolicyText piece, List<Read> reads) {

  private static final int TOOLS_NAMED_MAX = 3;
  private static final Pattern FOR_POLICY = Pattern.compile("^for policy `\\d+`, ");
  private static final Pattern OPTIONAL =
      Pattern.compile("unable to guarantee safety of access to optional attribute `([^`]*)`");

  /** What the engine finds, unless it is a missing guard that it did not see. */
  Stream<Mistake> finding(DetailedError error) {
    Matcher optional = OPTIONAL.matcher(error.message);
    if (optional.find() && isGuarded(optional.group(1))) {
      return Stream.empty();
    }
    String message = FOR_POLICY.matcher(error.message).replaceFirst("");
    return Stream.of(
        piece.mistakeAtByte(EngineMessage.startByte(error), EngineMessage.of(message, error)));
  }

  /** The engine knows no alternatives: {@code !(x has y) || x.y}. */
  private boolean isGuarded(String attribute) {
    List<Read> accesses =
        reads.stream().filter(read -> !read.isTest() && attribute.equals(attribute(read))).toList();
    return !accesses.isEmpty() && accesses.stream().allMatch(Read::isGuarded);
  }

  /** As the engine writes it: the way from the entity. */
  private static String attribute(Read read) {
    String members = String.join(".", read.members());
    return read.isArgument() ? "arguments." + members : members;
  }

  List<Mistake> warnings(Map<ToolSchema, JsonNode> tools) {
    Set<Mistake> warnings = new LinkedHashSet<>();
    for (int place = 0; place < reads.size(); place++) {
      Read read = reads.get(place);
      String warning = read.isArgument() ? warning(read, saidOf(read, tools)) : null;
      if (warning != null) {
        String message = "`%s` %s".formatted(AttributeReads.name(read.path()), warning);
        warnings.add(piece.mistakeAt(index(place), message));
      }
    }
    return List.copyOf(warnings);
  }

  private static Map<ToolSchema, DeclaredArgument> saidOf(
      Read read, Map<ToolSchema, JsonNode> tools) {
    Map<ToolSchema, DeclaredArgument> said = new LinkedHashMap<>();
    tools.forEach((tool, schema) -> {
      if (read.known().allow(tool)) {
        said.put(tool, DeclaredArgument.of(schema, read.members()));
      }
    });
    return said;
  }

  private static @Nullable String warning(Read read, Map<ToolSchema, DeclaredArgument> said) {
    if (said.isEmpty()) {
      return null;
    }
    if (said.values().stream().allMatch(Undeclared.class::isInstance)) {
      return "is declared by no tool this is asked about: " + names(said, _ -> true);
    }
    if (said.values().stream().allMatch(declaredArgument -> isUnfit(read, declaredArgument))) {
      return "is taken for %s, and declared otherwise by %s"
          .formatted(
              read.need().words(),
              names(said, declaredArgument -> declaredArgument instanceof Described));
    }
    boolean isRisky = !read.isTest() && !read.isGuarded();
    return isRisky && said.values().stream().anyMatch(PolicyCheck::isOptional)
        ? "is read without `has`, so a call without it is denied; it is not required by "
            + names(said, PolicyCheck::isOptional)
        : null;
  }

  /** No type at all is any type. */
  private static boolean isUnfit(Read read, DeclaredArgument declaredArgument) {
    return switch (declaredArgument) {
      case Described(var types, var _) -> !types.isEmpty() && !read.need().isMetByAnyOf(types);
      case Undeclared _ -> true;
      case DeclaredArgument.Unclear _ -> false;
    };
  }

  private static boolean isOptional(DeclaredArgument declaredArgument) {
    return declaredArgument instanceof Described(var _, var isRequired) && !isRequired;
  }

  private static String names(
      Map<ToolSchema, DeclaredArgument> said, Predicate<DeclaredArgument> which) {
    List<String> names =
        said.entrySet().stream()
            .filter(tool -> which.test(tool.getValue()))
            .map(tool -> "`%s` of `%s`".formatted(tool.getKey().tool(), tool.getKey().source()))
            .toList();
    String first = names.stream().limit(TOOLS_NAMED_MAX).collect(Collectors.joining(", "));
    int others = names.size() - TOOLS_NAMED_MAX;
    return others > 0 ? "%s and %d more".formatted(first, others) : first;
  }

  /** Where it is written, the engine's form having forgotten; else where the policy begins. */
  private int index(int place) {
    Read read = reads.get(place);
    long nth = reads.subList(0, place).stream().filter(other -> hides(other, read)).count();
    Matcher matcher = pattern(read).matcher(piece.text());
    int index = 0;
    while (nth >= 0 && matcher.find()) {
      index = matcher.start();
      nth--;
    }
    return index;
  }

  /** Whether what is written for one is also found where the other is looked for. */
  private static boolean hides(Read longer, Read read) {
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
