package gatebook.events.journal;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that the embedded journal has open are removed or replaced. */
class RemovedFilesTest {
  @TempDir Path directory;
  private Path data;
  private Journal journal;

  @BeforeEach
  void open() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
    journal = Journals.opened(Journals.embedded(data));
    assertThat(append(journal, draft("a"))).isInstanceOf(Append.Stored.class);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"journal.mv.db", "journal.ahead.db"})
  void nothingIsStoredInAFileThatWasRemoved(String file) throws IOException {
    Files.delete(data.resolve(file));

    expectNothingIsStored();
    assertThat(data.resolve(file)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"journal.mv.db", "journal.ahead.db"})
  void nothingIsStoredWhenTheFileWasReplaced(String file) throws IOException {
    Path copy = Files.copy(data.resolve(file), directory.resolve("copy"));
    Files.move(copy, data.resolve(file), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    expectNothingIsStored();
  }

  @Test
  void aMovedDirectoryIsNotRecreatedButReusedWhenBack() throws IOException {
    Path away = Files.move(data, directory.resolve("away"));

    expectNothingIsStored();
    assertThat(data).doesNotExist();

    Files.move(away, data);
    await().until(() -> append(journal, draft("b")) instanceof Append.Stored);
    journal.close();
    journal = Journals.opened(Journals.embedded(data));
    assertThat(journal.read(0, 10)).hasSize(2);
  }

  private void expectNothingIsStored() {
    for (int time = 0; time < 3; time++) {
      assertThat(append(journal, draft("b"))).isNotInstanceOf(Append.Stored.class);
    }
    assertThat(journal.state()).isInstanceOf(JournalState.Unavailable.class);
    assertThat(journal.head()).isEqualTo(1);
  }
}
