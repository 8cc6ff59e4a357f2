package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GivenCheckpointKeyTest {

  @TempDir private Path folder;

  @Test
  void aNodeWithoutAKeySignsWithTheGivenOne() throws IOException {
    CheckpointKey key = made("key of another node");
    String text = Files.readString(folder.resolve("key of another node"));
    Path file = folder.resolve("checkpoint.key");

    assertThat(store(file, text)).isEmpty();

    assertThat(CheckpointKey.loadExisting(file))
        .isInstanceOfSatisfying(
            LoadedKey.Key.class, it -> assertThat(verifier(it)).isEqualTo(key.verifier().text()));
  }

  @Test
  void aKeyThatIsThereStays() throws IOException {
    made("newer");
    made("older");
    Path file = folder.resolve("newer");
    String before = Files.readString(file);

    assertThat(store(file, Files.readString(folder.resolve("older")))).isEmpty();
    assertThat(GivenCheckpointKey.store(folder.resolve("none"), Map.of())).isEmpty();

    assertThat(file).hasContent(before);
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void aTextThatIsNoKeyIsRefused() {
    Path file = folder.resolve("checkpoint.key");

    assertThat(store(file, "secret"))
        .contains(
            "GATEBOOK_CHECKPOINT_KEY cannot be used: a private key is written"
                + " PRIVATE+KEY+name+id+base64");

    assertThat(file).doesNotExist();
  }

  private static Optional<String> store(Path file, String text) {
    return GivenCheckpointKey.store(file, Map.of(GivenCheckpointKey.VARIABLE, text));
  }

  private static String verifier(LoadedKey.Key<?> key) {
    return ((CheckpointKey) key.key()).verifier().text();
  }

  private CheckpointKey made(String file) {
    return switch (CheckpointKey.loadOrCreate(folder.resolve(file), CheckpointKey.newName())) {
      case LoadedKey.Key<CheckpointKey>(CheckpointKey key) -> key;
      case LoadedKey.Refused<CheckpointKey>(String why) -> throw new AssertionError(why);
    };
  }
}
