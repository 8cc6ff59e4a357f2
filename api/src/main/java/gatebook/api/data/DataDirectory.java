package gatebook.api.data;

import gatebook.events.journal.storage.NewerFormat;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data directory, which holds everything a node stores, owned by this process until closed.
 *
 * <p>Only the user of this process can enter it. The file {@code gatebook.format} marks it as a
 * data directory, {@code owner.lock} names the owner process, {@code operator.token} holds the
 * token of the node's own operator.
 */
public final class DataDirectory implements AutoCloseable {

  private static final int FORMAT = 1;
  private static final String FORMAT_FILE = "gatebook.format";

  /** The report of a JVM crash; the launcher chooses its name. */
  private static final String CRASH_FILE = "crash.log";

  private static final Pattern FORMAT_TEXT =
      Pattern.compile("gatebook data, format (\\d{1,9})\\s*");

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** Files that an interrupted first start may leave before it has written the format file. */
  private static final Set<String> BEFORE_FORMAT =
      Set.of(OwnerLock.FILE, FORMAT_FILE + PrivateFile.UNFINISHED, CRASH_FILE);

  private final Path path;
  private final OwnerLock lock;

  /** The outcome of opening a data directory. */
  public sealed interface Opening {
    record Opened(DataDirectory directory) implements Opening {}

    record Refused(String sentence) implements Opening {}

    /**
     * Another process owns the directory.
     *
     * @param adminPort the port where the owner answers operators; empty until it is open
     * @param ownerAddress the address for other processes; empty until the owner announces it
     * @param consoleUrl where browsers reach its console by TLS; empty without TLS
     */
    record Held(
        Optional<Integer> adminPort,
        Optional<OwnerAddress> ownerAddress,
        Optional<String> consoleUrl,
        String sentence)
        implements Opening {

      /** Whether the owner can be called. */
      public boolean isReachable() {
        return adminPort.isPresent() || ownerAddress.isPresent();
      }
    }
  }

  private DataDirectory(Path path, OwnerLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /** The given directory, else the one in the environment, else the default. */
  public static Path choose(@Nullable Path given, Map<String, String> environment) {
    return given != null
        ? given
        : Path.of(environment.getOrDefault("GATEBOOK_DATA", "gatebook-data"));
  }

  /** Creates the directory if it does not exist, and takes ownership for this process. */
  public static Opening open(Path path) {
    try {
      Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      Optional<String> notOurs = refusal(path);
      return notOurs.isPresent() ? new Opening.Refused(notOurs.get()) : take(path);
    } catch (FileAlreadyExistsException e) {
      return new Opening.Refused(
          "%s is not a directory: choose another with --data".formatted(e.getFile()));
    } catch (IOException e) {
      return new Opening.Refused(cannotUse(path, e));
    }
  }

  /** The process that owns the directory, in which nothing is changed; empty when none does. */
  public static Optional<Opening.Held> owner(Path path) {
    try {
      return OwnerLock.holder(path).map(holder -> held(path, holder));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** The token of the node's own operator. */
  public OperatorToken operatorToken() throws IOException {
    return OperatorToken.read(path);
  }

  /** Whether the directory is a data directory: a node has created its format file. */
  public static boolean isDataDirectory(Path directory) {
    return Files.isRegularFile(directory.resolve(FORMAT_FILE));
  }

  public Path path() {
    return path;
  }

  /** Announces to other processes the port where this one answers operators. */
  public void announce(int adminPort) {
    lock.announce(adminPort);
  }

  /** Announces to other processes the address where this one accepts their connections. */
  public void announce(OwnerAddress address) {
    lock.announce(address);
  }

  /** Announces where browsers reach the console of this process by TLS. */
  public void announceConsole(String url) {
    lock.announceConsole(url);
  }

  /** Announces to commands of this machine the address where this process serves probes. */
  public void announceProbes(String url) {
    lock.announceProbes(url);
  }

  /** The address of the owner's probes; empty when no process serves any. */
  public static Optional<String> probeUrl(Path path) throws IOException {
    return OwnerLock.holder(path)
        .flatMap(OwnerLock.Taking.HeldBy::other)
        .flatMap(owner -> Optional.ofNullable(owner.probeUrl()));
  }

  @Override
  public void close() {
    lock.close();
  }

  private static Opening take(Path path) throws IOException {
    return switch (OwnerLock.take(path)) {
      case OwnerLock.Taking.HeldBy holder -> held(path, holder);
      case OwnerLock.Taking.Taken(var lock) -> new Opening.Opened(prepare(path, lock));
    };
  }

  private static Opening.Held held(Path path, OwnerLock.Taking.HeldBy holder) {
    Optional<DirectoryOwner> other = holder.other();
    return new Opening.Held(
        other.map(DirectoryOwner::adminPort),
        other.flatMap(DirectoryOwner::ownerAddress),
        other.map(DirectoryOwner::consoleUrl),
        held(path, other));
  }

  private static DataDirectory prepare(Path path, OwnerLock lock) throws IOException {
    try {
      Files.setPosixFilePermissions(path, OWNER_ONLY);
      writeOnce(path.resolve(FORMAT_FILE), "gatebook data, format " + FORMAT + "\n");
      OperatorToken.createIfMissing(path);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
    return new DataDirectory(path, lock);
  }

  private static void writeOnce(Path file, String text) throws IOException {
    if (!Files.exists(file)) {
      PrivateFile.write(file, text);
    }
  }

  /** Why this directory must not be used; empty when it is a data directory or can become one. */
  private static Optional<String> refusal(Path path) throws IOException {
    Path format = path.resolve(FORMAT_FILE);
    if (!Files.exists(format)) {
      return holdsAnything(path) ? Optional.of(foreign(path)) : Optional.empty();
    }
    Matcher text = FORMAT_TEXT.matcher(Files.readString(format));
    if (!text.matches()) {
      return Optional.of(foreign(path));
    }
    int found = Integer.parseInt(text.group(1));
    return found > FORMAT
        ? Optional.of(NewerFormat.sentence(path.toString(), found, FORMAT))
        : Optional.empty();
  }

  private static boolean holdsAnything(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.anyMatch(file -> !BEFORE_FORMAT.contains(file.getFileName().toString()));
    }
  }

  private static String foreign(Path path) {
    return "%s holds files that are not gatebook's: choose an empty or new directory with --data"
        .formatted(path);
  }

  private static String held(Path path, Optional<DirectoryOwner> other) {
    return "%s is in use by the running gatebook %s: stop it, or choose another with --data"
        .formatted(
            path,
            other
                .map(directoryOwner -> "with process id " + directoryOwner.pid())
                .orElse("server"));
  }

  private static String cannotUse(Path path, IOException e) {
    return "cannot use %s for data (%s): make it writable, or choose another with --data"
        .formatted(path, FileFailure.reason(e));
  }
}
