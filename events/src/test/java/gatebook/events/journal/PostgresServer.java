package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import gatebook.events.Requires;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A real PostgreSQL server, which forces its commits as the gateway requires. It can be killed, and
 * started again on the same data and port. It refuses root, for whom it runs as another user.
 */
public final class PostgresServer implements AutoCloseable {
  private static final String SECONDS_MAX = "120";

  private final List<String> asUser;
  private final Path programs;
  private final Path directory;
  private final int port;
  private boolean isRunning;
  private boolean isClosed;

  private PostgresServer(List<String> asUser) throws IOException {
    this.asUser = asUser;
    this.programs = PostgresPrograms.directory();
    this.directory = Path.of(run("mktemp", "-d").strip()); // which is that user's
    this.port = freePort();
  }

  /** Starts a server on data of its own; a test that calls this where none can run does not run. */
  public static PostgresServer start() {
    List<String> asUser = Requires.namedUserOtherThanRoot();
    try {
      PostgresServer server = new PostgresServer(asUser);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      server.runProgram(
          "initdb",
          "-D",
          server.data(),
          "-U",
          "postgres",
          "-A",
          "trust",
          "-E",
          "UTF-8",
          "--no-locale",
          "--no-sync");
      server.startAgain();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The directory of its data and its log. */
  public Path directory() {
    return directory;
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  public SharedLocation location() {
    return new SharedLocation(
        "jdbc:postgresql://localhost:%d/postgres?user=postgres".formatted(port),
        "postgres",
        "postgres");
  }

  /** Kills the postmaster and all its children with SIGKILL; returns when they are gone. */
  public synchronized void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    await().until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    isRunning = false;
  }

  private List<ProcessHandle> processes() {
    try {
      Path pidFile = directory.resolve("data/postmaster.pid");
      long postmaster = Long.parseLong(Files.readAllLines(pidFile).getFirst());
      return ProcessHandle.of(postmaster).stream()
          .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the postmaster has no pid file", e);
    }
  }

  public synchronized void startAgain() {
    String options =
        String.join(
            " -c ",
            "-p " + port,
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "unix_socket_directories=",
            "dynamic_shared_memory_type=mmap"); // a killed server leaves nothing in /dev/shm
    String log = directory.resolve("log").toString();
    try {
      runProgram(
          "pg_ctl", "-D", data(), "-l", log, "-o", options, "-t", SECONDS_MAX, "-w", "start");
      isRunning = true;
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      if (isRunning) {
        runProgram("pg_ctl", "-D", data(), "-t", SECONDS_MAX, "-m", "fast", "-w", "stop");
      }
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not stop", e);
    }
  }

  private void runProgram(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
    command.addAll(List.of(arguments));
    run(command.toArray(String[]::new));
  }

  /** Runs a command as the user, and returns what it prints. */
  private String run(String... command) throws IOException {
    Path printed = Files.createTempFile("postgres-", ".out"); // the server keeps it open
    try {
      List<String> all = new ArrayList<>(asUser);
      all.addAll(List.of(command));
      Process process =
          new ProcessBuilder(all)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(printed.toFile()))
              .start();
      int code = process.waitFor();
      String text = Files.readString(printed, UTF_8);
      if (code != 0) {
        throw new IOException("%s ended with %d: %s".formatted(all, code, text));
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.delete(printed);
    }
  }
}
