package gatebook.events.journal.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.journal.witness.ForeignLog;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointAnchorTest {
  @TempDir private Path folder;
  private final ForeignLog log = ForeignLog.named("log.example/a").grow("a", "b", "c");

  private DirectoryAnchor directory(String at) {
    return new DirectoryAnchor(folder, () -> Instant.parse(at));
  }

  @Test
  void eachCheckpointGetsAFileOfADirectory() throws IOException {
    assertThat(directory("2026-01-02T03:04:05Z").newest()).isEmpty();

    directory("2026-01-02T03:04:05Z").add(log.checkpoint(3));
    directory("2026-01-02T03:04:05.006Z").add(log.checkpoint(1)); // as after a restore

    assertThat(names())
        .containsExactly(
            "20260102T030405.000Z-0000000000000000003.checkpoint",
            "20260102T030405.006Z-0000000000000000001.checkpoint");
    assertThat(directory("2026-01-02T03:04:05Z").newest()).contains(log.checkpoint(1));
  }

  @Test
  void fileOfADirectoryIsNeverReplaced() throws IOException {
    DirectoryAnchor anchor = directory("2026-01-02T03:04:05Z");
    anchor.add(log.checkpoint(3));
    anchor.add(log.checkpoint(3));

    String fork = log.fork().grow("d").checkpoint(3).replace("log.example/a", "log.example/b");
    assertThatThrownBy(() -> anchor.add(fork)).isInstanceOf(FileAlreadyExistsException.class);

    assertThat(names()).hasSize(1);
    assertThat(anchor.newest()).contains(log.checkpoint(3));
  }

  @Test
  void missingDirectoryIsNotCreated() {
    Path missing = folder.resolve("missing");
    DirectoryAnchor anchor = new DirectoryAnchor(missing, Instant::now);

    assertThatThrownBy(() -> anchor.add(log.checkpoint(3))).isInstanceOf(IOException.class);
    assertThat(missing).doesNotExist();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void fileGetsEachCheckpointAtItsEnd() throws IOException {
    Path file = folder.resolve("checkpoints");
    FileAnchor anchor = new FileAnchor(file);
    assertThat(anchor.newest()).isEmpty();

    anchor.add(log.checkpoint(1));
    anchor.add(log.checkpoint(3));

    assertThat(file).hasContent(log.checkpoint(1) + "\n" + log.checkpoint(3) + "\n");
    assertThat(anchor.newest()).contains(log.checkpoint(3));
  }

  @Test
  void checkpointThatWasCutOffStaysAndIsPassedOver() throws IOException {
    Path file = folder.resolve("checkpoints");
    FileAnchor anchor = new FileAnchor(file);
    anchor.add(log.checkpoint(1));
    String next = log.checkpoint(2) + "\n";

    for (int length = 1; length < next.length(); length++) {
      String before = Files.readString(file);
      Files.writeString(file, next.substring(0, length), StandardOpenOption.APPEND);
      assertThat(anchor.newest()).as("cut at %d", length).contains(log.checkpoint(1));
      anchor.add(log.checkpoint(3));
      assertThat(anchor.newest()).as("cut at %d", length).contains(log.checkpoint(3));
      assertThat(Files.readString(file)).startsWith(before + next.substring(0, length));
      anchor.add(log.checkpoint(1));
    }
  }

  @Test
  void newestNoteOfAnyPlaceIsFound() throws IOException {
    Path single = Files.writeString(folder.resolve("single"), log.checkpoint(2));
    Path file = folder.resolve("file");
    new FileAnchor(file).add(log.checkpoint(1));
    new FileAnchor(file).add(log.checkpoint(3));
    directory("2026-01-02T03:04:05Z").add(log.checkpoint(2));

    assertThat(note(single)).isEqualTo(log.checkpoint(2));
    assertThat(note(file)).isEqualTo(log.checkpoint(3));
    assertThat(note(folder)).isEqualTo(log.checkpoint(2));
  }

  private static String note(Path place) throws IOException {
    return new String(AnchoredNotes.newest(place), UTF_8);
  }
}
