package gatebook.api.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DataDirectoryTest {

  @TempDir private Path temp;

  @Test
  void theFirstOpeningCreatesAPrivateDirectory() throws IOException {
    Path data = temp.resolve("a/b");

    opened(data).close();

    assertThat(permissions(data)).isEqualTo("rwx------");
    assertThat(permissionsOfFiles(data))
        .isEqualTo(
            Map.of(
                "gatebook.format", "rw-------",
                "operator.token", "rw-------",
                "owner.lock", "rw-------"));
    assertThat(data.resolve("gatebook.format")).hasContent("gatebook data, format 1\n");
  }

  @Test
  void anEmptyDirectoryIsAcceptedAndMadePrivate() throws IOException {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));

    opened(temp).close();

    assertThat(permissions(temp)).isEqualTo("rwx------");
  }

  @Test
  void theOperatorTokenIs256RandomBitsAndStaysTheSame() throws IOException {
    opened(temp).close();
    String token = Files.readString(temp.resolve("operator.token"));
    opened(temp).close();

    assertThat(token).matches("[A-Za-z0-9_-]{43}\n");
    assertThat(temp.resolve("operator.token")).hasContent(token);
  }

  @Test
  void eachDirectoryHasItsOwnToken() throws IOException {
    opened(temp.resolve("one")).close();
    opened(temp.resolve("two")).close();

    assertThat(Files.readString(temp.resolve("one/operator.token")))
        .isNotEqualTo(Files.readString(temp.resolve("two/operator.token")));
  }

  @Test
  void theLockNamesTheOwnerAndItsPort() throws IOException {
    try (DataDirectory directory = opened(temp)) {
      directory.announce(7469);

      assertThat(Files.readString(temp.resolve("owner.lock")))
          .matches(
              """
              \\{"pid":%d,"adminPort":7469,"startedAt":"[0-9T:.-]+Z"}\n\
              """
                  .formatted(ProcessHandle.current().pid()));
    }
    assertThat(temp.resolve("owner.lock")).isEmptyFile();
  }

  @Test
  void aDirectoryInUseIsRefusedNamingTheProcess() {
    try (DataDirectory _ = opened(temp)) {
      assertThat(DataDirectory.open(temp))
          .isEqualTo(
              new DataDirectory.Opening.Held(
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  "%s is in use by the running gatebook with process id %d: stop it, or choose another with --data"
                      .formatted(temp, ProcessHandle.current().pid())));
    }
  }

  @Test
  void aDirectoryWhoseOwnerEndedIsTakenOver() throws IOException {
    opened(temp).close();
    Files.writeString(
        temp.resolve("owner.lock"),
        """
        {"pid":1,"adminPort":7469,"startedAt":"then"}\n\
        """);

    try (DataDirectory _ = opened(temp)) {
      assertThat(Files.readString(temp.resolve("owner.lock")))
          .startsWith("{\"pid\":%d,".formatted(ProcessHandle.current().pid()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"owner.lock", "gatebook.format.unfinished"})
  void anInterruptedFirstStartIsContinued(String leftover) throws IOException {
    Files.createFile(temp.resolve(leftover));

    opened(temp).close();

    assertThat(permissionsOfFiles(temp))
        .containsOnlyKeys("gatebook.format", "operator.token", "owner.lock");
  }

  @Test
  void aForeignDirectoryIsRefusedAndNotTouched() throws IOException {
    Files.writeString(temp.resolve("thesis.txt"), "mine");

    assertThat(DataDirectory.open(temp)).isEqualTo(foreign());
    assertThat(permissionsOfFiles(temp)).containsOnlyKeys("thesis.txt");
  }

  @Test
  void anUnknownFormatFileIsForeign() throws IOException {
    Files.writeString(temp.resolve("gatebook.format"), "anything");

    assertThat(DataDirectory.open(temp)).isEqualTo(foreign());
  }

  @Test
  void aDirectoryOfANewerFormatIsRefused() throws IOException {
    Files.writeString(temp.resolve("gatebook.format"), "gatebook data, format 2\n");

    assertThat(DataDirectory.open(temp))
        .isEqualTo(
            new DataDirectory.Opening.Refused(
                "%s has format 2 and this version knows 1: use a newer gatebook".formatted(temp)));
  }

  @Test
  void aFileInsteadOfADirectoryIsRefused() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));

    assertThat(DataDirectory.open(file))
        .isEqualTo(
            new DataDirectory.Opening.Refused(
                "%s is not a directory: choose another with --data".formatted(file)));
  }

  @Test
  void aDirectoryThatCannotBeCreatedIsRefused() throws IOException {
    Path inside = Files.createFile(temp.resolve("file")).resolve("data");

    assertThat(DataDirectory.open(inside)).isEqualTo(cannotUse(inside, "not a directory"));
  }

  @Test
  void aDirectoryWhoseFilesCannotBeWrittenIsRefused() throws IOException {
    Files.createDirectory(temp.resolve("owner.lock"));

    assertThat(DataDirectory.open(temp)).isEqualTo(cannotUse(temp, "is a directory"));
  }

  @Test
  void theOptionPrecedesTheEnvironmentAndTheDefault() {
    Map<String, String> environment = Map.of("GATEBOOK_DATA", "from-environment");

    assertThat(DataDirectory.choose(Path.of("asked"), environment)).isEqualTo(Path.of("asked"));
    assertThat(DataDirectory.choose(null, environment)).isEqualTo(Path.of("from-environment"));
    assertThat(DataDirectory.choose(null, Map.of())).isEqualTo(Path.of("gatebook-data"));
  }

  private DataDirectory.Opening foreign() {
    return new DataDirectory.Opening.Refused(
        "%s holds files that are not gatebook's: choose an empty or new directory with --data"
            .formatted(temp));
  }

  private static DataDirectory.Opening cannotUse(Path path, String reason) {
    return new DataDirectory.Opening.Refused(
        "cannot use %s for data (%s): make it writable, or choose another with --data"
            .formatted(path, reason));
  }

  private static DataDirectory opened(Path path) {
    return switch (DataDirectory.open(path)) {
      case DataDirectory.Opening.Opened(var directory) -> directory;
      case DataDirectory.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
      case DataDirectory.Opening.Held(_, _, _, var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static Map<String, String> permissionsOfFiles(Path directory) throws IOException {
    Map<String, String> permissions = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        permissions.put(file.getFileName().toString(), permissions(file));
      }
    }
    return permissions;
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
