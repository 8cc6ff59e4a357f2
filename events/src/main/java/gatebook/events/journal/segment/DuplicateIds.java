package gatebook.events.journal.segment;

import gatebook.events.journal.segment.file.TagHash;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
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
import org.jspecify.annotations.Nullable;

/**
 * Finds duplicate event ids in bounded memory: it sorts hashes of the ids, in temporary files if
 * there are many. The ids whose hashes are equal are then read and compared.
 *
 * <p>Several threads may add hashes.
 */
final class DuplicateIds implements AutoCloseable {
  private static final int IN_MEMORY_MAX = 4 << 20;

  /** With so many files, the ids of a billion events are sorted 4 million at a time. */
  private static final int FILES = 256;

  /** An editor could duplicate every event. */
  private static final int FOUND_MAX = 1 << 20;

  private final int inMemoryMax;
  private long[] hashes = new long[1024];
  private int count;
  private @Nullable HashFiles files;

  DuplicateIds() {
    this(IN_MEMORY_MAX);
  }

  DuplicateIds(int inMemoryMax) {
    this.inMemoryMax = inMemoryMax;
  }

  /** Adds the hashes of ids. */
  synchronized void add(long[] more) throws IOException {
    if (files == null && count + (long) more.length > inMemoryMax) {
      files = HashFiles.create();
      files.write(hashes, count);
      hashes = new long[0];
      count = 0;
    }
    if (files != null) {
      files.write(more, more.length);
      return;
    }
    if (count + more.length > hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.max(count + more.length, 2 * count));
    }
    System.arraycopy(more, 0, hashes, count, more.length);
    count += more.length;
  }

  /** The hashes that were added more than once. */
  synchronized Set<Long> duplicates() throws IOException {
    return files == null ? duplicates(hashes, count) : files.duplicates();
  }

  private static Set<Long> duplicates(long[] hashes, int count) {
    Arrays.sort(hashes, 0, count);
    Set<Long> duplicates = new HashSet<>();
    for (int i = 1; i < count && duplicates.size() < FOUND_MAX; i++) {
      if (hashes[i] == hashes[i - 1]) {
        duplicates.add(hashes[i]);
      }
    }
    return duplicates;
  }

  /**
   * The ids with these hashes, equal ones together and by ascending position; among them may be
   * some that occur once.
   */
  static List<JournalSnapshot.Id> find(Set<Long> duplicates, RowCursor<JournalSnapshot.Id> all) {
    List<JournalSnapshot.Id> found = new ArrayList<>();
    for (JournalSnapshot.Id id = all.next();
        id != null && found.size() < FOUND_MAX;
        id = all.next()) {
      if (duplicates.contains(TagHash.hash(id.id()))) {
        found.add(id);
      }
    }
    found.sort(
        Comparator.comparing(JournalSnapshot.Id::id)
            .thenComparingLong(JournalSnapshot.Id::position));
    return found;
  }

  /** Removes the temporary files. */
  @Override
  public synchronized void close() throws IOException {
    if (files != null) {
      files.delete();
      files = null;
    }
  }

  /** Temporary files of hashes, each with those of one range. */
  private record HashFiles(Path directory, List<DataOutputStream> outputs) {

    static HashFiles create() throws IOException {
      Path directory = Files.createTempDirectory("gatebook-verify-");
      List<DataOutputStream> outputs = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        outputs.add(
            new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file(directory, i)))));
      }
      return new HashFiles(directory, outputs);
    }

    private static Path file(Path directory, int number) {
      return directory.resolve(Integer.toString(number));
    }

    void write(long[] hashes, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        outputs.get((int) (hashes[i] >>> (Long.SIZE - Byte.SIZE))).writeLong(hashes[i]);
      }
    }

    Set<Long> duplicates() throws IOException {
      Set<Long> duplicates = new HashSet<>();
      for (int i = 0; i < FILES; i++) {
        outputs.get(i).flush();
        long[] sorted = read(file(directory, i));
        duplicates.addAll(DuplicateIds.duplicates(sorted, sorted.length));
      }
      return duplicates;
    }

    private static long[] read(Path file) throws IOException {
      long[] hashes = new long[(int) (Files.size(file) / Long.BYTES)];
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
        for (int i = 0; i < hashes.length; i++) {
          hashes[i] = in.readLong();
        }
      }
      return hashes;
    }

    void delete() throws IOException {
      for (int i = 0; i < FILES; i++) {
        outputs.get(i).close();
        Files.deleteIfExists(file(directory, i));
      }
      Files.delete(directory);
    }
  }
}
