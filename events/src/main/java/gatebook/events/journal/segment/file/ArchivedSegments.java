package gatebook.events.journal.segment.file;

import java.io.IOException;

/** Reads archived segments, whose files are in an archive only. Any thread may read. */
public interface ArchivedSegments extends AutoCloseable {

  /** Where no segment is archived. */
  ArchivedSegments NONE =
      new ArchivedSegments() {
        @Override
        public void readFully(ArchivedMark mark, long position, byte[] bytes, int from, int length)
            throws IOException {
          throw new IOException("the segment is in an archive");
        }

        @Override
        public void requireInArchive(ArchivedMark mark) throws IOException {
          throw new IOException("the segment is in an archive");
        }

        @Override
        public void close() {}
      };

  /** Fills the bytes from a position of the segment on, as it was before it was compressed. */
  void readFully(ArchivedMark mark, long position, byte[] bytes, int from, int length)
      throws IOException;

  /** Fails unless the archive has a file of this length, which is not read. */
  void requireInArchive(ArchivedMark mark) throws IOException;

  @Override
  void close();
}
