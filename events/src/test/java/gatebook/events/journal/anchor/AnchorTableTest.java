package gatebook.events.journal.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Journals;
import gatebook.events.journal.anchor.AnchorRecords.Anchored;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AnchorTableTest {
  private final SharedLocation database = Journals.freshSchema();
  @AutoClose private final AnchorTable one = new AnchorTable(database);
  @AutoClose private final AnchorTable other = new AnchorTable(database);

  @Test
  void anIntervalOfAnAnchorIsOneNodes() throws IOException {
    assertThat(one.claim("a", Duration.ofHours(1))).isTrue();

    assertThat(other.claim("a", Duration.ofHours(1))).isFalse();
    assertThat(one.claim("a", Duration.ofHours(1))).isFalse();
    assertThat(other.claim("b", Duration.ZERO)).isTrue();
    assertThat(one.claim("b", Duration.ofHours(1))).isTrue();
  }

  @Test
  void everyNodeSeesWhatOneSent() throws IOException {
    assertThat(one.read("a")).isEmpty();
    one.claim("a", Duration.ofHours(1));
    assertThat(other.read("a")).isEmpty();
    Anchored anchored = new Anchored("note\n", Instant.parse("2026-01-02T03:04:05.006Z"));

    one.write("a", anchored);

    assertThat(other.read("a")).contains(anchored);
    assertThat(other.read("b")).isEmpty();
  }
}
