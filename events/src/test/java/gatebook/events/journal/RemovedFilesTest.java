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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that the journal of one machine has open are removed or replaced. */
class RemovedFilesTest {
  private static final String SEGMENT = "journal/0000000000000000001.segment";

  @TempDir Path directory;
  private Path data;

  /** The storages of one machine. */
  enum Kind {
    H2,
    SEGMENTS;

    JournalSettings settings(Path data) {
      return this == H2 ? Journals.embedded(data) : Journals.inSegments(data);
    }
  }

  @BeforeEach
  void create() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
  }

  private Journal openedWithOneEvent(Kind kind) {
    Journal journal = Journals.opened(kind.settings(data));
    assertThat(append(journal, draft("a"))).isInstanceOf(Append.Stored.class);
    return journal;
  }

  @ParameterizedTest
  @CsvSource({"H2, journal.mv.db", "H2, journal.ahead.db", "SEGMENTS, " + SEGMENT})
  void nothingIsStoredInAFileThatWasRemoved(Kind kind, String file) throws IOException {
    try (Journal journal = openedWithOneEvent(kind)) {
      Files.delete(data.resolve(file));

      expectNothingIsStored(journal);
      assertThat(data.resolve(file)).doesNotExist();
    }
  }

  @ParameterizedTest
  @CsvSource({"H2, journal.mv.db", "H2, journal.ahead.db", "SEGMENTS, " + SEGMENT})
  void nothingIsStoredWhenTheFileWasReplaced(Kind kind, String file) throws IOException {
    try (Journal journal = openedWithOneEvent(kind)) {
      Path copy = Files.copy(data.resolve(file), directory.resolve("copy"));
      Files.move(copy, data.resolve(file), StandardCopyOption.REPLACE_EXISTING);

      expectNothingIsStored(journal);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMovedDirectoryIsNotRecreatedButReusedWhenBack(Kind kind) throws IOException {
    try (Journal journal = openedWithOneEvent(kind)) {
      Path away = Files.move(data, directory.resolve("away"));

      expectNothingIsStored(journal);
      assertThat(data).doesNotExist();

      Files.move(away, data);
      await().until(() -> append(journal, draft("b")) instanceof Append.Stored);
    }
    try (Journal journal = Journals.opened(kind.settings(data))) {
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
