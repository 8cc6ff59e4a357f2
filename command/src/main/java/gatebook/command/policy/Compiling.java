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
import gatebook.command.policy.Reads.Read;
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
final class Compiling {

  /** The engine knows pieces by their place in the list until they have names. */
  private static final Pattern OF_PIECE =
      Pattern.compile("failed to parse policy with id `(\\d+)` from string: (.*)", Pattern.DOTALL);

  /** Every operator is a level or two of the engine's JSON. */
  private static final ObjectMapper TREES =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(8 * (Pieces.OPERATORS_MAX + Pieces.NESTING_MAX))
                      .build())
              .build());

  private final List<PolicyFile> files;
  private final @Nullable PolicyFile schema;
  private final int decisionsMax;
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Mistake> mistakes = new ArrayList<>();

  Compiling(List<PolicyFile> files, @Nullable PolicyFile schema, int decisionsMax) {
    this.files = files;
    this.schema = schema;
    this.decisionsMax = decisionsMax;
  }

  Reading reading() {
    cut();
    if (pieces.isEmpty() && mistakes.isEmpty() && schema == null) {
      return new Reading.Compiled(Policies.NONE, List.of());
    }
    return Engine.onDeepStack(this::read);
  }

  private void cut() {
    Set<String> names = new HashSet<>();
    for (PolicyFile file : files) {
      if (names.add(file.name())) {
        Pieces cut = Pieces.ofPolicies(file);
        pieces.addAll(cut.pieces());
        mistakes.addAll(cut.mistakes());
      } else {
        mistakes.add(new Mistake(file.name(), null, null, "the file is listed twice"));
      }
    }
  }

  private Reading read() throws AuthException, CacheException, JsonProcessingException {
    Vocabulary vocabulary = schema == null ? Vocabulary.own() : vocabulary(schema);
    JsonNode trees = trees();
    Map<String, Integer> ids = trees == null ? Map.of() : ids(trees);
    if (trees == null || vocabulary == null || !mistakes.isEmpty()) {
      return new Reading.Wrong(sorted(mistakes));
    }
    List<Checked> checked = checked(trees);
    Policies policies = new Policies(cached(ids), TimeReads.in(trees) ? 0 : decisionsMax, checked);
    return new Reading.Compiled(policies, sorted(warnings(vocabulary, checked)));
  }

  private PolicySet cached(Map<String, Integer> ids) throws CacheException {
    Set<Policy> named = new LinkedHashSet<>();
    ids.forEach((id, place) -> named.add(new Policy(pieces.get(place).text(), id)));
    PolicySet set = new PolicySet(named);
    set.cache();
    return set;
  }

  private List<Checked> checked(JsonNode trees) {
    List<Checked> checked = new ArrayList<>();
    for (int place = 0; place < pieces.size(); place++) {
      List<Read> reads = Reads.in(trees.path(Integer.toString(place)));
      checked.add(new Checked(pieces.get(place), reads));
    }
    return checked;
  }

  /** What the engine finds, policies that need the same of the schema checked together. */
  private List<Mistake> warnings(Vocabulary vocabulary, List<Checked> checked)
      throws AuthException, JsonProcessingException {
    JsonNode tree = vocabulary.tree();
    Map<JsonNode, Set<Policy>> groups = new LinkedHashMap<>();
    for (int place = 0; place < checked.size(); place++) {
      JsonNode opened = Opening.of(tree, checked.get(place).reads());
      groups
          .computeIfAbsent(opened, _ -> new LinkedHashSet<>())
          .add(new Policy(pieces.get(place).text(), Integer.toString(place)));
    }
    List<Mistake> found = new ArrayList<>();
    for (Map.Entry<JsonNode, Set<Policy>> group : groups.entrySet()) {
      PolicySet set = new PolicySet(group.getValue());
      Vocabulary.of(group.getKey())
          .check(set)
          .success
          .ifPresent(s -> found.addAll(findings(s, checked)));
    }
    return found.stream().distinct().toList();
  }

  private static List<Mistake> findings(ValidationSuccessResponse response, List<Checked> checked) {
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
    return Vocabulary.own().unreadable(set).stream().map(this::syntaxMistake).toList();
  }

  private Mistake syntaxMistake(DetailedError error) {
    Matcher matcher = OF_PIECE.matcher(error.message);
    if (!matcher.matches()) {
      return new Mistake(files.getFirst().name(), null, null, Words.of(error));
    }
    Piece piece = pieces.get(Integer.parseInt(matcher.group(1)));
    return piece.mistakeAtByte(Words.startByte(error), Words.of(matcher.group(2), error));
  }

  /** What reasons name policies by, and where in the list each is. */
  private Map<String, Integer> ids(JsonNode trees) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (int place = 0; place < pieces.size(); place++) {
      Piece piece = pieces.get(place);
      String given = trees.path(Integer.toString(place)).path("annotations").path("id").asText("");
      String id = given.isEmpty() ? unused(piece, ids.keySet()) : given;
      Integer earlier = ids.putIfAbsent(id, place);
      if (earlier != null) {
        mistakes.add(piece.mistakeAt(0, taken(id, pieces.get(earlier))));
      }
    }
    return ids;
  }

  private static String taken(String id, Piece by) {
    return "the id \"%s\" is taken by the policy in %s, line %d"
        .formatted(id, by.file().name(), by.line());
  }

  private static String unused(Piece piece, Set<String> taken) {
    String line = piece.file().name() + ":" + piece.line();
    return taken.contains(line) ? line + ":" + piece.column() : line;
  }

  private @Nullable Vocabulary vocabulary(PolicyFile file) throws AuthException {
    Pieces cut = Pieces.ofSchema(file);
    mistakes.addAll(cut.mistakes());
    if (!cut.mistakes().isEmpty()) {
      return null;
    }
    try {
      Vocabulary read = Vocabulary.of(file.text());
      Piece whole = new Piece(file, 0, file.text());
      List<DetailedError> errors = read.unreadable(new PolicySet());
      errors.forEach(e -> mistakes.add(whole.mistakeAtByte(Words.startByte(e), Words.of(e))));
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
