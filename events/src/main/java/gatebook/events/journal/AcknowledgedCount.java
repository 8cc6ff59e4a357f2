package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many events were acknowledged, in a file beside the database: a database that comes back with
 * fewer is not believed.
 *
 * <p>It is written before anybody is answered and not forced, so a killed process leaves it exact
 * and a loss of power may leave it behind, never ahead. Belongs to the writer's thread.
 */
final class AcknowledgedCount {
  private static final Logger log = LoggerFactory.getLogger(AcknowledgedCount.class);
  private static final int DIGITS = 19;

  private final Path file;
  private final ByteBuffer text = ByteBuffer.allocate(DIGITS + 1);
  private @Nullable FileChannel channel;
  private boolean failing;

  AcknowledgedCount(Path file) {
    this.file = file;
  }

  /** The number in the file; 0 when there is none that could be believed. */
  long size() {
    try {
      return Long.parseLong(Files.readString(file, US_ASCII).strip());
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException | NumberFormatException e) {
      log.atWarn().addKeyValue("file", file).log("the number of acknowledged events is unreadable");
      return 0;
    }
  }

  void note(long size) {
    try {
      write(size);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.atWarn().setCause(e).log("the number of acknowledged events is not written");
      }
      failing = true;
    }
  }

  private void write(long size) throws IOException {
    if (channel == null) {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
    channel.write(digits(size).clear(), 0);
  }

  private ByteBuffer digits(long size) {
    long rest = size;
    for (int i = DIGITS - 1; i >= 0; i--) {
      text.put(i, (byte) ('0' + rest % 10));
      rest /= 10;
    }
    return text.put(DIGITS, (byte) '\n');
  }

  void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the number of acknowledged events may not be written");
    }
  }
}
