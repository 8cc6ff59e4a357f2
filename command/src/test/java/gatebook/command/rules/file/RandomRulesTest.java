package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.Proof;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules with random mutations of the file and random values of variables. */
final class RandomRulesTest {
  private static final int MUTATIONS = Proof.rounds(450, 1_800);

  private static final String RULES =
      """
      schema: 1
      sources:
        - {id: a, kind: mcp, url: "http://h/?a=b", prefix: a, headers: {X: &x "${V}", Y: *x}}
        - {id: b, kind: demo, expose: {mode: allowlist, tools: [a, "b*"]}}
      governance:
        defaults: {action: deny}
        rules:
          - {match: "a[!b]*", action: approve, source: [a, b]} # ${V}
      approval: {team: {timeout: 1m 30s, redact_fields: [a.b]}}
      principals: [{name: joe, token_hash: "%s"}]
      limits:
        depth_max: 8
      """
          .formatted("a".repeat(64));

  private static final String SPECIAL_CHARACTERS = "\"'#:,[]{}&*!|>-\\ \n\t%@`?~0aé😀$\u0085\u0000";

  @Test
  void aMutatedFileIsReadOrItsMistakesReported() {
    Random random = new Random(11);
    int broken = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      String text = mutated(RULES, random);
      switch (GivenRules.rules(text).variable("V", "hunter2").read()) {
        case Reading.Valid valid -> {
          assertThat(valid.texts().rules()).as(text).doesNotContain("hunter2");
          assertThat(decisionInputs(recorded(valid))).as(text).isEqualTo(decisionInputs(valid));
        }
        case Reading.Broken(_, var mistakes, _, _) -> {
          broken++;
          assertThat(mistakes)
              .as(text)
              .isNotEmpty()
              .allSatisfy(mistake -> assertThat(mistake.message()).doesNotContain("hunter2"));
        }
      }
    }
    assertThat(broken).isBetween(MUTATIONS / 5, MUTATIONS - 1);
  }

  private static Reading.Valid recorded(Reading.Valid valid) {
    return switch (RulesFile.readRecorded(valid.texts(), Set.of("secrets"))) {
      case Reading.Valid again -> again;
      case Reading.Broken broken ->
          throw new AssertionError(broken.mistakes() + "\n" + valid.texts().rules());
    };
  }

  /** The parts of the rules that decide calls. */
  private static List<Object> decisionInputs(Reading.Valid valid) {
    Rules rules = valid.rules();
    return List.of(
        rules.hash(),
        rules.governance(),
        rules.workflows(),
        rules.inspectors(),
        rules.redaction(),
        rules.recording(),
        rules.sources().stream()
            .map(it -> List.of(it.id(), it.kind(), it.prefix(), it.enabled(), it.expose()))
            .toList());
  }

  private static String mutated(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(changed.length());
      changed.replace(at, at + random.nextInt(2), randomText(random, 2));
    }
    return changed.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redact: {fields: [${V}, b]}",
        "redact: {fields: [x${V}, b]}",
        "redact: {fields: [\"${V}\", b]}",
        "redact: {fields: ['${V}x', b]}",
        "redact:\n  fields:\n  - ${V}\n  - b",
        "redact:\n  fields:\n  - x ${V} x\n  - b",
        "redact:\n  fields:\n  - |\n    ${V}\n  - b",
        "redact: {fields: [a, b]} # ${V}",
      })
  void aValueNeverChangesTheStructure(String section) {
    Random random = new Random(13);
    int valid = 0;
    for (int i = 0; i < MUTATIONS / 3; i++) {
      String value = randomText(random, 8);
      GivenRules givenRules =
          GivenRules.rules(GivenRules.MINIMAL + section + "\n").variable("V", value);
      if (givenRules.read() instanceof Reading.Valid(Rules rules, var _, var _, var _, var _)) {
        valid++;
        assertThat(rules.redaction().fields()).as(value).hasSize(2).last().isEqualTo("b");
        assertThat(rules.limits()).isEqualTo(GatewayLimits.DEFAULT);
      }
    }
    assertThat(valid).isPositive();
  }

  private static String randomText(Random random, int lengthMax) {
    int[] odd = SPECIAL_CHARACTERS.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
      text.appendCodePoint(odd[random.nextInt(odd.length)]);
    }
    return text.toString();
  }
}
