package gatebook.events.journal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointKeyTest {
  private static final String NEUMANN =
      "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

  @TempDir Path directory;

  @Test
  void theFirstStartCreatesAKeyThatLaterStartsLoad() throws IOException {
    VerifierKey created = key(CheckpointKey.loadOrCreate(file(), "first.example")).verifier();
    VerifierKey loaded = key(CheckpointKey.loadOrCreate(file(), "second.example")).verifier();

    assertThat(loaded).isEqualTo(created);
    assertThat(created.name()).isEqualTo("first.example");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(filesInDirectory()).containsExactly(file());
  }

  @Test
  void concurrentFirstStartsCreateOneKey() throws IOException {
    Set<VerifierKey> keys = ConcurrentHashMap.newKeySet();

    try (ExecutorService starts = Executors.newFixedThreadPool(16)) {
      for (int i = 0; i < 16; i++) {
        String name = "name" + i;
        starts.execute(() -> keys.add(key(CheckpointKey.loadOrCreate(file(), name)).verifier()));
      }
    }

    assertThat(keys).hasSize(1);
    assertThat(filesInDirectory()).containsExactly(file());
  }

  @Test
  void everyNewKeyIsDifferent() {
    assertThat(key(CheckpointKey.loadOrCreate(directory.resolve("a"), "log")).verifier())
        .isNotEqualTo(key(CheckpointKey.loadOrCreate(directory.resolve("b"), "log")).verifier());
  }

  @Test
  void theTextOfAVerifierKeyIsReadBack() {
    VerifierKey key = key(CheckpointKey.loadOrCreate(file(), "log.example/é")).verifier();

    assertThat(VerifierKey.parse(key.text())).isEqualTo(new LoadedKey.Key<>(key));
  }

  @Test
  void aKeyFileReadableByOthersIsRefused() throws IOException {
    Files.writeString(file(), NEUMANN + "\n");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));

    assertThat(CheckpointKey.loadOrCreate(file(), "log"))
        .isEqualTo(
            new LoadedKey.Refused<>(
                "the checkpoint key "
                    + file()
                    + " cannot be used: its permissions are rw-r-----: only its owner may read it"
                    + " (chmod 600); if another user may have read it, create a new one"));
  }

  @Test
  void aBrokenKeyFileIsRefusedAndNotChanged() throws IOException {
    for (String broken :
        List.of(
            "",
            "garbage",
            NEUMANN.replace("PRIVATE+KEY+", ""),
            NEUMANN.replace("PRIVATE", "PUBLIC"),
            NEUMANN.replace("c74f20a3", "c74f20a4"),
            NEUMANN.replace("AYEK", "AYEL"),
            NEUMANN.replace("AYEK", "AoEK"),
            NEUMANN.replace("PeterNeumann", "Peter Neumann"),
            NEUMANN.substring(0, NEUMANN.length() - 4),
            NEUMANN + "\n" + NEUMANN,
            "x".repeat(5000))) {
      Files.writeString(file(), broken);
      Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));

      assertThat(CheckpointKey.loadOrCreate(file(), "log")).isInstanceOf(LoadedKey.Refused.class);
      assertThat(file()).hasContent(broken);
    }
  }

  @Test
  void aKeyThatCannotBeCreatedIsRefused() {
    Path nowhere = directory.resolve("none/key");

    assertThat(CheckpointKey.loadOrCreate(nowhere, "log"))
        .isEqualTo(
            new LoadedKey.Refused<>(
                "the checkpoint key " + nowhere + " cannot be used: its directory does not exist"));
    assertThat(CheckpointKey.loadOrCreate(file(), "a log"))
        .isEqualTo(
            new LoadedKey.Refused<>(
                "'a log' cannot name a key: it is empty or has a space or a plus sign"));
    assertThat(file()).doesNotExist();
  }

  @Test
  void anAlteredVerifierKeyIsRefused() {
    String text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

    assertThat(VerifierKey.parse(text)).isInstanceOf(LoadedKey.Key.class);
    assertThat(VerifierKey.parse(text.replace("qq/", "qr/")))
        .isEqualTo(
            new LoadedKey.Refused<>(
                "the verifier key 'PeterNeumann' has id c74f20a3 where its bytes give 75c5d4e2:"
                    + " it was altered"));
    for (String broken :
        List.of("", "++", "a+b", text + "=", text.replace("c74f20a3", "C74F20A3"))) {
      assertThat(VerifierKey.parse(broken)).isInstanceOf(LoadedKey.Refused.class);
    }
  }

  private Path file() {
    return directory.resolve("checkpoint.key");
  }

  private List<Path> filesInDirectory() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static CheckpointKey key(LoadedKey<CheckpointKey> loadedKey) {
    return ((LoadedKey.Key<CheckpointKey>) loadedKey).key();
  }
}
