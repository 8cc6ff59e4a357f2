package gatebook.api.node;

import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.events.journal.Journal;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the content keys of a data directory, also while a process has it open. */
public final class KeysOnDisk {

  private KeysOnDisk() {}

  /** A vocabulary with the keys that are in a data directory now. */
  public static EventVocabulary vocabulary(Path data) {
    return new EventVocabulary(read(data), OldKeys.NONE);
  }

  /** The keys that are in a data directory now. Opens a copy, because opening may write. */
  public static ContentKeyStore read(Path data) {
    try {
      Path copy = Files.createTempDirectory("keys");
      Path keys = data.resolve("keys");
      for (Path file : files(keys)) {
        Files.copy(file, copy.resolve(keys.relativize(file)));
      }
      ContentKeyStore store = open(copy, RecordedKeys.none());
      store.close(); // what it read stays readable
      deleteAll(copy);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The keys of a journal.
   *
   * @param url of the database that has them; empty for the data directory
   */
  public static ContentKeyStore read(
      Path data, Optional<String> url, Map<String, String> environment) {
    if (url.isEmpty()) {
      return read(data);
    }
    return opened(JournalKeys.openAlone(new JournalPlace(data, url), environment));
  }

  /** Opens the keys of a data directory that no process has open, to fill its journal. */
  public static ContentKeyStore open(Path data, Journal journal) {
    return open(data.resolve("keys"), RecordedKeys.of(journal));
  }

  /** Deletes the keys of a data directory that no process has open; nothing is erased. */
  public static void delete(Path data) throws IOException {
    deleteAll(data.resolve("keys"));
  }

  private static void deleteAll(Path keys) throws IOException {
    for (Path file : files(keys)) {
      Files.delete(file);
    }
    Files.delete(keys);
  }

  private static ContentKeyStore open(Path keys, RecordedKeys recorded) {
    return opened(FileKeyStore.open(keys, Optional.empty(), recorded));
  }

  /** A store that a test could open. */
  public static ContentKeyStore opened(ContentKeyStore.Opening opening) {
    return switch (opening) {
      case ContentKeyStore.Opening.Opened(var store, _) -> store;
      case ContentKeyStore.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static List<Path> files(Path keys) throws IOException {
    if (!Files.exists(keys)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(keys)) {
      return files.toList();
    }
  }
}
