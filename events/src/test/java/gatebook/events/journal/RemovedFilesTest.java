package gatebook.events.journal;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that the journal of one machine has open are removed or replaced. */
class RemovedFilesTest {
  private static final String SEGMENT = "journal/0000000000000000001.segment";

  @TempDir Path directory;
  private Path data;

  @BeforeEach
  void create() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
  }

  private Journal openedWithOneEvent() {
    Journal journal = Journals.opened(Journals.inSegments(data));
    assertThat(append(journal, draft("a"))).isInstanceOf(Append.Stored.class);
    return journal;
  }

  @Test
  void nothingIsStoredInAFileThatWasRemoved() throws IOException {
    try (Journal journal = openedWithOneEvent()) {
      Files.delete(data.resolve(SEGMENT));

      expectNothingIsStored(journal);
      assertThat(data.resolve(SEGMENT)).doesNotExist();
    }
  }

  @Test
  void nothingIsStoredWhenTheFileWasReplaced() throws IOException {
    try (Journal journal = openedWithOneEvent()) {
      Path copy = Files.copy(data.resolve(SEGMENT), directory.resolve("copy"));
      Files.move(copy, data.resolve(SEGMENT), StandardCopyOption.REPLACE_EXISTING);

      expectNothingIsStored(journal);
    }
  }

  @Test
  void aMovedDirectoryIsNotRecreatedButReusedWhenBack() throws IOException {
    try (Journal journal = openedWithOneEvent()) {
      Path away = Files.move(data, directory.resolve("away"));

      expectNothingIsStored(journal);
      assertThat(data).doesNotExist();

      Files.move(away, data);
      await().until(() -> append(journal, draft("b")) instanceof Append.Stored);
    }
    try (Journal journal = Journals.opened(Journals.inSegments(data))) {
      assertThat(journal.read(0, 10)).hasSize(2);
    }
  }

  private static void expectNothingIsStored(Journal journal) {
    for (int time = 0; time < 3; time++) {
      assertThat(append(journal, draft("b"))).isNotInstanceOf(Append.Stored.class);
    }
    assertThat(journal.state()).isInstanceOf(JournalState.Unavailable.class);
    assertThat(journal.head()).isEqualTo(1);
  }
}
