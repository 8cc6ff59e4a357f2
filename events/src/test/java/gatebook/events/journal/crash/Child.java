package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A child process that a test kills, as its parent uses it: one of {@link JournalProcess} or {@link
 * KeyStoreProcess}. Closing it kills it if it still runs.
 */
final class Child implements AutoCloseable {
  private static final long WAIT_SECONDS = 120;

  private final Process process;
  private final Path errors;
  private final Thread reader;
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
  private final Predicate<Line> report;

  private Child(Process process, Path errors, Predicate<Line> report) {
    this.process = process;
    this.errors = errors;
    this.report = report;
    this.reader = Thread.ofVirtual().start(this::readOutput);
  }

  /** Starts a process with the journal of a place. */
  static Child start(Place place, Consumer<ReportedResult> told) {
    return start(List.of(), place, told);
  }

  /**
   * Starts a process with the journal of a place.
   *
   * @param prefix a command that runs the rest of its command line
   */
  static Child start(List<String> prefix, Place place, Consumer<ReportedResult> told) {
    return start(prefix, JournalProcess.class, place, line -> isResult(line, told));
  }

  private static boolean isResult(Line line, Consumer<ReportedResult> told) {
    return switch (line.word()) {
      case "stored", "absent", "unknown", "wrong" -> {
        told.accept(ReportedResult.of(line));
        yield true;
      }
      default -> false;
    };
  }

  /**
   * Starts a process.
   *
   * @param prefix a command that runs the rest of its command line
   * @param report takes a line that nobody waits for; false for another line
   */
  static Child start(List<String> prefix, Class<?> main, Place place, Predicate<Line> report) {
    try {
      Path errors = Files.createTempFile("child-process-", ".stderr");
      Process process =
          JavaProcess.of(prefix, main, place.words()).redirectError(errors.toFile()).start();
      return new Child(process, errors, report);
    } catch (IOException e) {
      throw new UncheckedIOException("a child process does not start", e);
    }
  }

  private void readOutput() {
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        Line.read(text).ifPresent(this::receive);
      }
    } catch (IOException e) {
      // the pipe of a killed process may break instead of ending
    }
    lines.add(Line.of("ended"));
  }

  private void receive(Line line) {
    if (!report.test(line)) {
      lines.add(line);
    }
  }

  /** Sends a command without waiting until it is done. */
  void send(String... words) {
    try {
      process.getOutputStream().write(Line.of(words).text().getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(withStderr("the child process does not read its input"), e);
    }
  }

  /** Waits for the journal to be open, and returns its state. */
  String opened() {
    return next("opened").at(1);
  }

  /** Waits until a command is done, and returns the journal's state after it. */
  String done(String command) {
    Line done = next("done");
    assertThat(done.at(1)).isEqualTo(command);
    return done.at(2);
  }

  /** Waits until events were dropped, and passes over the commands that are done. */
  void dropped() {
    Line line = next("done", "dropped");
    while (!line.word().equals("dropped")) {
      line = next("done", "dropped");
    }
  }

  /** Waits until its callers have their last results, and passes over other lines. */
  void quiet() {
    Line line = next("done", "dropped");
    while (!line.words().contains("quiet")) {
      line = next("done", "dropped");
    }
  }

  /** Reads every row after those read before, and compares. */
  void read(Ledger.Reading reading) {
    send("rows", Long.toString(reading.position()));
    Line line = next("row", "edge");
    while (line.word().equals("row")) {
      reading.row(Row.of(line));
      line = next("row", "edge");
    }
    reading.end(StoredEdge.of(line));
    done("rows");
  }

  private Line next(String... expected) {
    try {
      Line line = lines.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      if (line == null || !List.of(expected).contains(line.word())) {
        throw new AssertionError(
            withStderr("instead of %s came %s".formatted(List.of(expected), line)));
      }
      return line;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  boolean endedWithin(long nanos) {
    try {
      return process.waitFor(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Kills the process with SIGKILL; returns when it is gone and everything it wrote was read. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String withStderr(String what) {
    try {
      return what + "; it wrote to stderr: " + Files.readString(errors);
    } catch (IOException e) {
      return what;
    }
  }

  @Override
  public void close() {
    kill();
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
