package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Trains the JVM's class caches, and unpacks Cedar's library, in the directory of the jar: {@code
 * CacheTraining DIRECTORY}. Each cache is recorded by a JVM with the options of this one.
 *
 * <p>One process trains at a time; a second one does nothing. What was recorded of a jar that is
 * replaced meanwhile is dropped. A process that is told to stop leaves nothing behind.
 */
final class CacheTraining implements AutoCloseable {

  private static final List<String> CACHES = List.of("serve", "local", "commands");
  private static final int MINUTES_MAX = 10;
  private static final int ADDRESS_OFFSET = "callers ".length();

  /** A user's own settings. */
  private static final Set<String> NOT_INHERITED =
      Set.of("GATEBOOK_TOKEN", "GATEBOOK_DATA", "DUET_RPC_LOG");

  private final Path target;
  private final List<String> java;
  private final Path work;
  private final FileTime begin;
  private final List<Process> processes = new ArrayList<>();
  private Optional<Path> library = Optional.empty();
  private boolean closed;

  /**
   * @param target the directory of the jar
   * @param java a command that runs a class of the jar in a JVM, with more options before it
   */
  CacheTraining(Path target, List<String> java) throws IOException {
    this.target = target;
    this.java = java;
    this.work = Files.createTempDirectory("gatebook-training-");
    this.begin = Files.getLastModifiedTime(work);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    CompletableFuture.delayedExecutor(MINUTES_MAX, MINUTES)
        .execute(() -> System.exit(CommandLine.ExitCode.SOFTWARE));
    Path target = Path.of(args[0]);
    try (FileChannel channel =
            FileChannel.open(
                lockFile(target), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        try (CacheTraining training = new CacheTraining(target, java())) {
          Runtime.getRuntime().addShutdownHook(new Thread(training::close));
          training.run();
        }
      }
    }
    System.exit(CommandLine.ExitCode.OK);
  }

  private static Path lockFile(Path target) {
    return target.resolve("caches.making");
  }

  private static List<String> java() {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    java.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return java;
  }

  /** Creates what is missing or older than the jar. */
  void run() throws IOException, InterruptedException {
    library = CedarLibrary.unpack(target);
    if (!hasCaches()) {
      train();
    }
  }

  private boolean hasCaches() throws IOException {
    FileTime built = Files.getLastModifiedTime(target.resolve("gatebook.jar"));
    for (String cache : CACHES) {
      Path file = target.resolve(cache + ".aot");
      if (Files.notExists(file) || Files.getLastModifiedTime(file).compareTo(built) <= 0) {
        return false;
      }
    }
    return true;
  }

  /** Runs a daemon and reads its journal, beside a server on which each operator command runs. */
  private void train() throws IOException, InterruptedException {
    Path frames = Files.write(work.resolve("frames"), TrainingRun.frames());
    Process local =
        start("local", from(frames), Redirect.DISCARD, TrainingRun.class, "local", "daemon");
    Process server =
        start(
            "serve",
            Redirect.PIPE,
            Redirect.PIPE,
            Gatebook.class,
            "serve",
            "--data",
            "served",
            "--port",
            "0",
            "--admin-port",
            "0");
    BufferedReader output = server.inputReader(UTF_8);
    Process commands =
        start(
            "commands",
            Redirect.PIPE,
            Redirect.DISCARD,
            TrainingRun.class,
            "commands",
            "served",
            address(output),
            address(output));
    keep("commands", commands);
    server.destroy();
    keep("serve", server);
    keep("local", local);
  }

  private static Redirect from(Path file) {
    return Redirect.from(file.toFile());
  }

  private static String address(BufferedReader output) throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the server has not started");
    }
    return line.substring(ADDRESS_OFFSET);
  }

  /**
   * Starts a JVM that records the classes it loads. What it would record of that run's own speed
   * makes it compile at once what was busy there, which costs a start more than it gains.
   */
  private synchronized Process start(
      String cache, Redirect input, Redirect output, Class<?> main, String... arguments)
      throws IOException {
    if (closed) {
      throw new IOException("the training was stopped");
    }
    List<String> command = new ArrayList<>(java);
    command.addAll(
        List.of(
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-XX:AOTCacheOutput=" + recorded(cache),
            "-Dgatebook.output=1",
            main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectInput(input)
            .redirectOutput(output)
            .redirectError(Redirect.DISCARD);
    process.environment().keySet().removeAll(NOT_INHERITED);
    library.ifPresent(
        file -> process.environment().putIfAbsent(CedarLibrary.VARIABLE, file.toString()));
    Process started = process.start();
    processes.add(started);
    return started;
  }

  private Path recorded(String cache) {
    return work.resolve(cache + ".aot");
  }

  /** Waits for the end of a JVM; the cache that it recorded is moved to its place in one step. */
  private void keep(String cache, Process recording) throws IOException, InterruptedException {
    if (recording.waitFor() == CommandLine.ExitCode.OK) {
      keep(cache);
    }
  }

  private synchronized void keep(String cache) throws IOException {
    if (!closed && Files.exists(recorded(cache)) && isUnchanged()) {
      Path draft = target.resolve(cache + ".aot.new"); // the other may be on another disk
      Files.move(recorded(cache), draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, target.resolve(cache + ".aot"), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Whether the jar and its libraries are still those that are recorded. */
  private boolean isUnchanged() throws IOException {
    List<Path> built = new ArrayList<>(List.of(target.resolve("gatebook.jar")));
    try (Stream<Path> libraries = Files.walk(target.resolve("lib"))) {
      libraries.forEach(built::add);
    }
    for (Path file : built) {
      if (Files.getLastModifiedTime(file).compareTo(begin) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Stops what still runs, and deletes what it wrote. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
      Files.deleteIfExists(lockFile(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
