package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The state of a file: how long it is, and when it was changed.
 *
 * @param modified when its bytes were last written; programs can set this time
 * @param changed when the system last changed anything about it, which programs cannot set; equal
 *     to {@code modified} where the file system has no such time
 */
public record FileState(long bytes, Instant modified, Instant changed) {
  private static final String CHANGED = "unix:ctime";
  private static final int BUFFER_BYTES = 1 << 16;

  /** A file that was changed twice within this time may have the times of the first change. */
  private static final Duration CLOCK_TICK = Duration.ofMillis(50);

  /** The same, where the file system keeps whole seconds, or every second one. */
  private static final Duration COARSE_TICK = Duration.ofSeconds(2);

  public static FileState of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    Instant modified = attributes.lastModifiedTime().toInstant();
    return new FileState(attributes.size(), modified, changed(file, modified));
  }

  private static Instant changed(Path file, Instant otherwise) throws IOException {
    try {
      return Files.getAttribute(file, CHANGED) instanceof FileTime time
          ? time.toInstant()
          : otherwise;
    } catch (UnsupportedOperationException | IllegalArgumentException _) {
      return otherwise;
    }
  }

  /** From then on, every change of the file gives it another state. */
  Instant distinctFrom() {
    boolean isCoarse = isWholeSecond(modified) && isWholeSecond(changed);
    Instant newest = modified.isAfter(changed) ? modified : changed;
    return newest.plus(isCoarse ? COARSE_TICK : CLOCK_TICK);
  }

  private static boolean isWholeSecond(Instant time) {
    return time.equals(time.truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * The digest of a file.
   *
   * @param betweenParts runs between parts of the file, and may wait
   */
  public static byte[] digest(Path file, Runnable betweenParts) throws IOException {
    MessageDigest sha256 = Sha256.newDigest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sha256.update(buffer, 0, read);
        betweenParts.run();
      }
    }
    return sha256.digest();
  }
}
