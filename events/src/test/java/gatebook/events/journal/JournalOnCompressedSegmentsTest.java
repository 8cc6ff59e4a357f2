package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract on many small segments that are compressed, at the latest when it is closed. */
class JournalOnCompressedSegmentsTest extends JournalOnSegmentsTest {
  @Override
  JournalSettings fresh(Path directory) {
    return Journals.withSegments(super.fresh(directory), 6_000);
  }

  @Override
  void afterClose() {
    editor().compress();
  }

  @Test
  void theContractIsKeptOnCompressedSegments() throws IOException {
    IntStream.range(0, 50).forEach(i -> Journals.append(journal, Journals.draft("e" + i)));
    reopen();

    assertThat(allPositions())
        .isEqualTo(IntStream.rangeClosed(1, 50).mapToObj(i -> (long) i).toList());
    try (Stream<Path> files = Files.list(directory.resolve("journal"))) {
      assertThat(files.map(Path::toString).filter(it -> it.endsWith(".segment.z"))).hasSize(5);
    }
  }
}
