package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class JournalOnH2Test extends JournalOnRows {
  @Override
  JournalSettings fresh(Path directory) {
    return Journals.embedded(directory);
  }

  @Test
  void aMissingDirectoryIsRefused() {
    Path nowhere = directory.resolve("nowhere");

    assertThat(Journal.open(Journals.embedded(nowhere)))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the checkpoint key %s cannot be used: its directory does not exist"
                    .formatted(nowhere.resolve("checkpoint.key"))));
  }
}
