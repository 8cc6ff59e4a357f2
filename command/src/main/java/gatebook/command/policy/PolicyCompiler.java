package gatebook.command.policy;

import com.cedarpolicy.model.DetailedError;
import com.cedarpolicy.model.ValidationResponse.ValidationSuccessResponse;
import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.exception.CacheException;
import com.cedarpolicy.model.exception.InternalException;
import com.cedarpolicy.model.policy.Policy;
import com.cedarpolicy.model.policy.PolicySet;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.policy.check.EngineMessage;
import gatebook.command.policy.check.LocatedPolicy;
import gatebook.command.policy.check.PolicyCheck;
import gatebook.command.policy.check.QuestionParts;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compiles policy files: to policies with warnings, or to the list of all mistakes in them. */
final class PolicyCompiler {

  /** The engine knows policies by their index in the list until they have ids. */
  private static final Pattern PARSE_ERROR =
      Pattern.compile("failed to parse policy with id `(\\d+)` from string: (.*)", Pattern.DOTALL);

  /** Every operator adds one or two levels to the engine's JSON. */
  private static final ObjectMapper TREES =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(
                          8 * (PolicySplitter.OPERATORS_MAX + PolicySplitter.NESTING_MAX))
                      .build())
              .build());

  private final List<PolicyFile> files;
  private final @Nullable PolicyFile schema;
  private final int decisionsMax;
  private final List<LocatedPolicy> policies = new ArrayList<>();
  private final List<Mistake> mistakes = new ArrayList<>();

  PolicyCompiler(List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    this.files = files;
    this.schema = schema;
    this.decisionsMax = decisionsMax;
  }

  PolicyReading compile() {
    split();
    if (policies.isEmpty() && mistakes.isEmpty() && schema == null) {
      return new PolicyReading.Compiled(CedarPolicies.NONE, List.of());
    }
    return CedarEngine.onDeepStack(this::compileSplit);
  }

  private void split() {
    Set<String> names = new HashSet<>();
    for (PolicyFile file : files) {
      if (names.add(file.name())) {
        PolicySplitter splitter = PolicySplitter.ofPolicies(file);
        policies.addAll(splitter.policies());
        mistakes.addAll(splitter.mistakes());
      } else {
        mistakes.add(new Mistake(file.name(), null, null, "the file is listed twice"));
      }
    }
  }

  private PolicyReading compileSplit()
      throws AuthException, CacheException, JsonProcessingException {
    CedarSchema cedarSchema = schema == null ? CedarSchema.builtIn() : readSchema(schema);
    JsonNode trees = jsonTrees();
    Map<String, Integer> ids = trees == null ? Map.of() : ids(trees);
    Set<Integer> observed = trees == null ? Set.of() : observed(trees);
    if (trees == null || cedarSchema == null || !mistakes.isEmpty()) {
      return new PolicyReading.Invalid(sorted(mistakes));
    }
    List<PolicyCheck> checks = checks(trees);
    CedarPolicies all =
        new CedarPolicies(cachedSet(ids), checks, QuestionParts.readBy(trees), decisionsMax);
    CedarPolicies inForce = observed.isEmpty() ? all : inForce(ids, trees, checks, observed, all);
    return new PolicyReading.Compiled(inForce, sorted(warnings(cedarSchema, checks)));
  }

  /** The policies without those in mode observe, which do not even add to what is asked. */
  private CedarPolicies inForce(
      Map<String, Integer> ids,
      JsonNode trees,
      List<PolicyCheck> checks,
      Set<Integer> observed,
      CedarPolicies all)
      throws CacheException {
    Map<String, Integer> idsInForce = new LinkedHashMap<>(ids);
    idsInForce.values().removeAll(observed);
    ObjectNode treesInForce = trees.deepCopy();
    observed.forEach(index -> treesInForce.remove(Integer.toString(index)));
    return new CedarPolicies(
        cachedSet(idsInForce), checks, QuestionParts.readBy(treesInForce), decisionsMax, all);
  }

  /** The indexes of the policies with the annotation {@code @mode("observe")}. */
  private Set<Integer> observed(JsonNode trees) {
    Set<Integer> observed = new HashSet<>();
    for (int index = 0; index < policies.size(); index++) {
      JsonNode mode = trees.path(Integer.toString(index)).path("annotations").path("mode");
      if (mode.asText("").equals("observe")) {
        observed.add(index);
      } else if (!mode.isMissingNode()) {
        mistakes.add(
            policies
                .get(index)
                .mistakeAt(0, "the mode of a policy must be \"observe\", or absent"));
      }
    }
    return observed;
  }

  private PolicySet cachedSet(Map<String, Integer> ids) throws CacheException {
    Set<Policy> named = new LinkedHashSet<>();
    ids.forEach((id, index) -> named.add(new Policy(policies.get(index).text(), id)));
    PolicySet set = new PolicySet(named);
    set.cache();
    return set;
  }

  private List<PolicyCheck> checks(JsonNode trees) {
    List<PolicyCheck> checks = new ArrayList<>();
    for (int index = 0; index < policies.size(); index++) {
      checks.add(new PolicyCheck(policies.get(index), trees.path(Integer.toString(index))));
    }
    return checks;
  }

  /** The engine's warnings. Policies that need the same opened schema are validated together. */
  private List<Mistake> warnings(CedarSchema cedarSchema, List<PolicyCheck> checks)
      throws AuthException, JsonProcessingException {
    JsonNode tree = cedarSchema.tree();
    Map<JsonNode, Set<Policy>> groups = new LinkedHashMap<>();
    for (int index = 0; index < checks.size(); index++) {
      JsonNode opened = checks.get(index).openSchema(tree);
      groups
          .computeIfAbsent(opened, _ -> new LinkedHashSet<>())
          .add(new Policy(policies.get(index).text(), Integer.toString(index)));
    }
    List<Mistake> found = new ArrayList<>();
    for (Map.Entry<JsonNode, Set<Policy>> group : groups.entrySet()) {
      PolicySet set = new PolicySet(group.getValue());
      CedarSchema.of(group.getKey())
          .validate(set)
          .success
          .ifPresent(s -> found.addAll(mistakes(s, checks)));
    }
    return found.stream().distinct().toList();
  }

  private static List<Mistake> mistakes(
      ValidationSuccessResponse response, List<PolicyCheck> checks) {
    return Stream.of(response.validationErrors, response.validationWarnings)
        .flatMap(List::stream)
        .flatMap(
            error -> checks.get(Integer.parseInt(error.getPolicyId())).mistakes(error.getError()))
        .toList();
  }

  /** The engine's JSON form of every policy, by index; null when one cannot be parsed. */
  private @Nullable JsonNode jsonTrees() throws AuthException, JsonProcessingException {
    PolicySet set = numbered();
    try {
      return TREES.readTree(set.toJson()).path("staticPolicies");
    } catch (InternalException e) {
      mistakes.addAll(syntaxMistakes(set));
      return null;
    }
  }

  private PolicySet numbered() {
    Set<Policy> set = new LinkedHashSet<>();
    for (int index = 0; index < policies.size(); index++) {
      set.add(new Policy(policies.get(index).text(), Integer.toString(index)));
    }
    return new PolicySet(set);
  }

  private List<Mistake> syntaxMistakes(PolicySet set) throws AuthException {
    return CedarSchema.builtIn().parseErrors(set).stream().map(this::syntaxMistake).toList();
  }

  private Mistake syntaxMistake(DetailedError error) {
    Matcher matcher = PARSE_ERROR.matcher(error.message);
    if (!matcher.matches()) {
      return new Mistake(files.getFirst().name(), null, null, EngineMessage.of(error));
    }
    LocatedPolicy locatedPolicy = policies.get(Integer.parseInt(matcher.group(1)));
    return locatedPolicy.mistakeAtByte(
        EngineMessage.startByte(error), EngineMessage.of(matcher.group(2), error));
  }

  /** The ids by which verdicts name policies, each with its index in the list. */
  private Map<String, Integer> ids(JsonNode trees) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (int index = 0; index < policies.size(); index++) {
      LocatedPolicy locatedPolicy = policies.get(index);
      String given = trees.path(Integer.toString(index)).path("annotations").path("id").asText("");
      String id = given.isEmpty() ? generatedId(locatedPolicy, ids.keySet()) : given;
      Integer earlier = ids.putIfAbsent(id, index);
      if (earlier != null) {
        mistakes.add(locatedPolicy.mistakeAt(0, idTaken(id, policies.get(earlier))));
      }
    }
    return ids;
  }

  private static String idTaken(String id, LocatedPolicy by) {
    return "the id \"%s\" is taken by the policy in %s, line %d"
        .formatted(id, by.file(), by.line());
  }

  private static String generatedId(LocatedPolicy locatedPolicy, Set<String> taken) {
    String line = locatedPolicy.file() + ":" + locatedPolicy.line();
    return taken.contains(line) ? line + ":" + locatedPolicy.column() : line;
  }

  private @Nullable CedarSchema readSchema(PolicyFile file) throws AuthException {
    PolicySplitter splitter = PolicySplitter.ofSchema(file);
    mistakes.addAll(splitter.mistakes());
    if (!splitter.mistakes().isEmpty()) {
      return null;
    }
    try {
      CedarSchema read = CedarSchema.of(file.text());
      LocatedPolicy whole = new LocatedPolicy(file.name(), file.text(), 0, file.text());
      List<DetailedError> errors = read.parseErrors(new PolicySet());
      errors.forEach(
          e -> mistakes.add(whole.mistakeAtByte(EngineMessage.startByte(e), EngineMessage.of(e))));
      return errors.isEmpty() ? read : null;
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      mistakes.add(
          new Mistake(file.name(), at.getLineNr(), at.getColumnNr(), e.getOriginalMessage()));
      return null;
    }
  }

  /** Sorted by file in the given order, the schema first, then by line and column. */
  private List<Mistake> sorted(List<Mistake> found) {
    List<String> names = files.stream().map(PolicyFile::name).toList();
    Comparator<Integer> order = Comparator.nullsFirst(Comparator.naturalOrder());
    return found.stream()
        .sorted(
            Comparator.comparingInt((Mistake mistake) -> names.indexOf(mistake.file()))
                .thenComparing(Mistake::line, order)
                .thenComparing(Mistake::column, order))
        .toList();
  }
}
