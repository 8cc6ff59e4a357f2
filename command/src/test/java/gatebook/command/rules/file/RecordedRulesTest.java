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

/** Rules read again from what the journal has of them. */
final class RecordedRulesTest {

  private static final String HASH = "ab".repeat(32);

  @Test
  void whatDecidesIsReadAgainAndWhatWasSecretIsGone() {
    Given given =
        Given.rules(
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
    Reading.Read read = given.taken();

    Rules again = taken(read.texts());

    assertThat(again.hash()).isEqualTo(read.rules().hash());
    assertThat(again.governance()).isEqualTo(read.rules().governance());
    assertThat(again.workflows()).isEqualTo(read.rules().workflows());
    assertThat(again.inspectors()).isEqualTo(read.rules().inspectors());
    assertThat(again.principals()).isEmpty();
    assertThat(again.operators()).isEmpty();
    assertThat(again.sources()).extracting(Source::id).containsExactly("one", "two");
    assertThat(again.sources())
        .extracting(Source::prefix, Source::expose, Source::headers)
        .isEqualTo(
            read.rules().sources().stream()
                .map(it ->
                    tuple(
                        it.prefix(),
                        it.expose(),
                        it.headers().isEmpty() ? Map.of() : Map.of("A", "")))
                .toList());
  }

  @Test
  void nothingIsFilledInASecondTime() {
    Given given =
        Given.rules(
                """
                schema: 1
                sources: [{id: demo, kind: demo}]
                governance: {defaults: {action: deny}, rules: [{match: "${NAME}", action: forward}]}
                """)
            .variable("NAME", "${NAME}")
            .variable("OTHER", "x");

    Rules again = taken(given.taken().texts());

    assertThat(again.governance()).isEqualTo(given.rules().governance());
    assertThat(again.governance().rules().getFirst().match().pattern()).isEqualTo("${NAME}");
  }

  @Test
  void aRecordThatThisVersionCannotReadIsSaidToBeSo() {
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

    assertThat(RulesFile.recorded(rulesTexts, Set.of("secrets")))
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
  void whatWasForgottenIsNoMistakeInRecordedRulesOnly() {
    String text =
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: deny}}
        operators: [{name: ann, token_hash: "[REDACTED]", roles: [view]}]
        """;

    assertThat(Given.rules(text).mistakes()).hasSize(1);
    assertThat(taken(new RulesTexts("sha256:1", text, List.of(), null)).hash())
        .isEqualTo("sha256:1");
  }

  @Test
  void aPolicyThatWasNotRecordedIsMissed() {
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

    assertThat(RulesFile.recorded(rulesTexts, Set.of())).isInstanceOf(Reading.Broken.class);
  }

  private static Rules taken(RulesTexts rulesTexts) {
    return switch (RulesFile.recorded(rulesTexts, Set.of("secrets"))) {
      case Reading.Read(var rules, _, _, _) -> rules;
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }
}
