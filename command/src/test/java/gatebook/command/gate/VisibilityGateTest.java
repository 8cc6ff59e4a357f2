package gatebook.command.gate;

import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VisibilityGateTest {

  @Test
  void exposureAllShowsEveryName() {
    Source source = source("s", "", ExposeRules.ALL);

    assertThat(evaluate("anything", source)).isEqualTo(new VisibilityResult.Shown(source, null));
  }

  @Test
  void anAllowlistShowsMatchesAndNamesThePattern() {
    Source source = source("s", "", expose(Exposure.ALLOWLIST, "read_*", "list"));

    assertThat(evaluate("read_file", source))
        .isEqualTo(new VisibilityResult.Shown(source, "read_*"));
    assertThat(evaluate("write_file", source))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, source, null));
  }

  @Test
  void aBlocklistShowsAllButMatches() {
    Source source = source("s", "", expose(Exposure.BLOCKLIST, "delete_*"));

    assertThat(evaluate("delete_all", source))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, source, "delete_*"));
    assertThat(evaluate("read_file", source)).isEqualTo(new VisibilityResult.Shown(source, null));
  }

  @Test
  void onlyABlocklistSeesOtherSpellings() {
    Source hiding = source("s", "s_", expose(Exposure.BLOCKLIST, "delete_*"));
    Source showing = source("s", "s_", expose(Exposure.ALLOWLIST, "delete_*"));

    assertThat(evaluate("s_Delete%5fall", hiding))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, hiding, "delete_*"));
    assertThat(evaluate("s_Delete%5fall", showing))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, showing, null));
  }

  @Test
  void anEmptyAllowlistHidesAllAndAnEmptyBlocklistNothing() {
    Source hiding = source("s", "", expose(Exposure.ALLOWLIST));
    Source showing = source("s", "", expose(Exposure.BLOCKLIST));

    assertThat(evaluate("a", hiding))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, hiding, null));
    assertThat(evaluate("a", showing)).isEqualTo(new VisibilityResult.Shown(showing, null));
  }

  @Test
  void aDisabledSourceShowsNothing() {
    Source source = source("s", Kind.MCP, "", false, ExposeRules.ALL);

    assertThat(evaluate("a", source))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.SOURCE_DISABLED, source, null));
  }

  @Test
  void theLongestPrefixAnswersAndPatternsMatchOwnNames() {
    Source github = source("github", "gh_", expose(Exposure.ALLOWLIST, "read"));
    Source actions = source("actions", "gh_actions_", expose(Exposure.ALLOWLIST, "run"));

    assertThat(evaluate("gh_read", github, actions))
        .isEqualTo(new VisibilityResult.Shown(github, "read"));
    assertThat(evaluate("gh_actions_run", github, actions))
        .isEqualTo(new VisibilityResult.Shown(actions, "run"));
    assertThat(evaluate("gh_actions_read", github, actions))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.NOT_EXPOSED, actions, null));
  }

  @Test
  void aNameWithoutASourceIsHidden() {
    Source prefixed = source("s", "gh_", ExposeRules.ALL);
    Source methods = source("m", Kind.JSONRPC, "", true, ExposeRules.ALL);

    assertThat(evaluate("other", prefixed, methods))
        .isEqualTo(new VisibilityResult.Hidden(DenialReason.SOURCE_UNKNOWN, null, null));
  }

  private static VisibilityResult evaluate(String name, Source... sources) {
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, rules(List.of(sources)));
  }
}
