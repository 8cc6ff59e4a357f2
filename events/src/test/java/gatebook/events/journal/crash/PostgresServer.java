package gatebook.events.journal.crash;

import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresForTests;
import gatebook.events.journal.postgres.SharedLocation;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A real PostgreSQL server that can be killed, and started again on the same data and port. */
public final class PostgresServer implements AutoCloseable {
  private final Path data;
  private EmbeddedPostgres running;

  private PostgresServer(Path data, EmbeddedPostgres running) {
    this.data = data;
    this.running = running;
  }

  public static PostgresServer start(Path data) {
    try {
      return new PostgresServer(data, builder(data).start());
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  private static EmbeddedPostgres.Builder builder(Path data) {
    return PostgresForTests.builder().setDataDirectory(data).setCleanDataDirectory(false);
  }

  public SharedLocation location() {
    return new SharedLocation(running.getJdbcUrl("postgres", "postgres"), "postgres", "postgres");
  }

  /** A new schema in its database. */
  SharedLocation freshSchema() {
    return Journals.freshSchema(running);
  }

  /** Kills the postmaster and all its children with SIGKILL; returns when they are gone. */
  public void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    await().until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  private List<ProcessHandle> processes() {
    try {
      long postmaster =
          Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
      return ProcessHandle.of(postmaster).stream()
          .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the postmaster has no pid file", e);
    }
  }

  public void startAgain() {
    try {
      running.close();
      running = builder(data).setPort(running.getPort()).start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start again", e);
    }
  }

  @Override
  public void close() {
    try {
      running.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not stop", e);
    }
  }
}
