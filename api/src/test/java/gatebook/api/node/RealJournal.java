package gatebook.api.node;

import gatebook.api.data.DiskLimits;
import gatebook.api.data.OperatorToken;
import gatebook.api.data.RetentionSection;
import gatebook.api.node.disk.DiskSpace;
import gatebook.events.Event;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.keys.store.TableKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.axonframework.messaging.core.MessageType;

/** A real journal in segments, opened and read by a test. */
public final class RealJournal {

  private static final int PAGE = 1_000;

  /** The default limits, but with segments that are soon full. */
  private static final JournalLimits SMALL_SEGMENTS =
      Journals.with(
          JournalLimits.DEFAULT,
          Map.of("segmentBytesMax", 1 << 14, "segmentBlockBytesMax", 1 << 12));

  private RealJournal() {}

  /** A file in the data directory: while it exists, the disk seems to be nearly full. */
  static final String FULL = "full";

  static Journal open(Path directory) {
    return open(directory, new SegmentLocation(directory.resolve("journal")));
  }

  static Journal open(Path directory, JournalSettings.Location location) {
    return open(directory, location, isArchived(location) ? SMALL_SEGMENTS : JournalLimits.DEFAULT);
  }

  static Journal open(Path directory, JournalSettings.Location location, JournalLimits limits) {
    JournalSettings settings =
        new JournalSettings(
            location,
            Durability.POWER,
            "test",
            directory.resolve("checkpoint.key"),
            directory.resolve("checkpoint"),
            limits);
    return Journals.opened(settings);
  }

  private static boolean isArchived(JournalSettings.Location location) {
    return location instanceof SegmentLocation segments && segments.retention().isLimited();
  }

  /** The journal with its views and operator RPC, as in a node. */
  static NodeJournal nodeJournal(Journal journal, Path directory) {
    return nodeJournal(journal, directory, new SegmentLocation(directory.resolve("journal")));
  }

  /** The same, with its content keys where the journal is. */
  static NodeJournal nodeJournal(
      Journal journal, Path directory, JournalSettings.Location location) {
    return nodeJournal(journal, directory, location, Clock.systemUTC(), UnaryOperator.identity());
  }

  /**
   * The same with another clock.
   *
   * @param keys what the node uses in the place of its content keys
   */
  static NodeJournal nodeJournal(
      Journal journal,
      Path directory,
      JournalSettings.Location location,
      Clock clock,
      UnaryOperator<ContentKeyStore> keys) {
    return switch (ViewFile.open(directory.resolve("views"))) {
      case ViewFile.Opening.Opened(var views) ->
          OpenNodeJournal.of(
              journal,
              keys(journal, directory, location, keys),
              views,
              token(directory),
              NodeLiveness.orphanedInEmbedded(),
              directory,
              () ->
                  Files.exists(directory.resolve(FULL))
                      ? Optional.of(new DiskSpace.Usage(99_000_000_000L, 1_000_000))
                      : Optional.of(new DiskSpace.Usage(0, 100_000_000_000L)),
              DiskLimits.DEFAULT,
              RetentionSection.KEEP_ALL,
              clock);
      case ViewFile.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  static NodeKeys.Store keys(
      Journal journal,
      Path directory,
      JournalSettings.Location location,
      UnaryOperator<ContentKeyStore> used) {
    Path keys = directory.resolve("keys");
    RecordedKeys recorded = RecordedKeys.of(journal);
    ContentKeyStore.Opening opening =
        location instanceof SharedLocation shared
            ? TableKeyStore.open(shared, keys, Optional.empty(), recorded)
            : FileKeyStore.open(keys, Optional.empty(), recorded);
    return switch (opening) {
      case ContentKeyStore.Opening.Opened(var store, var missing) ->
          new NodeKeys.Store(used.apply(store), OldKeys.NONE, missing);
      case ContentKeyStore.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static OperatorToken token(Path directory) {
    try {
      Files.writeString(directory.resolve("operator.token"), "a token");
      return OperatorToken.read(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * All events of a journal.
   *
   * @param eventVocabulary has the keys of the node
   */
  public static List<Event> events(Journal journal, EventVocabulary eventVocabulary) {
    List<Event> events = new ArrayList<>();
    addNewEvents(journal, eventVocabulary, events);
    return events;
  }

  /** A vocabulary with the keys of a node. */
  static EventVocabulary vocabulary(NodeJournal nodeJournal) {
    return new EventVocabulary(nodeJournal.contentKeys(), nodeJournal.oldKeys());
  }

  /** Adds the events that the journal has beyond these, which are its first ones. */
  static void addNewEvents(Journal journal, EventVocabulary eventVocabulary, List<Event> events) {
    entries(journal, events.size()).stream()
        .map(entry -> read(entry, eventVocabulary))
        .forEach(events::add);
  }

  /** Reads the event of an entry from its stored bytes. */
  public static Event read(Entry entry, EventVocabulary eventVocabulary) {
    return eventVocabulary.read(
        new MessageType(entry.name(), entry.version()), eventVocabulary.open(entry).json());
  }

  public static List<Entry> entries(Journal journal) {
    return entries(journal, 0);
  }

  private static List<Entry> entries(Journal journal, long from) {
    List<Entry> entries = new ArrayList<>();
    for (long head = journal.head(); from + entries.size() < head; ) {
      entries.addAll(journal.read(from + entries.size(), PAGE));
    }
    return entries;
  }
}
