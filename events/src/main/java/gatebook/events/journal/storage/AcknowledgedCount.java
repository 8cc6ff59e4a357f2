package gatebook.events.journal.storage;

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
 * Keeps the count of acknowledged events in a file beside the journal: a journal that opens with
 * fewer events is not trusted.
 *
 * <p>It is written before any caller gets its result and is not forced. So a killed process leaves
 * it exact, and a loss of power may leave it too low, never too high. Belongs to the writer's
 * thread.
 */
public final class AcknowledgedCount {
  private static final Logger log = LoggerFactory.getLogger(AcknowledgedCount.class);
  private static final int DIGITS = 19;

  private final Path file;
  private final ByteBuffer text = ByteBuffer.allocate(DIGITS + 1);
  private @Nullable FileChannel channel;
  private final OngoingFailure failure = new OngoingFailure();

  private AcknowledgedCount(Path file) {
    this.file = file;
  }

  public static AcknowledgedCount of(JournalSettings settings) {
    return new AcknowledgedCount(settings.checkpointFile().resolveSibling("acknowledged"));
  }

  /** The count in the file; 0 when there is no readable one. */
  public long read() {
    try {
      return Long.parseLong(Files.readString(file, US_ASCII).strip());
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException | NumberFormatException e) {
      log.atWarn().addKeyValue("file", file).log("the number of acknowledged events is unreadable");
      return 0;
    }
  }

  public void write(long size) {
    try {
      writeFile(size);
      failure.end();
    } catch (IOException e) {
      if (failure.isNew(StorageFailure.describe(e))) {
        log.atWarn().setCause(e).log("the number of acknowledged events is not written");
      }
    }
  }

  private void writeFile(long size) throws IOException {
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

  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the number of acknowledged events may not be written");
    }
  }
}
