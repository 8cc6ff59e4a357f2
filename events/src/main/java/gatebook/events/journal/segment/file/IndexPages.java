package gatebook.events.journal.segment.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The pages of an index file, each with a checksum, so that what is read at any place of the file
 * is what was written there.
 */
record IndexPages(ReadHandles handles, Path file) {
  private static final int PAGE_BYTES = 4096;
  private static final int CONTENT_BYTES = PAGE_BYTES - Integer.BYTES;

  /** An index file is not what was written: it is made again from its segment. */
  static final class Damaged extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    Damaged(String what) {
      super(what);
    }
  }

  /** Replaces the file by one with this content. A crash leaves the old file, or none. */
  static void write(Path file, ByteBuffer content) throws IOException {
    Path draft = SegmentFiles.draft(file);
    ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      for (int number = 0; content.hasRemaining(); number++) {
        byte[] part = new byte[CONTENT_BYTES];
        content.get(part, 0, Math.min(part.length, content.remaining()));
        page.clear().put(part).putInt(checksum(part, 0, number)).flip();
        while (page.hasRemaining()) {
          channel.write(page);
        }
      }
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Reads from a place of the content. */
  ByteBuffer read(long at, int length) throws IOException {
    long from = at / CONTENT_BYTES;
    int skipped = (int) (at % CONTENT_BYTES);
    int count = (skipped + length + CONTENT_BYTES - 1) / CONTENT_BYTES;
    byte[] pages = new byte[count * PAGE_BYTES];
    handles.readFully(file, from * PAGE_BYTES, pages, 0, pages.length);
    ByteBuffer content = ByteBuffer.allocate(count * CONTENT_BYTES);
    for (int i = 0; i < count; i++) {
      int pageAt = i * PAGE_BYTES;
      int sum = ByteBuffer.wrap(pages).getInt(pageAt + CONTENT_BYTES);
      if (sum != checksum(pages, pageAt, (int) from + i)) {
        throw new Damaged("page %d of %s is damaged".formatted(from + i, file.getFileName()));
      }
      content.put(pages, pageAt, CONTENT_BYTES);
    }
    return content.slice(skipped, length);
  }

  private static int checksum(byte[] bytes, int from, int number) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, from, CONTENT_BYTES);
    sum.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    return (int) sum.getValue();
  }
}
