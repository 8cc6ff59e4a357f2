package gatebook.command.redact;

import gatebook.command.rules.RedactionRules;
import gatebook.events.call.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes out of texts what must not be kept, logged or told: tokens, keys, credentials, values whose
 * name says that they are secret, paths of files, and what the rules name.
 *
 * <p>Each thing taken out leaves a marker, such as {@code [token]}; nothing else changes. Takes
 * time linear in the length of the text, never throws, never splits a surrogate pair, and finds
 * nothing more in its own results. What was cut may hide half a secret: scrub first, cut after.
 */
public final class Scrubber {

  /** Knows what secrets look like, and no rules. */
  public static final Scrubber BUILT_IN = new Scrubber(RedactionRules.DEFAULT, List.of(), Map.of());

  /** The same for names of targets and the like, which may be paths. */
  public static final Scrubber NAMES = BUILT_IN.keepingPaths();

  /** Taking something out may let something else be seen, but seldom, and not again and again. */
  private static final int PASSES_MAX = 6;

  private final SecretNames names;
  private final KnownSecretDetector knownSecretDetector;
  private final Detector tokens;
  private final Detector pairs;
  private final boolean identities;
  private final boolean paths;
  private final boolean stacks;
  private final List<Look> looks;

  /**
   * As the rules say.
   *
   * @param ownSecrets what must never leave this process: tokens of operators, values of headers
   * @param environment all variables; {@link RedactionRules#environment} says which are secret
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
      boolean traceIdsPass) {
    this.names = names;
    this.knownSecretDetector = knownSecretDetector;
    this.pairs = new NamedValueDetector(names);
    this.tokens = new TokenDetector(traceIdsPass);
    this.identities = identities;
    this.paths = paths;
    this.stacks = stacks;
    this.looks = looks();
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

  /** The same, but paths stay: for operators, who have to find the files. */
  public Scrubber keepingPaths() {
    return new Scrubber(names, knownSecretDetector, identities, false, stacks, false);
  }

  /** The same, but stack traces stay, without their paths: for our own, in our log. */
  public Scrubber keepingStacks() {
    return new Scrubber(names, knownSecretDetector, identities, paths, false, false);
  }

  /** The same, but paths and what may be a trace id stay: for what operators are asked about. */
  public Scrubber keepingIds() {
    return new Scrubber(names, knownSecretDetector, identities, false, stacks, true);
  }

  /** Whether something was taken out of the text, or it has a marker of its own. */
  public static boolean isMarked(String text) {
    return RedactionMarker.isIn(text);
  }

  /** The text without what must not stay in it; the same text when there is nothing. */
  public String scrub(String text) {
    String before = text;
    for (int pass = 0; pass < PASSES_MAX; pass++) {
      String after = found(before).replaced();
      if (after.equals(before)) {
        return before;
      }
      before = after;
    }
    return SecretKind.KNOWN.marker().text();
  }

  /** The text of a member or header of this name: whole a secret where the name says so. */
  public String scrub(String name, String text) {
    return switch (names.of(name)) {
      case NOTHING -> scrub(text);
      case PERHAPS, SECRET, SECRET_LINE -> SecretKind.NAMED.marker().text();
    };
  }

  /**
   * The value without what must not stay in it: in texts, in names of members, and whole where the
   * name of a member says so. Its structure stays.
   */
  public JsonValue scrub(JsonValue value) {
    return scrubJson(value.toString());
  }

  /** The JSON text as {@link #scrub(Json)} would have it. */
  public JsonValue scrubJson(String json) {
    return new JsonScrubber(this, names).scrubbed(json);
  }

  /**
   * The beginning of a JSON text as {@link #scrub(Json)} would write it, cut between two characters
   * and outside of any marker. Reads no more of it than it has to.
   */
  public String beginning(String json, int bytesMax) {
    return TextEnds.cut(new JsonScrubber(this, names).beginning(json, bytesMax + 1), bytesMax);
  }

  /**
   * The beginning of a text, well-formed and cut between two characters and outside of any marker.
   * Half a secret looks like none: scrub first.
   */
  public static String cut(String scrubbed, int bytesMax) {
    return TextEnds.cut(TextEnds.wellFormed(scrubbed), bytesMax);
  }

  /** The text with a replacement for each half of a surrogate pair, which has no form in UTF-8. */
  public static String wellFormed(String text) {
    return TextEnds.wellFormed(text);
  }

  /**
   * Whether an id that a caller chose looks like a secret that he put in the wrong place. UUIDs,
   * ULIDs and trace ids do not.
   */
  public boolean looksSecret(String token) {
    ScrubFindings scrubFindings = new ScrubFindings(token);
    new TokenDetector(true).find(token, scrubFindings);
    pairs.find(token, scrubFindings);
    knownSecretDetector.find(token, scrubFindings);
    return !scrubFindings.all().isEmpty();
  }

  /** The first credential in the text that opens something, whatever its name and surroundings. */
  public Optional<SecretKind> credential(String text) {
    return found(text).all().stream()
        .map(ScrubFindings.Found::kind)
        .filter(SecretKind::isCredential)
        .findFirst();
  }

  private ScrubFindings found(String text) {
    ScrubFindings scrubFindings = new ScrubFindings(text);
    knownSecretDetector.find(text, scrubFindings);
    int triggers = ScrubTriggers.in(text);
    for (Look look : looks) {
      if ((triggers & look.trigger) != 0) {
        look.detector.find(text, scrubFindings);
      }
    }
    return scrubFindings;
  }

  /** One that looks closer where one of its triggers is in a text. */
  private record Look(int trigger, Detector detector) {}

  private List<Look> looks() {
    List<Look> looks = new ArrayList<>();
    looks.add(new Look(ScrubTriggers.DASHES, new PrivateKeyDetector()));
    looks.add(new Look(ScrubTriggers.LONG_WORD, tokens));
    looks.add(new Look(ScrubTriggers.SCHEME, new AuthSchemeDetector()));
    looks.add(new Look(ScrubTriggers.SEPARATOR | ScrubTriggers.DASHES, pairs));
    looks.add(new Look(ScrubTriggers.AT, new UrlCredentialDetector()));
    looks.add(new Look(ScrubTriggers.TAG, new XmlElementDetector(names)));
    looks.add(new Look(ScrubTriggers.OPTION | ScrubTriggers.DASHES, new CommandOptionDetector()));
    looks.add(new Look(ScrubTriggers.CODE, new OneTimeCodeDetector()));
    looks.add(new Look(ScrubTriggers.DIGITS, new CardNumberDetector()));
    if (stacks) {
      looks.add(new Look(ScrubTriggers.FRAME, new StackTraceDetector()));
    }
    if (paths && stacks) {
      looks.add(new Look(ScrubTriggers.FRAME, new SourceFileDetector()));
    }
    if (paths) {
      looks.add(new Look(ScrubTriggers.SLASH, new PathDetector()));
    }
    if (identities) {
      looks.add(new Look(ScrubTriggers.AT, new EmailDetector()));
    }
    return List.copyOf(looks);
  }
}
