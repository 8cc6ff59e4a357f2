package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;
import org.axonframework.conversion.ChainingContentTypeConverter;
import org.axonframework.eventsourcing.eventstore.StorageEngineTestSuite;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** Axon's own suite for storage engines, on the journal. */
abstract class AxonSuite extends StorageEngineTestSuite<FollowableStorageEngine> {
  @TempDir static Path directory;

  private @Nullable Journal journal;

  /** The settings of a new journal. */
  abstract JournalSettings fresh(Path empty);

  @Override
  protected FollowableStorageEngine buildStorageEngine() {
    journal = Journals.opened(fresh(directory));
    return new FollowableStorageEngine(
        journal, new EventMessages(new ChainingContentTypeConverter()));
  }

  @Override
  @SuppressWarnings("NullAway") // the suite allows for engines that need no context, as this one
  protected ProcessingContext processingContext() {
    return null;
  }

  @AfterAll
  void close() {
    if (journal != null) {
      journal.close();
    }
  }
}
