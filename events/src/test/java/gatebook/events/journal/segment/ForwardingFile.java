package gatebook.events.journal.segment;

import gatebook.events.journal.segment.SegmentDisk.WrittenFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that forwards each call to another one, for disks that change some of them. */
class ForwardingFile implements WrittenFile {
  private final WrittenFile real;

  ForwardingFile(WrittenFile real) {
    this.real = real;
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    real.write(source, position);
  }

  @Override
  public void truncate(long size) throws IOException {
    real.truncate(size);
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public void force() throws IOException {
    real.force();
  }

  @Override
  public void close() throws IOException {
    real.close();
  }
}
