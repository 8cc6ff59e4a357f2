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

  /** Takes all room but so many bytes. */
  void fill(long bytesLeft) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      long room = Files.getFileStore(file).getUsableSpace() - bytesLeft;
      for (long taken = 0; taken < room; taken += PIECE_BYTES) {
        channel.write(ByteBuffer.allocate(PIECE_BYTES));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
