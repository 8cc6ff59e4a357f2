package gatebook.api.log;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log file that only its owner can read. When a line does not fit, the file is renamed to {@code
 * .1}, that one to {@code .2}, and so on; the oldest is deleted. Several processes may write to one
 * file: each detects when another has renamed it.
 *
 * <p>When the file can no longer be written, lines go to standard error. An interrupted thread can
 * still write.
 */
final class LogFile extends OutputStream {

  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** How long to wait for the reader of a pipe. */
  private static final long PIPE_OPEN_MILLIS_MAX = 1_000;

  private final LogSink.FileTarget fileTarget;

  /** Not a channel, which an interrupt would close. */
  private FileOutputStream out;

  private FileState opened;
  private boolean hasFailed;

  /**
   * The file that has the name now.
   *
   * @param key identifies a file; null for what is not a regular file
   */
  private record FileState(@Nullable Object key, long sizeBytes) {}

  /** Opens the file, and creates it if it does not exist; empty for a pipe without a reader. */
  static Optional<LogFile> open(LogSink.FileTarget fileTarget) throws IOException {
    Optional<FileOutputStream> out =
        Files.exists(fileTarget.file()) && !Files.isRegularFile(fileTarget.file())
            ? openPipe(fileTarget.file())
            : Optional.of(openFile(fileTarget.file()));
    return out.isPresent() ? Optional.of(new LogFile(fileTarget, out.get())) : Optional.empty();
  }

  private LogFile(LogSink.FileTarget fileTarget, FileOutputStream out) throws IOException {
    this.fileTarget = fileTarget;
    this.out = out;
    this.opened = fileState();
  }

  /** Opening a pipe blocks until it has a reader, so another thread does it. */
  private static Optional<FileOutputStream> openPipe(Path file) throws IOException {
    FutureTask<FileOutputStream> opening =
        new FutureTask<>(() -> new FileOutputStream(file.toString(), true));
    Thread.ofPlatform().daemon().name("log-pipe").start(opening);
    try {
      return Optional.of(opening.get(PIPE_OPEN_MILLIS_MAX, TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IOException("cannot be opened", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static FileOutputStream openFile(Path file) throws IOException {
    FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))
        .close();
    if (Files.isRegularFile(file)) {
      Files.setPosixFilePermissions(file, OWNER_ONLY);
    }
    return new FileOutputStream(new File(file.toString()), true);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Writes a whole line. */
  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      if (!hasFailed) {
        rotateIfFull(length);
        out.write(bytes, from, length);
        return;
      }
    } catch (IOException e) {
      fallBackToStderr(e);
    }
    System.err.write(bytes, from, length);
  }

  private void fallBackToStderr(IOException why) {
    hasFailed = true;
    LOG.atWarn()
        .addKeyValue("file", fileTarget.file())
        .setCause(why)
        .log("can no longer write the log file, so lines go to stderr: check its disk");
  }

  private void rotateIfFull(int length) throws IOException {
    if (opened.key == null) {
      return;
    }
    FileState now = fileState();
    if (!opened.key.equals(now.key)) {
      reopen();
      now = opened;
    }
    if (!hasRoom(now, length)) {
      rotate(length);
    }
  }

  /** A line that is longer than the limit gets a file of its own. */
  private boolean hasRoom(FileState file, int length) {
    return file.sizeBytes == 0 || file.sizeBytes + length <= fileTarget.bytesMax();
  }

  /** Renames the files under a lock; a process that gets the lock second finds it done. */
  private void rotate(int length) throws IOException {
    try (FileChannel channel = FileChannel.open(fileTarget.file(), StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      FileState now = fileState();
      if (Objects.equals(opened.key, now.key) && !hasRoom(now, length)) {
        for (int age = fileTarget.filesMax() - 1; age > 0; age--) {
          move(aged(age - 1), aged(age));
        }
        Files.deleteIfExists(fileTarget.file());
      }
    } catch (ClosedByInterruptException | FileLockInterruptionException _) {
      return; // the process is ending, and its last lines may exceed the limit
    }
    reopen();
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException _) {
      // fewer files exist so far
    }
  }

  private Path aged(int age) {
    Path file = fileTarget.file();
    return age == 0 ? file : file.resolveSibling(file.getFileName() + "." + age);
  }

  private void reopen() throws IOException {
    out.close();
    out = openFile(fileTarget.file());
    opened = fileState();
  }

  private FileState fileState() throws IOException {
    try {
      BasicFileAttributes file = Files.readAttributes(fileTarget.file(), BasicFileAttributes.class);
      return new FileState(file.isRegularFile() ? file.fileKey() : null, file.size());
    } catch (NoSuchFileException _) {
      return new FileState(null, 0);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
