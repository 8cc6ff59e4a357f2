package gatebook.events.journal.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The directory as a target of archives. */
final class DirectoryTargetTest extends ArchiveTargetContract {
  @Override
  protected ArchiveTarget target() throws IOException {
    return DirectoryTarget.open(directory.resolve("below/archive"));
  }

  @Test
  void ofManyWritersOneIsTheFirst() throws Exception {
    try (ArchiveTarget target = target();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      Path file = file("x".repeat(100_000));
      Callable<Boolean> put = () -> target.putIfAbsent("a/b", file);

      List<Boolean> first =
          threads.invokeAll(List.of(put, put, put, put, put, put, put, put)).stream()
              .map(Future::resultNow)
              .toList();

      assertThat(first).containsOnlyOnce(true);
    }
  }

  @Test
  void onlyTheOwnerReadsAnArchive() throws IOException {
    try (ArchiveTarget target = target()) {
      target.put("segments/1", "one".getBytes(UTF_8));
      Path archive = directory.resolve("below/archive");

      assertThat(permissions(archive)).isEqualTo("rwx------");
      assertThat(permissions(archive.resolve("segments"))).isEqualTo("rwx------");
      assertThat(permissions(archive.resolve("segments/1"))).isEqualTo("rw-------");
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void anArchiveThatDisappearedIsNotEmpty() throws IOException {
    try (ArchiveTarget target = target()) {
      Path archive = directory.resolve("below/archive");
      Files.delete(archive);

      assertThatThrownBy(() -> target.get("segments/1"))
          .isInstanceOf(ArchiveFailure.class)
          .hasMessage(
              "the archive %s cannot read segments/1: there is no such directory any longer"
                  .formatted(archive));
      assertThatThrownBy(() -> target.put("segments/1", new byte[1]))
          .isInstanceOf(ArchiveFailure.class);
      assertThat(archive).doesNotExist();
    }
  }

  @Test
  void aFileIsNoArchive() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> DirectoryTarget.open(file))
        .isInstanceOf(ArchiveFailure.class)
        .hasMessage(
            "the archive %s cannot be used: a file is in the place of a directory".formatted(file));
  }

  @Test
  void anUnfinishedObjectIsNotListed() throws IOException {
    try (ArchiveTarget target = target()) {
      Files.writeString(directory.resolve("below/archive/.draft-1"), "half");

      assertThat(target.list("")).isEmpty();
    }
  }
}
