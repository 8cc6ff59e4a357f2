package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** A journal that this process reads as it is stored, and to which it writes nothing. */
public final class StoredJournal implements ProvableJournal, AutoCloseable {
  private final JournalStorage storage;
  private final JournalReader reader;

  /** The result of opening a stored journal. */
  public sealed interface Opening {
    record Opened(StoredJournal journal) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  private StoredJournal(JournalStorage storage, JournalSettings settings) {
    this.storage = storage;
    this.reader = new JournalReader(storage, new TailBuffer(settings.limits(), 0), _ -> {});
  }

  /** Opens a journal that must exist. */
  public static Opening open(JournalSettings settings) {
    JournalStorage storage = settings.storage();
    try {
      storage.openForReading();
      return new Opening.Opened(new StoredJournal(storage, settings));
    } catch (OpenRefusal e) {
      storage.close();
      return new Opening.Refused(e.sentence());
    } catch (StorageFailure e) {
      storage.close();
      return new Opening.Refused(
          "the journal %s cannot be opened: %s"
              .formatted(storage.describe(), StorageFailure.describe(e)));
    }
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    return reader.find(criteria, after, upTo, limit);
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() {
    return reader.newestCheckpoint();
  }

  @Override
  public Optional<StoredCheckpoint> checkpointOver(long size) {
    return reader.checkpointOver(size);
  }

  @Override
  public ConsistencyProof consistency(long from, long to) {
    return reader.consistency(from, to);
  }

  @Override
  public void close() {
    storage.close();
  }
}
