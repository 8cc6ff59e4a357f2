package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A remote subject, in a process of its own. */
final class RemoteSubject implements AutoCloseable {
  /** The options with which the gateway is started. */
  private static final List<String> JVM =
      List.of(
          "-Xmx1g",
          "-XX:+UseParallelGC",
          "-Daxoniq.update-checker.disabled=true",
          "-Dlogback.configurationFile=gatebook/events/bench/logback.xml");

  private final Process process;
  private final BufferedReader samples;
  private final Path log;

  private RemoteSubject(Process process, Path log) {
    this.process = process;
    this.samples = process.inputReader(UTF_8);
    this.log = log;
  }

  /** Starts a main class, or a source file, with its arguments. */
  static RemoteSubject start(String classPath, Path log, String... mainAndArguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(mainAndArguments));
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new RemoteSubject(process, log);
  }

  AppendSample measure(int callers, double eventsPerBatch, long millis) throws IOException {
    String command = String.format(Locale.ROOT, "%d %f %d\n", callers, eventsPerBatch, millis);
    process.outputWriter(UTF_8).write(command);
    process.outputWriter(UTF_8).flush();
    String sample = samples.readLine();
    if (sample == null) {
      throw new IOException("a process of the benchmark ended early: see " + log);
    }
    return AppendSample.parse(sample);
  }

  @Override
  public void close() throws IOException {
    process.outputWriter(UTF_8).close();
    process.onExit().join();
  }
}
