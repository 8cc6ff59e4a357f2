package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.RulesFile.Reading;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules read from the texts that the journal recorded. */
final class RecordedRulesTest {

  private static final String HASH = "ab".repeat(32);

  @Test
  void recordedRulesDecideAlikeWithoutSecrets() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1 # for ${STAGE}
                sources:
                  - id: one
                    kind: mcp
                    prefix: one_
                    url: 'http://h/${STAGE}?key=${SECRET}'
                    headers: {A: "${SECRET}"}
                    expose: {mode: blocklist, tools: ["${HIDDEN}_*"]}
                  - {id: two, kind: jsonrpc, url: "http://h/\\x3fkey=hunter2"}
                governance:
                  defaults: {action: policy}
                  rules: [{match: deploy, action: approve}, {match: drop, action: deny}]
                approval: {ops: {timeout: 1m}}
                principals: [{name: joe, token_hash: %s, roles: [dev]}]
                operators: [{name: ann, token_hash: sha256:%s, roles: [view]}]
                cedar: {policies: [a.cedar], schema: c}
                inspect: [secrets]
                telemetry: {otlp: {endpoint: 'http://h?hunter2', headers: {A: hunter2}}}
                """
                    .formatted(HASH, "cd".repeat(32)))
            .variable("STAGE", "test")
            .variable("HIDDEN", "internal")
            .variable("SECRET", "hunter2")
            .file("a.cedar", "permit (principal, action, resource);")
            .file("c", "entity A; action b appliesTo {principal: A, resource: A};");
    Reading.Valid valid = givenRules.valid();

    Rules again = valid(valid.texts());

    assertThat(again.hash()).isEqualTo(valid.rules().hash());
    assertThat(again.governance()).isEqualTo(valid.rules().governance());
    assertThat(again.workflows()).isEqualTo(valid.rules().workflows());
    assertThat(again.inspectors()).isEqualTo(valid.rules().inspectors());
    assertThat(again.principals().isEmpty()).isTrue();
    assertThat(again.operators()).isEmpty();
    assertThat(again.sources()).extracting(Source::id).containsExactly("one", "two");
    assertThat(again.sources())
        .extracting(Source::prefix, Source::expose, Source::headers)
        .isEqualTo(
            valid.rules().sources().stream()
                .map(it ->
                    tuple(
                        it.prefix(),
                        it.expose(),
                        it.headers().isEmpty() ? Map.of() : Map.of("A", "")))
                .toList());
  }

  @Test
  void variablesAreNotReplacedAgain() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1
                sources: [{id: demo, kind: demo}]
                governance: {defaults: {action: deny}, rules: [{match: "${NAME}", action: forward}]}
                """)
            .variable("NAME", "${NAME}")
            .variable("OTHER", "x");

    Rules again = valid(givenRules.valid().texts());

    assertThat(again.governance()).isEqualTo(givenRules.rules().governance());
    assertThat(again.governance().rules().getFirst().match().pattern()).isEqualTo("${NAME}");
  }

  @Test
  void anUnreadableRecordIsReported() {
    RulesTexts rulesTexts =
        new RulesTexts(
            "sha256:1",
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: deny}}
            inspect: [secrets, fraud]
            """,
            List.of(),
            null);

    assertThat(RulesFile.readRecorded(rulesTexts, Set.of("secrets")))
        .isInstanceOfSatisfying(
            Reading.Broken.class,
            broken -> {
              assertThat(broken.hash()).isEqualTo("sha256:1");
              assertThat(broken.mistakes())
                  .singleElement()
                  .extracting(it -> it.file() + ":" + it.line())
                  .isEqualTo("the recorded rules:4");
            });
  }

  @Test
  void maskedSecretsAreAllowedInRecordedRulesOnly() {
    String text =
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: deny}}
        operators: [{name: ann, token_hash: "[REDACTED]", roles: [view]}]
        """;

    assertThat(GivenRules.rules(text).mistakes()).hasSize(1);
    assertThat(valid(new RulesTexts("sha256:1", text, List.of(), null)).hash())
        .isEqualTo("sha256:1");
  }

  @Test
  void aMissingRecordedPolicyIsAMistake() {
    RulesTexts rulesTexts =
        new RulesTexts(
            "sha256:1",
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: policy}}
            cedar: {policies: [gone.cedar]}
            """,
            List.of(),
            null);

    assertThat(RulesFile.readRecorded(rulesTexts, Set.of())).isInstanceOf(Reading.Broken.class);
  }

  private static Rules valid(RulesTexts rulesTexts) {
    return switch (RulesFile.readRecorded(rulesTexts, Set.of("secrets"))) {
      case Reading.Valid(var rules, _, _, _, _) -> rules;
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }
}
