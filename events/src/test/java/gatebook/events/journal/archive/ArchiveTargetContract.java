package gatebook.events.journal.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every target of archives does. */
public abstract class ArchiveTargetContract {
  @TempDir protected Path directory;

  /** An empty target. */
  protected abstract ArchiveTarget target() throws IOException;

  protected final Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "file", ".txt"), text);
  }

  @Test
  void theFirstObjectOfANameStays() throws IOException {
    try (ArchiveTarget target = target()) {
      boolean first = target.putIfAbsent("segments/1.segment.z", file("first"));
      boolean second = target.putIfAbsent("segments/1.segment.z", file("second"));

      assertThat(List.of(first, second)).containsExactly(true, false);
      assertThat(target.get("segments/1.segment.z")).contains("first".getBytes(UTF_8));
    }
  }

  @Test
  void aManifestIsReplaced() throws IOException {
    try (ArchiveTarget target = target()) {
      target.put("manifest", "old and longer".getBytes(UTF_8));
      target.put("manifest", "new".getBytes(UTF_8));

      assertThat(target.get("manifest")).contains("new".getBytes(UTF_8));
    }
  }

  @Test
  void partsAndWholeObjectsAreRead() throws IOException {
    try (ArchiveTarget target = target()) {
      target.putIfAbsent("digits", file("0123456789"));
      Path copy = directory.resolve("copy");

      assertThat(target.size("digits")).hasValue(10);
      assertThat(target.read("digits", 3, 4)).isEqualTo("3456".getBytes(UTF_8));
      assertThat(target.copyTo("digits", copy)).isTrue();
      assertThat(copy).hasContent("0123456789");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
          .isEqualTo("rw-------");
      assertThatThrownBy(() -> target.read("digits", 8, 4)).isInstanceOf(ArchiveFailure.class);
    }
  }

  @Test
  void whatIsNotThereIsNotFound() throws IOException {
    try (ArchiveTarget target = target()) {
      Path copy = directory.resolve("copy");

      assertThat(target.get("none")).isEmpty();
      assertThat(target.size("none")).isEmpty();
      assertThat(target.copyTo("none", copy)).isFalse();
      assertThat(copy).doesNotExist();
      assertThatThrownBy(() -> target.read("none", 0, 1))
          .isInstanceOf(ArchiveFailure.class)
          .hasMessageContaining("there is no such object");
      target.delete("none");
    }
  }

  @Test
  void objectsAreListedByNameAndRemoved() throws IOException {
    try (ArchiveTarget target = target()) {
      for (String name : List.of("b/2", "b/10", "b/1", "bc", "a")) {
        target.put(name, name.getBytes(UTF_8));
      }
      target.delete("b/10");

      assertThat(target.list("b/"))
          .containsExactly(new ArchivedObject("b/1", 3), new ArchivedObject("b/2", 3));
      assertThat(target.list("b").stream().map(ArchivedObject::name))
          .containsExactly("b/1", "b/2", "bc");
      assertThat(target.list("")).hasSize(4);
    }
  }

  @Test
  void aNameStaysInsideTheTarget() throws IOException {
    try (ArchiveTarget target = target()) {
      for (String name : List.of("", "..", "../x", "/x", "a//b", "a/.b", "a/", "ä")) {
        assertThatThrownBy(() -> target.get(name)).isInstanceOf(IllegalArgumentException.class);
      }
    }
  }
}
