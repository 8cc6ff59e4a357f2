package gatebook.events.journal.axon;

import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;

class AxonSuiteOnSegmentsTest extends AxonSuite {
  @Override
  JournalSettings fresh(Path empty) {
    return Journals.inSegments(empty);
  }
}
