package gatebook.events.journal.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A copy of the files of a storage, taken while it is written: everything up to the newest
 * checkpoint.
 */
public interface StorageCopy {
  /** The checkpoint at the end, which covers every event in the files. */
  StoredCheckpoint checkpoint();

  /** The files, by ascending position. */
  List<CopiedFile> files();

  /** The root of the tree over the first events, of which the files have all. */
  byte[] rootOver(long size) throws IOException;

  /** A file with consecutive events. */
  interface CopiedFile {
    long first();

    long last();

    /** The root of the tree over all events up to the last one of this file. */
    byte[] root();

    /** Whether it never changes: if not, it is the beginning of a file that grows. */
    boolean isSealed();

    /** Whether events of it were dropped for good. */
    boolean isDropped();

    /**
     * Uses the bytes. It is done again with another file when the file was compressed meanwhile.
     */
    <T> T use(FileUse<T> use) throws IOException;
  }

  /** A use of a file, which is only read. */
  @FunctionalInterface
  interface FileUse<T> {
    /**
     * Uses the file.
     *
     * @param extension of its name
     * @param stamped the SHA-256 that a trusted stamp says it has
     */
    T of(Path file, String extension, Optional<byte[]> stamped) throws IOException;
  }
}
