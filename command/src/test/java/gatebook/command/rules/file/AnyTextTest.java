package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile.Reading;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in the file or in the environment. */
final class AnyTextTest {

  private static final String WHOLE =
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

  private static final String ODD = "\"'#:,[]{}&*!|>-\\ \n\t%@`?~0aé😀$\u0085\u0000";

  @Test
  void anyChangeOfAFileIsReadOrToldInItsPlace() {
    Random random = new Random(11);
    int broken = 0;
    for (int i = 0; i < 1_500; i++) {
      String text = changed(WHOLE, random);
      switch (Given.rules(text).variable("V", "hunter2").read()) {
        case Reading.Read read -> {
          assertThat(read.texts().rules()).as(text).doesNotContain("hunter2");
          assertThat(deciding(recorded(read))).as(text).isEqualTo(deciding(read));
        }
        case Reading.Broken wrong -> {
          broken++;
          assertThat(wrong.mistakes())
              .as(text)
              .isNotEmpty()
              .allSatisfy(mistake -> assertThat(mistake.message()).doesNotContain("hunter2"));
        }
      }
    }
    assertThat(broken).isBetween(300, 1_499);
  }

  private static Reading.Read recorded(Reading.Read read) {
    return switch (RulesFile.recorded(read.texts(), Set.of("secrets"))) {
      case Reading.Read again -> again;
      case Reading.Broken broken ->
          throw new AssertionError(broken.mistakes() + "\n" + read.texts().rules());
    };
  }

  /** All by which calls are decided. */
  private static List<Object> deciding(Reading.Read read) {
    Rules rules = read.rules();
    return List.of(
        rules.hash(),
        rules.governance(),
        rules.workflows(),
        rules.inspectors(),
        rules.redaction(),
        rules.keeping(),
        rules.sources().stream()
            .map(it -> List.of(it.id(), it.kind(), it.prefix(), it.enabled(), it.expose()))
            .toList());
  }

  private static String changed(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(changed.length());
      changed.replace(at, at + random.nextInt(2), odd(random, 2));
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
  void noValueChangesMoreThanItsOwnText(String section) {
    Random random = new Random(13);
    int taken = 0;
    for (int i = 0; i < 600; i++) {
      String value = odd(random, 8);
      Given given = Given.rules(Given.LEAST + section + "\n").variable("V", value);
      if (given.read() instanceof Reading.Read(Rules rules, var _, var _, var _)) {
        taken++;
        assertThat(rules.redaction().fields()).as(value).hasSize(2).last().isEqualTo("b");
        assertThat(rules.limits()).isEqualTo(GatewayLimits.DEFAULT);
      }
    }
    assertThat(taken).isPositive();
  }

  private static String odd(Random random, int lengthMax) {
    int[] odd = ODD.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
      text.appendCodePoint(odd[random.nextInt(odd.length)]);
    }
    return text.toString();
  }
}
