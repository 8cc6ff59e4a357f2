package gatebook.api.node;

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
import java.util.LinkedHashSet;
import java.util.List;
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
      ContentKeyStore store = open(copy, new RecordedKeys(Optional.empty(), new LinkedHashSet<>()));
      store.close(); // what it read stays readable
      for (Path file : files(copy)) {
        Files.delete(file);
      }
      Files.delete(copy);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens the keys of a data directory that no process has open, to fill its journal. */
  public static ContentKeyStore open(Path data, Journal journal) {
    return open(data.resolve("keys"), RecordedKeys.of(journal));
  }

  private static ContentKeyStore open(Path keys, RecordedKeys recorded) {
    return switch (FileKeyStore.open(keys, Optional.empty(), recorded)) {
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
