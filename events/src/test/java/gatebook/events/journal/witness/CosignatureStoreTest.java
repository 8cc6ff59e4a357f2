package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.checkpoint.CosignedCheckpoint;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.witness.CosignatureStore.Quorate;
import gatebook.events.journal.witness.WitnessPolicyReader.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CosignatureStoreTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ORIGIN = "log.example/a";

  @TempDir Path directory;
  private final ForeignLog log = ForeignLog.named(ORIGIN).grow("a", "b", "c", "d", "e");
  private CosignatureStore store;
  private CosigningKey one;
  private CosigningKey other;

  @BeforeEach
  void open() {
    store = new CosignatureStore(new CosignedFiles(directory));
    one = key("one");
    other = key("other");
  }

  private CosigningKey key(String name) {
    return switch (CosigningKey.loadOrCreate(
        directory.resolve(name + ".key"), "witness.example/" + name)) {
      case LoadedKey.Key<CosigningKey>(CosigningKey key) -> key;
      case LoadedKey.Refused<CosigningKey>(String why) -> throw new AssertionError(why);
    };
  }

  private WitnessPolicy policy(String quorum) {
    String text =
        """
        witness one %s https://one.example
        witness other %s https://other.example
        group both all one other
        quorum %s
        """
            .formatted(one.verifier().text(), other.verifier().text(), quorum);
    return ((Reading.Valid) WitnessPolicyReader.read(text)).policy();
  }

  private void keep(CosigningKey witness, int size, long seconds) throws IOException {
    String note = log.checkpoint(size);
    String line = witness.cosign(log.text(size), NOW.plusSeconds(seconds));
    if (CosignedCheckpoint.open((note + line).getBytes(UTF_8), witness.verifier())
        instanceof OpenedNote.Valid<CosignedCheckpoint>(CosignedCheckpoint cosigned, _)) {
      store.keep(witness.verifier(), cosigned, note);
    }
  }

  private String quorate(String quorum) throws IOException {
    Optional<Quorate> quorate = store.quorate(policy(quorum), ORIGIN);
    return quorate
        .map(it ->
            "%d at %d"
                .formatted(
                    it.checkpoint().checkpoint().size(), it.seconds() - NOW.getEpochSecond()))
        .orElse("none");
  }

  @Test
  void onlyAQuorumOnOneCheckpointCounts() throws IOException {
    assertThat(quorate("none")).isEqualTo("none");
    keep(one, 3, 1);
    assertThat(quorate("both")).isEqualTo("none");
    assertThat(quorate("one")).isEqualTo("3 at 1");
    keep(other, 4, 2);
    assertThat(quorate("both")).isEqualTo("none");
    assertThat(quorate("none")).isEqualTo("4 at 2");
  }

  @Test
  void theNewestQuorateCheckpointStaysWhenTheWitnessesDiffer() throws IOException {
    keep(one, 3, 1);
    keep(other, 3, 2);
    assertThat(quorate("both")).isEqualTo("3 at 1");
    keep(one, 3, 61);
    assertThat(quorate("both")).isEqualTo("3 at 2");

    keep(one, 4, 62);
    assertThat(quorate("both")).isEqualTo("3 at 2");
    keep(other, 4, 63);
    assertThat(quorate("both")).isEqualTo("4 at 62");
  }

  @Test
  void theNoteOfAQuorumHasAllItsSignatures() throws IOException {
    keep(one, 3, 1);
    keep(other, 3, 2);

    assertThat(store.quorate(policy("both"), ORIGIN).orElseThrow().note())
        .isEqualTo(
            log.checkpoint(3)
                + one.cosign(log.text(3), NOW.plusSeconds(1))
                + other.cosign(log.text(3), NOW.plusSeconds(2)));
  }

  @Test
  void anotherOriginOrPolicyHasNoneOfBefore() throws IOException {
    keep(one, 3, 1);
    assertThat(quorate("one")).isEqualTo("3 at 1");

    assertThat(store.quorate(policy("one"), "log.example/b")).isEmpty();
    assertThat(quorate("other")).isEqualTo("none");
  }

  @Test
  void oneNodeAsksInAnInterval() throws IOException {
    CosignatureStore ofOtherNode = new CosignatureStore(new CosignedFiles(directory));

    assertThat(store.beginRound(NOW, MINUTE)).isTrue();
    assertThat(ofOtherNode.beginRound(NOW.plusSeconds(59), MINUTE)).isFalse();
    assertThat(ofOtherNode.beginRound(NOW.plusSeconds(60), MINUTE)).isTrue();
    assertThat(store.beginRound(NOW.plusSeconds(61), MINUTE)).isFalse();
    assertThat(store.beginRound(NOW.minusSeconds(1), MINUTE)).isTrue(); // a clock was put back
  }
}
