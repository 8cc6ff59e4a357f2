package gatebook.command.rules.file;

import gatebook.command.rules.Governance;
import gatebook.command.rules.Keeping;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Limits;
import gatebook.command.rules.Redaction;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.command.rules.file.CedarReader.Compiled;
import gatebook.command.rules.file.CedarReader.Found;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.Action;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads one file once, and goes on after a mistake to find the others. */
final class RulesReader {

  private static final String WHOLE_BYTES_MAX = "whole_bytes_max";
  private static final long WHOLE_BYTES_LEAST = 0;
  private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final RulesFile file;
  private final Map<String, String> digests = new HashMap<>();

  RulesReader(RulesFile file) {
    this.file = file;
  }

  /** What the sections say, before anybody knows whether it is all. */
  private record Draft(
      List<Source> sources,
      Governance governance,
      Map<String, Workflow> workflows,
      Found cedar,
      List<String> inspectors,
      List<KnownPrincipal> principals,
      List<KnownOperator> operators,
      Redaction redaction,
      Keeping keeping,
      Limits limits) {

    Rules rules(String hash, Compiled policies) {
      return new Rules(
          hash,
          sources,
          governance,
          workflows,
          policies.policies(),
          inspectors,
          principals,
          operators,
          redaction,
          keeping,
          limits);
    }
  }

  Reading read() {
    return switch (look(file.name())) {
      case Content.Unreadable(var sentence) -> unread("the file " + sentence);
      case Content.Text(var text) when text.isBlank() -> unread(RulesFile.EMPTY);
      case Content.Text(var text) -> read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    };
  }

  private Content look(String name) {
    Content content = Content.of(file.folder(), name);
    digests.put(name, Seen.digest(content));
    return content;
  }

  private Reading unread(String sentence) {
    return new Reading.Broken(
        new Hash().word(),
        List.of(new Mistake(file.name(), null, null, sentence)),
        List.of(),
        new Seen(file.folder(), digests));
  }

  private Reading read(String text) {
    Filled filled = Filling.fill(text, file.environment());
    return read(new Report(file.name(), filled), cedar -> hash(filled, cedar));
  }

  /** The hash is the one that was recorded: the texts it is over had their secrets. */
  Reading recorded(Texts texts) {
    return read(Report.ofRecorded(file.name(), texts.rules()), _ -> texts.hash());
  }

  private Reading read(Report report, Function<Found, String> hashes) {
    report.text().flaws().forEach(report::flaw);
    Optional<Draft> draft =
        Yaml.compose(report)
            .flatMap(root -> new Value("the file", root, report).keys(ROOT))
            .map(this::draft);
    Found cedar = draft.map(Draft::cedar).orElse(Found.NOTHING);
    Compiled compiled = cedar.compile();
    String hash = hashes.apply(cedar);
    Seen seen = new Seen(file.folder(), digests);
    List<Mistake> warnings = joined(report.warnings(), compiled.warnings());
    return draft.isPresent() && report.isFlawless() && compiled.mistakes().isEmpty()
        ? new Reading.Read(
            draft.get().rules(hash, compiled), texts(hash, report, cedar), warnings, seen)
        : new Reading.Broken(hash, joined(report.mistakes(), compiled.mistakes()), warnings, seen);
  }

  private static final String[] ROOT = {
    "schema",
    "sources",
    "governance",
    "approval",
    "cedar",
    "principals",
    "operators",
    "inspect",
    "redact",
    "record",
    "limits",
    "journal",
    "telemetry"
  };

  private Draft draft(Keys root) {
    root.require("schema", "schema: 1").ifPresent(RulesReader::schema);
    root.get("telemetry").ifPresent(TelemetryReader::check);
    Limits limits = root.get("limits").map(LimitsReader::read).orElse(Limits.DEFAULT);
    List<Source> sources =
        root.require("sources", "sources: [{id: demo, kind: demo}]")
            .map(it -> SourcesReader.read(it, limits))
            .orElse(List.of());
    Map<String, Workflow> workflows =
        root.get("approval").map(ApprovalReader::read).orElse(Map.of());
    PeopleReader people = new PeopleReader();
    return new Draft(
        sources,
        governance(root, sources, workflows.keySet()),
        workflows,
        root.get("cedar").map(new CedarReader(this::look)::read).orElse(Found.NOTHING),
        root.get("inspect").map(this::inspectors).orElse(List.of()),
        root.get("principals").map(people::principals).orElse(List.of()),
        root.get("operators").map(people::operators).orElse(List.of()),
        root.get("redact").map(RulesReader::redaction).orElse(Redaction.DEFAULT),
        root.get("record").map(RulesReader::keeping).orElse(Keeping.DEFAULT),
        limits);
  }

  private static void schema(Value value) {
    if (!(value.node() instanceof ScalarNode scalar)
        || Scalar.of(scalar) != Scalar.NUMBER
        || !scalar.getValue().equals("1")) {
      value.mistake("must be 1");
    }
  }

  private static Governance governance(Keys root, List<Source> sources, Set<String> workflows) {
    Set<String> ids = sources.stream().map(Source::id).collect(Collectors.toSet());
    ids.remove("");
    GovernanceReader reader = new GovernanceReader(ids, workflows, root.get("cedar").isPresent());
    return root.require("governance", "governance: {defaults: {action: deny}}")
        .map(reader::read)
        .orElse(new Governance(Action.DENY, List.of()));
  }

  private List<String> inspectors(Value value) {
    Map<String, String> known = new LinkedHashMap<>();
    file.inspectors().stream().sorted().forEach(it -> known.put(it, it));
    Set<String> names = new LinkedHashSet<>();
    for (Value item : value.items()) {
      item.word(known)
          .filter(name -> !names.add(name))
          .ifPresent(_ -> item.mistake("is there twice: keep one"));
    }
    return List.copyOf(names);
  }

  private static Redaction redaction(Value value) {
    Optional<Keys> keys = value.keys("fields", "identities", "environment");
    return new Redaction(
        keys.flatMap(it -> it.get("fields")).map(Value::texts).orElse(List.of()),
        keys.flatMap(it -> it.get("identities")).flatMap(Value::flag).orElse(false),
        keys.flatMap(it -> it.get("environment"))
            .map(RulesReader::variableNames)
            .orElse(List.of()));
  }

  private static List<String> variableNames(Value value) {
    for (Value item : value.items()) {
      item.text()
          .filter(name -> !VARIABLE_NAME.matcher(name).matches())
          .ifPresent(_ ->
              item.mistake("must be the name of an environment variable, without '$' or braces"));
    }
    return value.texts();
  }

  private static Keeping keeping(Value value) {
    Optional<Keys> keys = value.keys("originals", "results", WHOLE_BYTES_MAX);
    return new Keeping(
        choice(keys, "originals", "sealed", "none", Keeping.DEFAULT.originals()),
        choice(keys, "results", "redacted", "digest", Keeping.DEFAULT.results()),
        wholeBytesMax(keys));
  }

  private static int wholeBytesMax(Optional<Keys> keys) {
    return keys.flatMap(it -> it.get(WHOLE_BYTES_MAX))
        .map(it -> it.whole(WHOLE_BYTES_LEAST, Keeping.WHOLE_BYTES_MOST))
        .map(bytes -> (int) bytes.orElse(0))
        .orElse(Keeping.DEFAULT.wholeBytesMax());
  }

  private static boolean choice(
      Optional<Keys> keys, String key, String yes, String no, boolean normal) {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put(yes, true);
    words.put(no, false);
    return keys.flatMap(it -> it.get(key)).flatMap(it -> it.word(words)).orElse(normal);
  }

  private static String hash(Filled text, Found cedar) {
    Hash hash = new Hash().add("rules", text.string());
    cedar.policies().forEach(it -> hash.add("policy " + it.file(), it.text()));
    PolicyText schema = cedar.schema();
    return (schema == null ? hash : hash.add("schema", schema.text())).word();
  }

  private static Texts texts(String hash, Report report, Found cedar) {
    PolicyText schema = cedar.schema();
    return new Texts(hash, Cut.of(report), cedar.policies(), schema == null ? null : schema.text());
  }

  private static <T> List<T> joined(List<T> one, List<T> two) {
    return Stream.of(one, two).flatMap(List::stream).toList();
  }
}
