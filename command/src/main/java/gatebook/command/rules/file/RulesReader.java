package gatebook.command.rules.file;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
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
      Map<String, ApprovalWorkflow> workflows,
      Found cedar,
      List<String> inspectors,
      List<KnownPrincipal> principals,
      List<KnownOperator> operators,
      RedactionRules redaction,
      RecordRules keeping,
      GatewayLimits limits) {

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
      case FileContent.Unreadable(var sentence) -> unread("the file " + sentence);
      case FileContent.Text(var text) when text.isBlank() -> unread(RulesFile.EMPTY);
      case FileContent.Text(var text) -> read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    };
  }

  private FileContent look(String name) {
    FileContent fileContent = FileContent.of(file.folder(), name);
    digests.put(name, SeenFiles.digest(fileContent));
    return fileContent;
  }

  private Reading unread(String sentence) {
    return new Reading.Broken(
        new LabelledHash().word(),
        List.of(new Mistake(file.name(), null, null, sentence)),
        List.of(),
        new SeenFiles(file.folder(), digests));
  }

  private Reading read(String text) {
    FilledText filledText = VariableSubstitution.fill(text, file.environment());
    return read(new MistakeReport(file.name(), filledText), cedar -> hash(filledText, cedar));
  }

  /** The hash is the one that was recorded: the texts it is over had their secrets. */
  Reading recorded(RulesTexts rulesTexts) {
    return read(MistakeReport.ofRecorded(file.name(), rulesTexts.rules()), _ -> rulesTexts.hash());
  }

  private Reading read(MistakeReport mistakeReport, Function<Found, String> hashes) {
    mistakeReport.text().flaws().forEach(mistakeReport::flaw);
    Optional<Draft> draft =
        YamlText.compose(mistakeReport)
            .flatMap(root -> new YamlValue("the file", root, mistakeReport).keys(ROOT))
            .map(this::draft);
    Found cedar = draft.map(Draft::cedar).orElse(Found.NOTHING);
    Compiled compiled = cedar.compile();
    String hash = hashes.apply(cedar);
    SeenFiles seenFiles = new SeenFiles(file.folder(), digests);
    List<Mistake> warnings = joined(mistakeReport.warnings(), compiled.warnings());
    return draft.isPresent() && mistakeReport.isFlawless() && compiled.mistakes().isEmpty()
        ? new Reading.Read(
            draft.get().rules(hash, compiled),
            texts(hash, mistakeReport, cedar),
            warnings,
            seenFiles)
        : new Reading.Broken(
            hash, joined(mistakeReport.mistakes(), compiled.mistakes()), warnings, seenFiles);
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

  private Draft draft(StrictMapping root) {
    root.require("schema", "schema: 1").ifPresent(RulesReader::schema);
    root.get("telemetry").ifPresent(TelemetryReader::check);
    GatewayLimits gatewayLimits =
        root.get("limits").map(LimitsReader::read).orElse(GatewayLimits.DEFAULT);
    List<Source> sources =
        root.require("sources", "sources: [{id: demo, kind: demo}]")
            .map(it -> SourcesReader.read(it, gatewayLimits))
            .orElse(List.of());
    Map<String, ApprovalWorkflow> workflows =
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
        root.get("redact").map(RulesReader::redaction).orElse(RedactionRules.DEFAULT),
        root.get("record").map(RulesReader::keeping).orElse(RecordRules.DEFAULT),
        gatewayLimits);
  }

  private static void schema(YamlValue yamlValue) {
    if (!(yamlValue.node() instanceof ScalarNode scalar)
        || YamlScalar.of(scalar) != YamlScalar.NUMBER
        || !scalar.getValue().equals("1")) {
      yamlValue.mistake("must be 1");
    }
  }

  private static Governance governance(
      StrictMapping root, List<Source> sources, Set<String> workflows) {
    Set<String> ids = sources.stream().map(Source::id).collect(Collectors.toSet());
    ids.remove("");
    GovernanceReader reader = new GovernanceReader(ids, workflows, root.get("cedar").isPresent());
    return root.require("governance", "governance: {defaults: {action: deny}}")
        .map(reader::read)
        .orElse(new Governance(Action.DENY, List.of()));
  }

  private List<String> inspectors(YamlValue yamlValue) {
    Map<String, String> known = new LinkedHashMap<>();
    file.inspectors().stream().sorted().forEach(it -> known.put(it, it));
    Set<String> names = new LinkedHashSet<>();
    for (YamlValue item : yamlValue.items()) {
      item.word(known)
          .filter(name -> !names.add(name))
          .ifPresent(_ -> item.mistake("is there twice: keep one"));
    }
    return List.copyOf(names);
  }

  private static RedactionRules redaction(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("fields", "identities", "environment");
    return new RedactionRules(
        keys.flatMap(it -> it.get("fields")).map(YamlValue::texts).orElse(List.of()),
        keys.flatMap(it -> it.get("identities")).flatMap(YamlValue::flag).orElse(false),
        keys.flatMap(it -> it.get("environment"))
            .map(RulesReader::variableNames)
            .orElse(List.of()));
  }

  private static List<String> variableNames(YamlValue yamlValue) {
    for (YamlValue item : yamlValue.items()) {
      item.text()
          .filter(name -> !VARIABLE_NAME.matcher(name).matches())
          .ifPresent(_ ->
              item.mistake("must be the name of an environment variable, without '$' or braces"));
    }
    return yamlValue.texts();
  }

  private static RecordRules keeping(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("originals", "results", WHOLE_BYTES_MAX);
    return new RecordRules(
        choice(keys, "originals", "sealed", "none", RecordRules.DEFAULT.originals()),
        choice(keys, "results", "redacted", "digest", RecordRules.DEFAULT.results()),
        wholeBytesMax(keys));
  }

  private static int wholeBytesMax(Optional<StrictMapping> keys) {
    return keys.flatMap(it -> it.get(WHOLE_BYTES_MAX))
        .map(it -> it.whole(WHOLE_BYTES_LEAST, RecordRules.WHOLE_BYTES_MOST))
        .map(bytes -> (int) bytes.orElse(0))
        .orElse(RecordRules.DEFAULT.wholeBytesMax());
  }

  private static boolean choice(
      Optional<StrictMapping> keys, String key, String yes, String no, boolean normal) {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put(yes, true);
    words.put(no, false);
    return keys.flatMap(it -> it.get(key)).flatMap(it -> it.word(words)).orElse(normal);
  }

  private static String hash(FilledText text, Found cedar) {
    LabelledHash labelledHash = new LabelledHash().add("rules", text.string());
    cedar.policies().forEach(it -> labelledHash.add("policy " + it.file(), it.text()));
    PolicyText schema = cedar.schema();
    return (schema == null ? labelledHash : labelledHash.add("schema", schema.text())).word();
  }

  private static RulesTexts texts(String hash, MistakeReport mistakeReport, Found cedar) {
    PolicyText schema = cedar.schema();
    return new RulesTexts(
        hash,
        MaskedText.of(mistakeReport),
        cedar.policies(),
        schema == null ? null : schema.text());
  }

  private static <T> List<T> joined(List<T> one, List<T> two) {
    return Stream.of(one, two).flatMap(List::stream).toList();
  }
}
