package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Excerpts of the text of rules. */
final class RuleExcerptTest {

  private static final String TEXT =
      """
      schema: 1
      governance:
        defaults: {action: deny} # rules: none
        rules:
          # reading is harmless
          - match: "read_*" # 🙂 all of them
            action: forward
            description: |
              # the heading of a text

              its end


          # money
          - {match: transfer, action: policy,
             policy_id: money} # ask
          - match: sell
            source: &markets
              - one
              - two
            action: approve
          - match: buy
            action: deny
            source: *markets # the same
      webhooks: []
      """;

  @Test
  void excerptIsTheWholeLinesOfTheRule() {
    assertThat(RuleExcerpt.find(TEXT, 1))
        .contains(
            new RuleExcerpt(
                6,
                """
                    - match: "read_*" # 🙂 all of them
                      action: forward
                      description: |
                        # the heading of a text

                        its end\
                """));
    assertThat(RuleExcerpt.find(TEXT, 2))
        .contains(
            new RuleExcerpt(
                15,
                """
                    - {match: transfer, action: policy,
                       policy_id: money} # ask\
                """));
    assertThat(RuleExcerpt.find(TEXT, 3))
        .contains(
            new RuleExcerpt(
                17,
                """
                    - match: sell
                      source: &markets
                        - one
                        - two
                      action: approve\
                """));
  }

  @Test
  void aliasesAreShownAsTheyAreWritten() {
    assertThat(RuleExcerpt.find(TEXT, 4))
        .contains(
            new RuleExcerpt(
                22,
                """
                    - match: buy
                      action: deny
                      source: *markets # the same\
                """));
  }

  @Test
  void rulesOnOneLineAreShownApart() {
    String text = "governance: {rules: [{match: a, action: deny}, {match: b, action: forward}]}";

    assertThat(RuleExcerpt.find(text, 2))
        .contains(new RuleExcerpt(1, "{match: b, action: forward}"));
  }

  @Test
  void placesWithoutARuleHaveNoExcerpt() {
    assertThat(RuleExcerpt.find(TEXT, 0)).isEmpty();
    assertThat(RuleExcerpt.find(TEXT, 5)).isEmpty();
    assertThat(RuleExcerpt.find("governance: {defaults: {action: deny}}", 1)).isEmpty();
    assertThat(RuleExcerpt.find("- no rules", 1)).isEmpty();
    assertThat(RuleExcerpt.find("{ no yaml", 1)).isEmpty();
    assertThat(RuleExcerpt.find("", 1)).isEmpty();
  }
}
