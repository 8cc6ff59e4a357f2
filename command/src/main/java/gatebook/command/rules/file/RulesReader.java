package gatebook.command.rules.file;

import gatebook.command.rules.AllowedAddress;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.AskedWitnesses;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.Candidate;
import gatebook.command.rules.CheckpointRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.LegalHold;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.WitnessRules;
import gatebook.command.rules.file.CedarReader.CedarTexts;
import gatebook.command.rules.file.CedarReader.Compilation;
import gatebook.command.rules.file.GovernanceReader.ReadGovernance;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected.Mistake;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads a rules file once, and continues after a mistake to find the others. */
final class RulesReader {

  private static final String WHOLE_BYTES_MAX = "whole_bytes_max";
  private static final long WHOLE_BYTES_LEAST = 0;
  private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final RulesFile file;
  private final boolean observesNothing;
  private final Map<String, String> digests = new HashMap<>();

  RulesReader(RulesFile file) {
    this(file, false);
  }

  /**
   * {@code observesNothing} for rules that are a candidate or recorded: these name a candidate
   * without reading it.
   */
  RulesReader(RulesFile file, boolean observesNothing) {
    this.file = file;
    this.observesNothing = observesNothing;
  }

  /** The sections as read, before it is known whether they are complete. */
  private record Draft(
      List<Source> sources,
      ReadGovernance governance,
      Map<String, ApprovalWorkflow> workflows,
      CedarTexts cedar,
      List<String> inspectors,
      List<KnownPrincipal> principals,
      List<KnownOperator> operators,
      List<AllowedAddress> webhooks,
      RedactionRules redaction,
      RecordRules recording,
      GatewayLimits limits,
      List<CallQuota> quotas,
      List<LegalHold> legalHolds,
      Optional<WitnessRules> witness,
      Optional<AskedWitnesses> witnesses,
      CheckpointRules checkpoints,
      Optional<YamlValue> observe) {

    Rules rules(String hash, Compilation policies) {
      Rules inForce = inForce(hash, policies);
      return hasObserved(policies)
          ? inForce.withObserved(
              new Candidate(
                  hash, inForce.with(governance.all(), policies.policies().withObserved())))
          : inForce;
    }

    /** Whether any rule or policy is in mode observe. */
    boolean hasObserved(Compilation policies) {
      return !governance.all().equals(governance.inForce())
          || policies.policies().withObserved() != policies.policies();
    }

    private Rules inForce(String hash, Compilation policies) {
      return new Rules(
          hash,
          sources,
          governance.inForce(),
          workflows,
          policies.policies(),
          inspectors,
          Principals.of(principals),
          operators,
          webhooks,
          redaction,
          recording,
          limits,
          quotas,
          legalHolds,
          witness,
          witnesses,
          checkpoints,
          null);
    }
  }

  Reading read() {
    return switch (readFile(file.name())) {
      case FileContent.Unreadable(var sentence) -> unreadable("the file " + sentence);
      case FileContent.Text(var text) when text.isBlank() -> unreadable(RulesFile.EMPTY);
      case FileContent.Text(var text) -> read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    };
  }

  private FileContent readFile(String name) {
    FileContent fileContent = FileContent.of(file.folder(), name);
    digests.put(name, SeenFiles.digest(fileContent));
    return fileContent;
  }

  private Reading unreadable(String sentence) {
    return new Reading.Broken(
        new LabelledHash().finish(),
        List.of(new Mistake(file.name(), null, null, sentence)),
        List.of(),
        new SeenFiles(file.folder(), digests));
  }

  private Reading read(String text) {
    FilledText filledText = VariableSubstitution.substitute(text, file.environment());
    return read(new MistakeReport(file.name(), filledText), cedar -> hash(filledText, cedar));
  }

  /** Reads recorded texts under their recorded hash, since it is over the texts with secrets. */
  Reading readRecorded(RulesTexts rulesTexts) {
    return read(MistakeReport.ofRecorded(file.name(), rulesTexts.rules()), _ -> rulesTexts.hash());
  }

  private Reading read(MistakeReport mistakeReport, Function<CedarTexts, String> hashes) {
    mistakeReport.text().flaws().forEach(mistakeReport::flaw);
    Optional<Draft> draft =
        YamlText.compose(mistakeReport)
            .flatMap(root -> new YamlValue("the file", root, mistakeReport).keys(ROOT))
            .map(this::draft);
    CedarTexts cedar = draft.map(Draft::cedar).orElse(CedarTexts.NONE);
    Compilation compilation = cedar.compile();
    String hash = hashes.apply(cedar);
    Optional<Reading> candidate = draft.flatMap(it -> candidate(it, compilation));
    SeenFiles seenFiles = new SeenFiles(file.folder(), digests);
    List<Mistake> warnings = joined(mistakeReport.warnings(), compilation.warnings());
    return draft.isPresent() && mistakeReport.hasNoMistakes() && compilation.mistakes().isEmpty()
        ? new Reading.Valid(
            withCandidate(draft.get().rules(hash, compilation), candidate),
            texts(hash, mistakeReport, cedar),
            warnings,
            seenFiles,
            candidate.orElse(null))
        : new Reading.Broken(
            hash, joined(mistakeReport.mistakes(), compilation.mistakes()), warnings, seenFiles);
  }

  /** Reads the candidate, if these rules name one and are not read as one themselves. */
  private Optional<Reading> candidate(Draft draft, Compilation compilation) {
    Optional<String> name = draft.observe().flatMap(YamlValue::label);
    if (name.isPresent() && draft.hasObserved(compilation)) {
      draft
          .observe()
          .orElseThrow()
          .mistake(
              "names a candidate, and a rule or policy in mode observe makes another: keep one");
    }
    return observesNothing ? Optional.empty() : name.map(this::candidate);
  }

  private Reading candidate(String name) {
    CandidateSibling sibling = new CandidateSibling(name, file.folder());
    Reading reading =
        new RulesReader(new RulesFile(name, sibling, file.environment(), file.inspectors()), true)
            .read();
    reading.seen().addTo(digests, sibling::resolve);
    return reading;
  }

  private static Rules withCandidate(Rules rules, Optional<Reading> candidate) {
    return candidate
        .map(reading ->
            rules.withObserved(
                switch (reading) {
                  case Reading.Valid valid ->
                      new Candidate(valid.rules().hash(), valid.rules().withObserved(null));
                  case Reading.Broken broken -> new Candidate(broken.hash(), null);
                }))
        .orElse(rules);
  }

  private static final String[] ROOT = {
    "schema",
    "sources",
    "governance",
    "approval",
    "cedar",
    "principals",
    "operators",
    "webhooks",
    "inspect",
    "redact",
    "record",
    "limits",
    "legal_hold",
    "observe",
    "witness",
    "witnesses",
    "anchors",
    "timestamp",
    "journal",
    "retention",
    "telemetry"
  };

  private Draft draft(StrictMapping root) {
    root.require("schema", "schema: 1").ifPresent(RulesReader::schema);
    root.get("telemetry").ifPresent(TelemetryReader::check);
    LimitsReader limits = LimitsReader.of(root.get("limits"));
    GatewayLimits gatewayLimits = limits.limits();
    List<Source> sources =
        root.require("sources", "sources: [{id: demo, kind: demo}]")
            .map(it -> SourcesReader.read(it, gatewayLimits))
            .orElse(List.of());
    Map<String, ApprovalWorkflow> workflows =
        root.get("approval").map(ApprovalReader::read).orElse(Map.of());
    PeopleReader people = new PeopleReader();
    GovernanceReader governance =
        new GovernanceReader(sources, workflows.keySet(), root.get("cedar").isPresent());
    return new Draft(
        sources,
        root.require("governance", "governance: {defaults: {action: deny}}")
            .map(governance::read)
            .orElse(ReadGovernance.NONE),
        workflows,
        root.get("cedar").map(new CedarReader(this::readFile)::read).orElse(CedarTexts.NONE),
        root.get("inspect").map(this::inspectors).orElse(List.of()),
        root.get("principals").map(people::principals).orElse(List.of()),
        root.get("operators").map(people::operators).orElse(List.of()),
        root.get("webhooks").map(WebhooksReader::read).orElse(List.of()),
        root.get("redact").map(RulesReader::redaction).orElse(RedactionRules.DEFAULT),
        root.get("record").map(RulesReader::recording).orElse(RecordRules.DEFAULT),
        gatewayLimits,
        limits.quotas(new QuotasReader(governance::sourceIds)),
        root.get("legal_hold").map(new LegalHoldReader()::read).orElse(List.of()),
        root.get("witness").flatMap(WitnessReader::read),
        root.get("witnesses").flatMap(AskedWitnessesReader::read),
        new CheckpointRules(
            root.get("anchors").map(new AnchorsReader()::read).orElse(List.of()),
            root.get("timestamp").flatMap(SourceUrl::read)),
        root.get("observe"));
  }

  private static void schema(YamlValue yamlValue) {
    if (!(yamlValue.node() instanceof ScalarNode scalar)
        || YamlScalar.of(scalar) != YamlScalar.NUMBER
        || !scalar.getValue().equals("1")) {
      yamlValue.mistake("must be 1");
    }
  }

  private List<String> inspectors(YamlValue yamlValue) {
    Map<String, String> known = new LinkedHashMap<>();
    file.inspectors().stream().sorted().forEach(it -> known.put(it, it));
    Set<String> names = new LinkedHashSet<>();
    for (YamlValue item : yamlValue.items()) {
      item.oneOf(known)
          .filter(name -> !names.add(name))
          .ifPresent(_ -> item.mistake("is there twice: keep one"));
    }
    return List.copyOf(names);
  }

  private static RedactionRules redaction(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("fields", "identities", "environment");
    return new RedactionRules(
        keys.flatMap(it -> it.get("fields")).map(YamlValue::texts).orElse(List.of()),
        keys.flatMap(it -> it.get("identities")).flatMap(YamlValue::bool).orElse(false),
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

  private static RecordRules recording(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("originals", "results", WHOLE_BYTES_MAX);
    return new RecordRules(
        isFirstWord(keys, "originals", "sealed", "none", RecordRules.DEFAULT.originals()),
        isFirstWord(keys, "results", "redacted", "digest", RecordRules.DEFAULT.results()),
        wholeBytesMax(keys));
  }

  private static int wholeBytesMax(Optional<StrictMapping> keys) {
    return keys.flatMap(it -> it.get(WHOLE_BYTES_MAX))
        .map(it -> it.integer(WHOLE_BYTES_LEAST, RecordRules.WHOLE_BYTES_MOST))
        .map(bytes -> (int) bytes.orElse(0))
        .orElse(RecordRules.DEFAULT.wholeBytesMax());
  }

  private static boolean isFirstWord(
      Optional<StrictMapping> keys, String key, String yes, String no, boolean normal) {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put(yes, true);
    words.put(no, false);
    return keys.flatMap(it -> it.get(key)).flatMap(it -> it.oneOf(words)).orElse(normal);
  }

  private static String hash(FilledText text, CedarTexts cedar) {
    LabelledHash labelledHash = new LabelledHash().add("rules", text.string());
    cedar.policies().forEach(it -> labelledHash.add("policy " + it.file(), it.text()));
    PolicyText schema = cedar.schema();
    return (schema == null ? labelledHash : labelledHash.add("schema", schema.text())).finish();
  }

  private static RulesTexts texts(String hash, MistakeReport mistakeReport, CedarTexts cedar) {
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
