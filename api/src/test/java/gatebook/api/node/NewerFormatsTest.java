package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.backup.RestoreCommand;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.TrustedProxies;
import gatebook.api.proof.Kept;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Files of a newer version are refused in one sentence, and stay as they are. */
final class NewerFormatsTest {
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  /** The last byte of the version in the header of a binary file. */
  private static final int VERSION_AT = 11;

  @TempDir private Path temp;

  private Path data;

  @BeforeEach
  void unpack() throws IOException {
    data = Kept.unpack(Kept.all().getLast().resolve("segments.zip"), temp).resolve("data");
  }

  @Test
  void aDataDirectoryIsRefused() throws IOException {
    Files.writeString(data.resolve("gatebook.format"), "gatebook data, format 2\n");

    expectRefused(data.toString());
  }

  @Test
  void segmentsAreRefused() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("journal"))) {
      changeVersion(
          files.filter(file -> file.toString().endsWith(".segment")).sorted().toList().getLast());
    }

    expectRefused("the journal " + data.resolve("journal"));
  }

  @Test
  void contentKeysAreRefused() throws IOException {
    changeVersion(data.resolve("keys/content-keys"));

    expectRefused(data.resolve("keys/content-keys").toString());
  }

  @Test
  void aBackupIsRefused() throws IOException {
    Path manifest;
    try (Stream<Path> files = Files.list(temp.resolve("backup/backups"))) {
      manifest = files.findFirst().orElseThrow();
    }
    Files.writeString(
        manifest, Files.readString(manifest).replaceFirst("\"format\" ?: ?1", "\"format\":2"));
    Path restored = temp.resolve("restored");
    StringWriter err = new StringWriter();

    int code =
        new CommandLine(new RestoreCommand())
            .setErr(new PrintWriter(err))
            .execute(temp.resolve("backup").toString(), "--data", restored.toString());

    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "the backup %s has format 2 and this version knows 1: use a newer gatebook"
                .formatted(manifest.getFileName().toString().replace(".json", "")));
    assertThat(restored.resolve("journal")).doesNotExist();
  }

  private static void changeVersion(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[VERSION_AT] = 2;
    Files.write(file, bytes);
  }

  private void expectRefused(String what) throws IOException {
    Map<String, Integer> before = content();

    assertThat(
            Node.start(
                new ServeSettings(
                    data,
                    Optional.of(temp.resolve("gatebook.yaml")),
                    ANY_PORT,
                    ANY_PORT,
                    Optional.empty(),
                    TrustedProxies.NONE,
                    Optional.empty()),
                JournalWiring::open))
        .isEqualTo(
            new Node.Start.Refused(
                what + " has format 2 and this version knows 1: use a newer gatebook"));
    assertThat(content()).isEqualTo(before);
  }

  /** The digest of each file, but for those that only say who uses the directory. */
  private Map<String, Integer> content() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith("lock"))
          .collect(Collectors.toMap(Path::toString, this::digest, (a, _) -> a, TreeMap::new));
    }
  }

  private int digest(Path file) {
    try {
      return Arrays.hashCode(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
