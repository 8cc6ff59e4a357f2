package gatebook.command.gate;

import static gatebook.command.Given.expose;
import static gatebook.command.Given.rules;
import static gatebook.command.Given.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VisibilityGateTest {

  @Test
  void aSourceThatShowsAllShowsEveryNameItAnswersFor() {
    Source source = source("s", "", ExposeRules.ALL);

    assertThat(seen("anything", source)).isEqualTo(new Sight.Shown(source, null));
  }

  @Test
  void anAllowlistShowsOnlyWhatMatchesAndSaysByWhichPattern() {
    Source source = source("s", "", expose(Exposure.ALLOWLIST, "read_*", "list"));

    assertThat(seen("read_file", source)).isEqualTo(new Sight.Shown(source, "read_*"));
    assertThat(seen("write_file", source))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, source, null));
  }

  @Test
  void aBlocklistShowsAllButWhatMatches() {
    Source source = source("s", "", expose(Exposure.BLOCKLIST, "delete_*"));

    assertThat(seen("delete_all", source))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, source, "delete_*"));
    assertThat(seen("read_file", source)).isEqualTo(new Sight.Shown(source, null));
  }

  @Test
  void anEmptyAllowlistHidesAllAndAnEmptyBlocklistNothing() {
    Source hiding = source("s", "", expose(Exposure.ALLOWLIST));
    Source showing = source("s", "", expose(Exposure.BLOCKLIST));

    assertThat(seen("a", hiding))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, hiding, null));
    assertThat(seen("a", showing)).isEqualTo(new Sight.Shown(showing, null));
  }

  @Test
  void aDisabledSourceShowsNothing() {
    Source source = source("s", Kind.MCP, "", false, ExposeRules.ALL);

    assertThat(seen("a", source))
        .isEqualTo(new Sight.Hidden(DenialReason.SOURCE_DISABLED, source, null));
  }

  @Test
  void patternsAreOfTheSourcesOwnNamesAndTheLongestPrefixAnswers() {
    Source github = source("github", "gh_", expose(Exposure.ALLOWLIST, "read"));
    Source actions = source("actions", "gh_actions_", expose(Exposure.ALLOWLIST, "run"));

    assertThat(seen("gh_read", github, actions)).isEqualTo(new Sight.Shown(github, "read"));
    assertThat(seen("gh_actions_run", github, actions)).isEqualTo(new Sight.Shown(actions, "run"));
    assertThat(seen("gh_actions_read", github, actions))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, actions, null));
  }

  @Test
  void aNameNobodyAnswersForIsHiddenBySomebodyUnknown() {
    Source prefixed = source("s", "gh_", ExposeRules.ALL);
    Source methods = source("m", Kind.JSONRPC, "", true, ExposeRules.ALL);

    assertThat(seen("other", prefixed, methods))
        .isEqualTo(new Sight.Hidden(DenialReason.SOURCE_UNKNOWN, null, null));
  }

  private static Sight seen(String name, Source... sources) {
    return VisibilityGate.of(name, SourceFamily.TOOLS, rules(List.of(sources)));
  }
}
