package gatebook.events.journal.axon;

import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;

class AxonSuiteOnPostgresTest extends AxonSuite {
  @Override
  JournalSettings fresh(Path empty) {
    return Journals.shared(empty);
  }
}
