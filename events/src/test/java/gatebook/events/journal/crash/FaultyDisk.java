package gatebook.events.journal.crash;

import gatebook.events.journal.SteadyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * The disk below one database file: it fails or stalls on command, and knows what a loss of power
 * would leave of the file.
 */
final class FaultyDisk implements AutoCloseable {
  /** The file system of H2 whose files lie on such disks, above the one that the product uses. */
  static final String FILE_SYSTEM = FaultyFileSystem.SCHEME + ":" + SteadyFiles.SCHEME;

  private static final String ENDING = ".mv.db";
  private static final Map<String, FaultyDisk> DISKS = new ConcurrentHashMap<>();

  static {
    FilePath.register(new FaultyFileSystem());
  }

  /** Something that was done to the file and that a force makes last. */
  private sealed interface Change {
    void applyTo(FileChannel file) throws IOException;
  }

  private record Written(long position, ByteBuffer bytes) implements Change {
    @Override
    public void applyTo(FileChannel file) throws IOException {
      ByteBuffer rest = bytes.duplicate();
      while (rest.hasRemaining()) {
        file.write(rest, position + rest.position());
      }
    }
  }

  private record Truncated(long size) implements Change {
    @Override
    public void applyTo(FileChannel file) throws IOException {
      file.truncate(size);
    }
  }

  private final Path file;
  private final Path forcedFile;
  private final FileChannel forced;
  private final ArrayDeque<Change> unforced = new ArrayDeque<>();
  private int forces;
  private int forcesUntilFailure = Integer.MAX_VALUE;
  private int stalled;
  private boolean writesFail;
  private @Nullable CountDownLatch stall;

  private FaultyDisk(Path file) throws IOException {
    this.file = file;
    this.forcedFile = file.resolveSibling(file.getFileName() + ".forced");
    if (Files.exists(file)) {
      Files.copy(file, forcedFile);
    }
    this.forced =
        FileChannel.open(
            forcedFile,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /**
   * @param database as in the settings of the journal, without the ending that the engine adds
   */
  static FaultyDisk under(Path database) {
    try {
      Path file = database.resolveSibling(database.getFileName() + ENDING);
      FaultyDisk disk = new FaultyDisk(file);
      DISKS.put(file.toString(), disk);
      return disk;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty for files beside the database, such as temporary ones. */
  static Optional<FaultyDisk> of(String file) {
    return Optional.ofNullable(DISKS.get(file));
  }

  synchronized int forces() {
    return forces;
  }

  void failForces() {
    failForcesAfter(0);
  }

  synchronized void failForcesAfter(int successes) {
    forcesUntilFailure = successes;
  }

  synchronized void failWrites() {
    writesFail = true;
  }

  synchronized void heal() {
    forcesUntilFailure = Integer.MAX_VALUE;
    writesFail = false;
  }

  /** Lets no force return until told; also those that will fail. */
  synchronized Stall stallForces() {
    CountDownLatch latch = new CountDownLatch(1);
    stall = latch;
    stalled = 0;
    return () -> {
      synchronized (this) {
        stall = null;
      }
      latch.countDown();
    };
  }

  /** Whether a force waits for the end of a stall. */
  synchronized boolean isStalling() {
    return stall != null && stalled > 0;
  }

  /** Closing it ends the stall. */
  interface Stall extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param bytes of its own, from the first to the limit
   */
  synchronized void written(long position, ByteBuffer bytes) {
    unforced.add(new Written(position, bytes));
  }

  synchronized void truncated(long size) {
    unforced.add(new Truncated(size));
  }

  synchronized void beforeWrite() throws IOException {
    if (writesFail) {
      throw new IOException("no space left on device");
    }
  }

  /** A force of the real file: what was written before it began lasts once it ended. */
  void force(FileChannel real, boolean metaData) throws IOException {
    int before;
    CountDownLatch waiting;
    synchronized (this) {
      before = unforced.size();
      waiting = stall;
      stalled += waiting == null ? 0 : 1;
    }
    if (waiting != null) {
      awaitUninterruptibly(waiting);
    }
    synchronized (this) {
      if (forcesUntilFailure-- <= 0) {
        throw new IOException("input/output error");
      }
      real.force(metaData);
      for (int i = 0; i < before; i++) {
        unforced.remove().applyTo(forced);
      }
      forces++;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The file as a loss of power at this moment may leave it: everything that was forced, and of the
   * rest whatever the disk happened to have written, in any order and in pieces.
   */
  synchronized void losePower(Path database, RandomGenerator random) {
    Path image = database.resolveSibling(database.getFileName() + ENDING);
    try {
      Files.copy(forcedFile, image);
      int likelihood = random.nextInt(3);
      try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
        for (Change change : unforced) {
          if (random.nextInt(2) < likelihood) {
            torn(change, random).applyTo(channel);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Change torn(Change change, RandomGenerator random) {
    if (change instanceof Written(long position, ByteBuffer bytes) && random.nextInt(4) == 0) {
      return new Written(position, bytes.duplicate().limit(random.nextInt(bytes.limit())));
    }
    return change;
  }

  @Override
  public void close() {
    DISKS.remove(file.toString());
    try {
      forced.close();
      Files.delete(forcedFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
