package gatebook.events.journal.segment;

import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.RowCursor;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds event ids that occur more than once, in bounded memory: it sorts hashes of the ids, in
 * temporary files if there are many, and then reads the ids whose hashes are equal.
 */
final class DuplicateIds {
  private static final int IN_MEMORY_MAX = 4 << 20;

  /** With so many files, the ids of a billion events are sorted 4 million at a time. */
  private static final int FILES = 256;

  /** An editor could repeat every event. */
  private static final int FOUND_MAX = 1 << 20;

  private final Supplier<RowCursor<JournalSnapshot.Id>> ids;
  private final int inMemoryMax;

  /**
   * @param ids all ids, as often as they are asked for
   */
  DuplicateIds(Supplier<RowCursor<JournalSnapshot.Id>> ids) {
    this(ids, IN_MEMORY_MAX);
  }

  DuplicateIds(Supplier<RowCursor<JournalSnapshot.Id>> ids, int inMemoryMax) {
    this.ids = ids;
    this.inMemoryMax = inMemoryMax;
  }

  /** The ids, equal ones together and by ascending position; among them may be others. */
  List<JournalSnapshot.Id> find() throws IOException {
    Set<Long> repeated = repeatedHashes();
    List<JournalSnapshot.Id> found = new ArrayList<>();
    if (!repeated.isEmpty()) {
      try (RowCursor<JournalSnapshot.Id> all = ids.get()) {
        for (JournalSnapshot.Id id = all.next();
            id != null && found.size() < FOUND_MAX;
            id = all.next()) {
          if (repeated.contains(TagHash.hash(id.id()))) {
            found.add(id);
          }
        }
      }
      found.sort(
          Comparator.comparing(JournalSnapshot.Id::id)
              .thenComparingLong(JournalSnapshot.Id::position));
    }
    return found;
  }

  private Set<Long> repeatedHashes() throws IOException {
    long[] hashes = new long[1024];
    int count = 0;
    try (RowCursor<JournalSnapshot.Id> all = ids.get()) {
      for (JournalSnapshot.Id id = all.next(); id != null; id = all.next()) {
        if (count == inMemoryMax) {
          return inFiles(hashes, TagHash.hash(id.id()), all);
        }
        if (count == hashes.length) {
          hashes = Arrays.copyOf(hashes, Math.min(inMemoryMax, 2 * count));
        }
        hashes[count++] = TagHash.hash(id.id());
      }
    }
    return repeated(hashes, count);
  }

  private static Set<Long> repeated(long[] hashes, int count) {
    Arrays.sort(hashes, 0, count);
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < count && repeated.size() < FOUND_MAX; i++) {
      if (hashes[i] == hashes[i - 1]) {
        repeated.add(hashes[i]);
      }
    }
    return repeated;
  }

  private static Set<Long> inFiles(long[] hashes, long next, RowCursor<JournalSnapshot.Id> rest)
      throws IOException {
    Path directory = Files.createTempDirectory("gatebook-verify-");
    try {
      try (HashFiles files = new HashFiles(directory)) {
        for (long hash : hashes) {
          files.write(hash);
        }
        files.write(next);
        for (JournalSnapshot.Id id = rest.next(); id != null; id = rest.next()) {
          files.write(TagHash.hash(id.id()));
        }
      }
      Set<Long> repeated = new HashSet<>();
      for (int i = 0; i < FILES; i++) {
        long[] sorted = HashFiles.read(HashFiles.file(directory, i));
        repeated.addAll(repeated(sorted, sorted.length));
      }
      return repeated;
    } finally {
      for (int i = 0; i < FILES; i++) {
        Files.deleteIfExists(HashFiles.file(directory, i));
      }
      Files.delete(directory);
    }
  }

  /** Temporary files of hashes, each with those of one range. */
  private static final class HashFiles implements AutoCloseable {
    private final List<DataOutputStream> files = new ArrayList<>();

    HashFiles(Path directory) throws IOException {
      for (int i = 0; i < FILES; i++) {
        files.add(
            new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file(directory, i)))));
      }
    }

    static Path file(Path directory, int number) {
      return directory.resolve(Integer.toString(number));
    }

    void write(long hash) throws IOException {
      files.get((int) (hash >>> (Long.SIZE - Byte.SIZE))).writeLong(hash);
    }

    static long[] read(Path file) throws IOException {
      long[] hashes = new long[(int) (Files.size(file) / Long.BYTES)];
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
        for (int i = 0; i < hashes.length; i++) {
          hashes[i] = in.readLong();
        }
      }
      return hashes;
    }

    @Override
    public void close() throws IOException {
      for (DataOutputStream file : files) {
        file.close();
      }
    }
  }
}
