package gatebook.events.journal.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that takes the room on a disk. */
record Ballast(Path file) {
  private static final int PIECE_BYTES = 4_096;

  /** Takes what room there is, to the last page that can be had. */
  void fill() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      while (channel.write(ByteBuffer.allocate(PIECE_BYTES)) > 0) {}
    } catch (IOException e) {
      if (Files.getFileStore(file).getUsableSpace() > PIECE_BYTES) {
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
