package gatebook.command.gate;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.gate.Visibility.Sight;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VisibilityTest {

  @Test
  void aSourceThatShowsAllShowsWhatItAnswersFor() {
    Source source = source(Exposure.ALL);

    assertThat(Visibility.of("a", new Sources(List.of(source)))).isEqualTo(new Sight.Shown(source));
  }

  @Test
  void anAllowlistShowsOnlyWhatItLists() {
    Source source = source(Exposure.ALLOWLIST, "a");
    Sources sources = new Sources(List.of(source));

    assertThat(Visibility.of("a", sources)).isEqualTo(new Sight.Shown(source));
    assertThat(Visibility.of("b", sources))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, source));
  }

  @Test
  void aBlocklistShowsAllButWhatItLists() {
    Source source = source(Exposure.BLOCKLIST, "a");
    Sources sources = new Sources(List.of(source));

    assertThat(Visibility.of("a", sources))
        .isEqualTo(new Sight.Hidden(DenialReason.NOT_EXPOSED, source));
    assertThat(Visibility.of("b", sources)).isEqualTo(new Sight.Shown(source));
  }

  @Test
  void aNameNobodyAnswersForIsHiddenBySomebodyUnknown() {
    assertThat(Visibility.of("z", new Sources(List.of(source(Exposure.ALL)))))
        .isEqualTo(new Sight.Hidden(DenialReason.SOURCE_UNKNOWN, null));
  }

  @Test
  void theHashChangesWithWhatDecisionsRestOnAndWithNothingElse() {
    String hash = new Sources(List.of(source(Exposure.BLOCKLIST, "a", "b"))).hash();

    assertThat(new Sources(List.of(source(Exposure.BLOCKLIST, "b", "a"))).hash()).isEqualTo(hash);
    assertThat(new Sources(List.of(source(Exposure.BLOCKLIST, "a"))).hash()).isNotEqualTo(hash);
    assertThat(new Sources(List.of(source(Exposure.ALLOWLIST, "a", "b"))).hash())
        .isNotEqualTo(hash);
  }

  private static Source source(Exposure exposure, String... listed) {
    return new Source("s", "here", 1, Set.of("a", "b"), new Expose(exposure, Set.of(listed)));
  }
}
