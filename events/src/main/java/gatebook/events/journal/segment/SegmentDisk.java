package gatebook.events.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The disk to which segments are written; a test can put a faulty one in its place. */
public interface SegmentDisk {
  /** The file system of this machine. */
  SegmentDisk LOCAL =
      file ->
          new Local(
              FileChannel.open(
                  file,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE));

  /** A file of this disk that one thread writes. */
  interface WrittenFile extends AutoCloseable {

    /** Writes all that remains in the source. */
    void write(ByteBuffer source, long position) throws IOException;

    void truncate(long size) throws IOException;

    long size() throws IOException;

    /** Returns when everything that was written is on the disk. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Opens a file, which is created if it does not exist. */
  WrittenFile open(Path file) throws IOException;

  /** A file of the local file system. */
  record Local(FileChannel channel) implements WrittenFile {
    /** The JDK keeps a copy of what it writes, as long as the longest single write. */
    private static final int WRITE_BYTES_MAX = 1 << 20;

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      int end = source.limit();
      long to = position;
      while (source.position() < end) {
        source.limit(Math.min(end, source.position() + WRITE_BYTES_MAX));
        to += channel.write(source, to);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
