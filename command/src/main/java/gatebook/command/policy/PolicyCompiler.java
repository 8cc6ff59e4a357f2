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
import gatebook.command.policy.AttributeReads.Read;
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

/** Reads policy files: all that is wrong with them, or what they are good for. */
final class PolicyCompiler {

  /** The engine knows pieces by their place in the list until they have names. */
  private static final Pattern OF_PIECE =
      Pattern.compile("failed to parse policy with id `(\\d+)` from string: (.*)", Pattern.DOTALL);

  /** Every operator is a level or two of the engine's JSON. */
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
  private final List<PolicyText> pieces = new ArrayList<>();
  private final List<Mistake> mistakes = new ArrayList<>();

  PolicyCompiler(List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    this.files = files;
    this.schema = schema;
    this.decisionsMax = decisionsMax;
  }

  PolicyReading reading() {
    cut();
    if (pieces.isEmpty() && mistakes.isEmpty() && schema == null) {
      return new PolicyReading.Compiled(CedarPolicies.NONE, List.of());
    }
    return CedarEngine.onDeepStack(this::read);
  }

  private void cut() {
    Set<String> names = new HashSet<>();
    for (PolicyFile file : files) {
      if (names.add(file.name())) {
        PolicySplitter cut = PolicySplitter.ofPolicies(file);
        pieces.addAll(cut.pieces());
        mistakes.addAll(cut.mistakes());
      } else {
        mistakes.add(new Mistake(file.name(), null, null, "the file is listed twice"));
      }
    }
  }

  private PolicyReading read() throws AuthException, CacheException, JsonProcessingException {
    CedarSchema cedarSchema = schema == null ? CedarSchema.own() : vocabulary(schema);
    JsonNode trees = trees();
    Map<String, Integer> ids = trees == null ? Map.of() : ids(trees);
    if (trees == null || cedarSchema == null || !mistakes.isEmpty()) {
      return new PolicyReading.Wrong(sorted(mistakes));
    }
    List<PolicyCheck> checked = checked(trees);
    CedarPolicies cedarPolicies =
        new CedarPolicies(cached(ids), TimeDependence.in(trees) ? 0 : decisionsMax, checked);
    return new PolicyReading.Compiled(cedarPolicies, sorted(warnings(cedarSchema, checked)));
  }

  private PolicySet cached(Map<String, Integer> ids) throws CacheException {
    Set<Policy> named = new LinkedHashSet<>();
    ids.forEach((id, place) -> named.add(new Policy(pieces.get(place).text(), id)));
    PolicySet set = new PolicySet(named);
    set.cache();
    return set;
  }

  private List<PolicyCheck> checked(JsonNode trees) {
    List<PolicyCheck> checked = new ArrayList<>();
    for (int place = 0; place < pieces.size(); place++) {
      List<Read> reads = AttributeReads.in(trees.path(Integer.toString(place)));
      checked.add(new PolicyCheck(pieces.get(place), reads));
    }
    return checked;
  }

  /** What the engine finds, policies that need the same of the schema checked together. */
  private List<Mistake> warnings(CedarSchema cedarSchema, List<PolicyCheck> checked)
      throws AuthException, JsonProcessingException {
    JsonNode tree = cedarSchema.tree();
    Map<JsonNode, Set<Policy>> groups = new LinkedHashMap<>();
    for (int place = 0; place < checked.size(); place++) {
      JsonNode opened = OpenSchema.of(tree, checked.get(place).reads());
      groups
          .computeIfAbsent(opened, _ -> new LinkedHashSet<>())
          .add(new Policy(pieces.get(place).text(), Integer.toString(place)));
    }
    List<Mistake> found = new ArrayList<>();
    for (Map.Entry<JsonNode, Set<Policy>> group : groups.entrySet()) {
      PolicySet set = new PolicySet(group.getValue());
      CedarSchema.of(group.getKey())
          .check(set)
          .success
          .ifPresent(s -> found.addAll(findings(s, checked)));
    }
    return found.stream().distinct().toList();
  }

  private static List<Mistake> findings(
      ValidationSuccessResponse response, List<PolicyCheck> checked) {
    return Stream.of(response.validationErrors, response.validationWarnings)
        .flatMap(List::stream)
        .flatMap(
            error -> checked.get(Integer.parseInt(error.getPolicyId())).finding(error.getError()))
        .toList();
  }

  /** Every piece in the engine's JSON form, by its place; nothing where one cannot be read. */
  private @Nullable JsonNode trees() throws AuthException, JsonProcessingException {
    PolicySet set = unnamed();
    try {
      return TREES.readTree(set.toJson()).path("staticPolicies");
    } catch (InternalException e) {
      mistakes.addAll(syntaxMistakes(set));
      return null;
    }
  }

  private PolicySet unnamed() {
    Set<Policy> policies = new LinkedHashSet<>();
    for (int place = 0; place < pieces.size(); place++) {
      policies.add(new Policy(pieces.get(place).text(), Integer.toString(place)));
    }
    return new PolicySet(policies);
  }

  private List<Mistake> syntaxMistakes(PolicySet set) throws AuthException {
    return CedarSchema.own().unreadable(set).stream().map(this::syntaxMistake).toList();
  }

  private Mistake syntaxMistake(DetailedError error) {
    Matcher matcher = OF_PIECE.matcher(error.message);
    if (!matcher.matches()) {
      return new Mistake(files.getFirst().name(), null, null, EngineMessage.of(error));
    }
    PolicyText policyText = pieces.get(Integer.parseInt(matcher.group(1)));
    return policyText.mistakeAtByte(
        EngineMessage.startByte(error), EngineMessage.of(matcher.group(2), error));
  }

  /** What reasons name policies by, and where in the list each is. */
  private Map<String, Integer> ids(JsonNode trees) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (int place = 0; place < pieces.size(); place++) {
      PolicyText policyText = pieces.get(place);
      String given = trees.path(Integer.toString(place)).path("annotations").path("id").asText("");
      String id = given.isEmpty() ? unused(policyText, ids.keySet()) : given;
      Integer earlier = ids.putIfAbsent(id, place);
      if (earlier != null) {
        mistakes.add(policyText.mistakeAt(0, taken(id, pieces.get(earlier))));
      }
    }
    return ids;
  }

  private static String taken(String id, PolicyText by) {
    return "the id \"%s\" is taken by the policy in %s, line %d"
        .formatted(id, by.file().name(), by.line());
  }

  private static String unused(PolicyText policyText, Set<String> taken) {
    String line = policyText.file().name() + ":" + policyText.line();
    return taken.contains(line) ? line + ":" + policyText.column() : line;
  }

  private @Nullable CedarSchema vocabulary(PolicyFile file) throws AuthException {
    PolicySplitter cut = PolicySplitter.ofSchema(file);
    mistakes.addAll(cut.mistakes());
    if (!cut.mistakes().isEmpty()) {
      return null;
    }
    try {
      CedarSchema read = CedarSchema.of(file.text());
      PolicyText whole = new PolicyText(file, 0, file.text());
      List<DetailedError> errors = read.unreadable(new PolicySet());
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

  /** By file in the order they were given, the schema first, then by place. */
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
