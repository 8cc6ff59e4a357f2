package gatebook.command.redact;

import gatebook.command.rules.RedactionRules;
import gatebook.events.call.JsonValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scrubber replaces secrets in texts that are recorded, logged or returned: tokens, keys,
 * credentials, values whose name says that they are secret, file paths, and what the rules name.
 *
 * <p>Each secret is replaced by a marker, such as {@code [token]}; nothing else changes. Scrubbing
 * takes time linear in the length of the text, never throws, never splits a surrogate pair, and is
 * idempotent. Truncated text may contain half a secret: scrub first, then truncate.
 */
public final class Scrubber {

  /** A scrubber with the built-in detectors and no rules. */
  public static final Scrubber BUILT_IN = new Scrubber(RedactionRules.DEFAULT, List.of(), Map.of());

  /** As {@link #BUILT_IN}, for names of targets and the like, which may be paths. */
  public static final Scrubber NAMES = BUILT_IN.keepingPaths();

  /** A redaction may reveal another secret, but rarely, and not many times in a row. */
  private static final int PASSES_MAX = 6;

  private final SecretNames names;
  private final KnownSecretDetector knownSecretDetector;
  private final boolean identities;
  private final boolean paths;
  private final boolean stacks;
  private final List<TriggeredDetector> detectors;
  private final int usedTriggers;

  /** Made when first needed; of two that are made at once, either will do. */
  private @Nullable Scrubber keepingIds;

  /**
   * A scrubber for these rules.
   *
   * @param ownSecrets secrets of this process: tokens of operators, values of headers
   * @param environment all variables; {@link RedactionRules#environment} names the secret ones
   */
  public Scrubber(
      RedactionRules redactionRules,
      Collection<String> ownSecrets,
      Map<String, String> environment) {
    this(
        new SecretNames(redactionRules.fields()),
        new KnownSecretDetector(secrets(redactionRules, ownSecrets, environment)),
        redactionRules.identities(),
        true,
        true,
        false);
  }

  private Scrubber(
      SecretNames names,
      KnownSecretDetector knownSecretDetector,
      boolean identities,
      boolean paths,
      boolean stacks,
      boolean allowTraceIds) {
    this.names = names;
    this.knownSecretDetector = knownSecretDetector;
    this.identities = identities;
    this.paths = paths;
    this.stacks = stacks;
    this.detectors = triggeredDetectors(allowTraceIds);
    this.usedTriggers =
        detectors.stream().mapToInt(TriggeredDetector::trigger).reduce(0, (a, b) -> a | b);
  }

  private static List<String> secrets(
      RedactionRules redactionRules,
      Collection<String> ownSecrets,
      Map<String, String> environment) {
    return Stream.concat(
            ownSecrets.stream(),
            redactionRules.environment().stream().map(environment::get).filter(Objects::nonNull))
        .toList();
  }

  /** This scrubber, but paths stay: for operators, who have to find the files. */
  public Scrubber keepingPaths() {
    return new Scrubber(names, knownSecretDetector, identities, false, stacks, false);
  }

  /** This scrubber, but stack traces stay, without their paths: for this program's own log. */
  public Scrubber keepingStacks() {
    return new Scrubber(names, knownSecretDetector, identities, paths, false, false);
  }

  /** This scrubber, but paths and possible trace ids stay: for calls that operators approve. */
  public Scrubber keepingIds() {
    Scrubber made = keepingIds;
    if (made == null) {
      made = new Scrubber(names, knownSecretDetector, identities, false, stacks, true);
      keepingIds = made;
    }
    return made;
  }

  /** Whether the text contains a marker, of a redaction or its own. */
  public static boolean isMarked(String text) {
    return RedactionMarker.isIn(text);
  }

  /** The text with secrets replaced; the same instance if there are none. */
  public String scrub(String text) {
    String before = text;
    for (int pass = 0; pass < PASSES_MAX; pass++) {
      String after = findings(before).redactedText(before);
      if (after.equals(before)) {
        return before;
      }
      before = after;
    }
    return SecretKind.KNOWN.marker().text();
  }

  /** Scrubs the value of a member or header: all of it if the name says that it is secret. */
  public String scrub(String name, String text) {
    return switch (names.of(name)) {
      case NONE -> scrub(text);
      case POSSIBLE, SECRET, SECRET_LINE -> SecretKind.NAMED.marker().text();
    };
  }

  /**
   * Scrubs the texts and member names of a JSON value, and replaces the whole value of a member
   * whose name says that it is secret. The rest of the structure stays.
   */
  public JsonValue scrub(JsonValue value) {
    return scrubJson(value.toString());
  }

  /** Scrubs the text of one JSON value like {@link #scrub(JsonValue)}. */
  public JsonValue scrubJson(String json) {
    return new CleanJson(this, names, json).isClean()
        ? JsonValue.ofText(json)
        : new JsonScrubber(this, names).scrub(json);
  }

  /**
   * Scrubs the start of a JSON text like {@link #scrub(JsonValue)} and truncates it between two
   * characters and outside of markers. Reads the text only as far as necessary.
   */
  public String scrubPrefix(String json, int bytesMax) {
    return TextEnds.truncate(
        new JsonScrubber(this, names).scrubPrefix(json, bytesMax + 1), bytesMax);
  }

  /**
   * Truncates a scrubbed text between two characters and outside of markers, and makes it
   * well-formed. Half a secret is not detected, so the text must be scrubbed before.
   */
  public static String truncate(String scrubbed, int bytesMax) {
    return TextEnds.truncate(TextEnds.wellFormed(scrubbed), bytesMax);
  }

  /** Replaces each unpaired surrogate, which UTF-8 cannot encode. */
  public static String wellFormed(String text) {
    return TextEnds.wellFormed(text);
  }

  /**
   * Whether an id chosen by a caller looks like a secret given by mistake. UUIDs, ULIDs and trace
   * ids do not, nor do paths.
   */
  public boolean looksSecret(String token) {
    return !keepingIds().findings(token).all().isEmpty();
  }

  /**
   * Whether a text that has to be kept as it came, such as the id of a task, has a secret in it.
   * What only looks random is none.
   */
  public boolean findsSecret(String id) {
    return keepingIds().findings(id).all().stream()
        .anyMatch(finding -> finding.kind() != SecretKind.RANDOM);
  }

  /** The kind of the first credential that is recognisable by its form alone. */
  public Optional<SecretKind> findCredential(String text) {
    List<ScrubFindings.Finding> findings = findings(text).all();
    return findings.isEmpty()
        ? Optional.empty()
        : findings.stream()
            .map(ScrubFindings.Finding::kind)
            .filter(SecretKind::isCredential)
            .findFirst();
  }

  private ScrubFindings findings(String text) {
    int triggers = ScrubTriggers.in(text) & usedTriggers;
    if (triggers == 0 && !knownSecretDetector.isIn(text)) {
      return ScrubFindings.NONE;
    }
    ScrubFindings scrubFindings = new ScrubFindings();
    knownSecretDetector.find(text, scrubFindings);
    for (TriggeredDetector triggeredDetector : detectors) {
      if ((triggers & triggeredDetector.trigger) != 0) {
        triggeredDetector.detector.find(text, scrubFindings);
      }
    }
    return scrubFindings;
  }

  /** A detector that runs only if a text has one of its triggers. */
  private record TriggeredDetector(int trigger, Detector detector) {}

  private List<TriggeredDetector> triggeredDetectors(boolean allowTraceIds) {
    return Stream.of(
            on(true, ScrubTriggers.DASHES, new PrivateKeyDetector()),
            on(true, ScrubTriggers.LONG_WORD, new TokenDetector(allowTraceIds)),
            on(true, ScrubTriggers.SCHEME, new AuthSchemeDetector()),
            on(true, ScrubTriggers.SEPARATOR | ScrubTriggers.DASHES, new NamedValueDetector(names)),
            on(true, ScrubTriggers.AT, new UrlCredentialDetector()),
            on(true, ScrubTriggers.TAG, new XmlElementDetector(names)),
            on(true, ScrubTriggers.OPTION | ScrubTriggers.DASHES, new CommandOptionDetector()),
            on(true, ScrubTriggers.SEPARATOR | ScrubTriggers.LOGIN, new CredentialFileDetector()),
            on(true, ScrubTriggers.CODE, new OneTimeCodeDetector()),
            on(true, ScrubTriggers.DIGITS, new CardNumberDetector()),
            on(stacks, ScrubTriggers.FRAME, new StackTraceDetector()),
            on(paths && stacks, ScrubTriggers.FRAME, new SourceFileDetector()),
            on(paths, ScrubTriggers.SLASH, new PathDetector()),
            on(identities, ScrubTriggers.AT, new EmailDetector()))
        .flatMap(detector -> detector)
        .toList();
  }

  private static Stream<TriggeredDetector> on(boolean wanted, int trigger, Detector detector) {
    return wanted ? Stream.of(new TriggeredDetector(trigger, detector)) : Stream.empty();
  }
}
