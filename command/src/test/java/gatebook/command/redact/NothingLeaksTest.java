package gatebook.command.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.redact.SecretSamples.Secret;
import gatebook.command.rules.RedactionRules;
import gatebook.events.Proof;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Secrets of every kind at random positions in random texts and values. */
final class NothingLeaksTest {

  private static final int ROUNDS = Proof.rounds(100, 400);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Scrubber SCRUBBER =
      new Scrubber(
          new RedactionRules(List.of("ssn"), true, List.of("VARIABLE", "ABSENT")),
          List.of(SecretSamples.OWN),
          Map.of("VARIABLE", SecretSamples.VARIABLE, "OTHER", "connection"));

  private static final List<String> HARMLESS = lines();
  private static final List<String> BETWEEN =
      List.of(" ", "\n", ", ", " (", "\" ", "; ", " \u2192 ");

  private static final String CHARS = "ab1Z=:/\\\"'[]{}@.-_~%&;, \n\t\ud83d\ude80\ud83d";
  private static final List<String> PIECES =
      List.of(
          "password",
          "token",
          "[token]",
          "[value]",
          "[path]",
          "pass",
          "Cookie: ",
          "Authorization",
          "Bearer ",
          "Basic ",
          "--",
          "file://",
          "http://",
          "db://",
          "C:\\",
          "\\\\ab\\",
          "/etc",
          "~/",
          "eyJhbGciOiJub25lIn0.",
          "ghp_aBcDeFgHiJkLmNoPqRsTuV",
          "k9Xz2LmQ7vRt4Wp8Yb3Nc6Hd",
          "%3D",
          "-----BEGIN PRIVATE KEY",
          "a@b.example",
          "\\\"",
          "0x",
          "unexpected ",
          "at A.B.C(D e)",
          " 0: a::b 1: ",
          " goroutine 1 [x]: a.b(0x1)",
          " a.b x.go:1",
          "File \"a\", line 1, in b ",
          "h:5432:a:b:",
          "machine a login b password ",
          SecretSamples.OWN,
          SecretSamples.VARIABLE);

  private static final List<String> JSON_WORDS =
      List.of(
          "name",
          "key",
          "value",
          "header",
          "a",
          "north",
          "\u00e9\ud83d\ude80",
          "Cookie",
          "password",
          "--password",
          "mysql",
          "curl",
          "-p",
          "-phunter2",
          "-u",
          "ann:hunter2",
          "line",
          "[token]",
          "pass[token]word",
          "ssn",
          "pin",
          "x\ty",
          "");

  static IntStream kinds() {
    return IntStream.range(0, SecretSamples.KINDS.size());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noSecretSurvivesInAText(int kind) {
    Random random = new Random(kind);
    for (int round = 0; round < ROUNDS; round++) {
      Secret secret = SecretSamples.KINDS.get(kind).apply(random);
      String text = harmless(random) + secret.text() + between(random) + harmless(random);

      String scrubbed = SCRUBBER.scrub(text);

      assertThat(scrubbed).as(text).doesNotContain(secret.hidden());
      assertThat(SCRUBBER.scrub(scrubbed)).as(text).isEqualTo(scrubbed);
    }
  }

  @Test
  void noSecretSurvivesInAValueOfAnyShape() {
    Random random = new Random(7);
    for (int round = 0; round < 20 * ROUNDS; round++) {
      Secret secret = SecretSamples.any(random);
      JsonValue value = JsonValue.parse(shape(secret.text(), random).toString());

      JsonValue scrubbed = SCRUBBER.scrub(value);

      String inside = MAPPER.valueToTree(secret.hidden()).toString();
      assertThat(scrubbed.toString())
          .as(value.toString())
          .doesNotContain(inside.substring(1, inside.length() - 1));
      assertThat(SCRUBBER.scrub(scrubbed)).as(value.toString()).isEqualTo(scrubbed);
    }
  }

  /** JSON with a blank is never taken for clean. */
  @Test
  void cleanJsonIsWhatScrubbingLeavesAsItIs() {
    Random random = new Random(17);
    int clean = 0;
    for (int round = 0; round < 200 * ROUNDS; round++) {
      String json = members(random);

      JsonValue scrubbed = SCRUBBER.scrubJson(json);

      assertThat(scrubbed).as(json).isEqualTo(SCRUBBER.scrubJson(" " + json));
      clean += scrubbed.toString().equals(json) ? 1 : 0;
    }
    assertThat(clean).isBetween(20 * ROUNDS, 180 * ROUNDS);
  }

  /** A character is added, left out or replaced: a parser reads what is one value still. */
  @Test
  void jsonThatIsNotOneValueIsNotRecorded() {
    Random random = new Random(19);
    int broken = 0;
    for (int round = 0; round < 50 * ROUNDS; round++) {
      StringBuilder json = new StringBuilder(members(random));
      int at = random.nextInt(json.length());
      String other = random.nextInt(3) == 0 ? "" : oneOf("{}[]:,\"019-.etn\u0001 ", random);
      json.replace(at, at + random.nextInt(2), other);
      try {
        assertThat(JsonValue.parse(SCRUBBER.scrubJson(json.toString()).toString()))
            .as(json.toString())
            .isNotNull();
      } catch (UncheckedIOException _) {
        broken++;
      }
    }
    assertThat(broken).isBetween(10 * ROUNDS, 45 * ROUNDS);
  }

  @Test
  void jsonThatNoParserReadsIsNotRecorded() {
    String deepest = "[".repeat(1_000) + "]".repeat(1_000);

    assertThat(SCRUBBER.scrubJson(deepest)).isEqualTo(JsonValue.parse(deepest));
    assertThatThrownBy(() -> SCRUBBER.scrubJson("[" + deepest + "]"))
        .isInstanceOf(UncheckedIOException.class);
  }

  private static String oneOf(String chars, Random random) {
    int at = random.nextInt(chars.length());
    return chars.substring(at, at + 1);
  }

  /** Members, texts and numbers whose meaning depends on those before them. */
  private static String members(Random random) {
    ObjectNode object = MAPPER.createObjectNode();
    for (int i = random.nextInt(5); i >= 0; i--) {
      String name = word(random);
      switch (random.nextInt(5)) {
        case 0 -> object.put(name, random.nextLong());
        case 1 ->
            object.set(
                name,
                MAPPER
                    .createObjectNode()
                    .put("functionName", word(random))
                    .put("fileName", word(random))
                    .put("line", random.nextInt(9)));
        case 2 -> object.put(name, random.nextInt(3) == 0 ? pieces(random) : word(random));
        case 3 ->
            object.set(
                name,
                MAPPER
                    .createArrayNode()
                    .add(word(random))
                    .add(word(random))
                    .add(random.nextInt(9))
                    .add(word(random)));
        default ->
            object.set(
                name,
                MAPPER
                    .createObjectNode()
                    .put(word(random), word(random))
                    .putNull(word(random))
                    .put(word(random), random.nextInt(99)));
      }
    }
    return object.toString();
  }

  private static String word(Random random) {
    return JSON_WORDS.get(random.nextInt(JSON_WORDS.size()));
  }

  @Test
  void truncatedTextsAreWellFormedAndHideSecrets() {
    Random random = new Random(11);
    for (int round = 0; round < 20 * ROUNDS; round++) {
      Secret secret = SecretSamples.any(random);
      String before = "\u00e9 ".repeat(300 + random.nextInt(50));

      String safe = scrubAndTruncate(before + secret.text());

      assertThat(safe.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
      assertThat(safe).doesNotContain(secret.hidden()).doesNotContainPattern("\\[[a-z]*$");
    }
  }

  static Stream<String> harmlessTexts() {
    return HARMLESS.stream();
  }

  @ParameterizedTest
  @MethodSource("harmlessTexts")
  void harmlessTextsStayAsTheyAre(String harmless) {
    assertThat(Scrubber.BUILT_IN.scrub(harmless)).isEqualTo(harmless);
    JsonValue value = JsonValue.parse(MAPPER.createObjectNode().put("text", harmless).toString());
    assertThat(Scrubber.BUILT_IN.scrub(value)).isEqualTo(value);
  }

  /** The texts are sequences of parts that trigger detectors, and of single characters. */
  @Test
  void scrubbingIsIdempotentForRandomTexts() {
    Random random = new Random(13);
    for (int round = 0; round < 200 * ROUNDS; round++) {
      String text = pieces(random);

      String scrubbed = SCRUBBER.scrub(text);

      assertThat(SCRUBBER.scrub(scrubbed)).as(text).isEqualTo(scrubbed);
      assertThat(TextEnds.wellFormed(scrubAndTruncate(text)))
          .as(text)
          .isEqualTo(scrubAndTruncate(text));
    }
  }

  private static String pieces(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      text.append(
          random.nextInt(3) == 0
              ? PIECES.get(random.nextInt(PIECES.size()))
              : SecretSamples.chars(random, random.nextInt(3), CHARS));
    }
    return text.toString();
  }

  private static JsonNode shape(String text, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> MAPPER.valueToTree(text);
      case 1 -> with(MAPPER.createObjectNode(), text, random);
      case 2 -> array(text, random);
      default -> MAPPER.createObjectNode().put(text, random.nextInt());
    };
  }

  private static ObjectNode with(ObjectNode object, String text, Random random) {
    object.put("note", harmless(random));
    object.set("value " + random.nextInt(), shape(harmless(random) + text, random));
    return object.put("last", random.nextBoolean());
  }

  private static ArrayNode array(String text, Random random) {
    return MAPPER.createArrayNode().add(harmless(random)).add(shape(text, random)).add(1.50);
  }

  /** A harmless text that ends at the end of a word, or none. */
  private static String harmless(Random random) {
    return random.nextInt(4) == 0
        ? ""
        : HARMLESS.get(random.nextInt(HARMLESS.size())) + between(random);
  }

  private static String between(Random random) {
    return BETWEEN.get(random.nextInt(BETWEEN.size()));
  }

  private static List<String> lines() {
    try (var corpus = NothingLeaksTest.class.getResourceAsStream("harmless.txt")) {
      return new String(corpus.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String scrubAndTruncate(String text) {
    return Scrubber.truncate(SCRUBBER.scrub(text), 1_024);
  }
}
