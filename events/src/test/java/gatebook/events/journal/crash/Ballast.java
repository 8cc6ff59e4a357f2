package gatebook.events.journal.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A ballast file that fills a disk. */
record Ballast(Path file) {
  private static final int BLOCK_BYTES = 4_096;
  private static final String FULL = "No space left on device";

  /** Fills the disk to the last page that can be allocated. Others may free some of it meanwhile. */
  void fill() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      while (channel.write(ByteBuffer.allocate(BLOCK_BYTES)) > 0) {}
    } catch (IOException e) {
      if (!FULL.equals(e.getMessage())) {
        throw e;
      }
    }
  }

  void remove() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
