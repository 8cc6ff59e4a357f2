package gatebook.api.upstream.process;

import gatebook.api.upstream.process.LineReader.Line;
import gatebook.command.rules.SourceProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child process from its start to its end, with all processes that it started. Its output is read
 * on a thread of its own, and writes to it are queued, so that no caller waits for it.
 */
public final class ChildProcess {

  private static final int NOT_FOUND = 127;
  private static final Pattern REASON =
      Pattern.compile("error(?:=|: )\\d+[, ]+\\(?(?<words>[A-Za-z ]+)");

  private final LaunchSpec launchSpec;
  private final ProcessLimits processLimits;
  private final StderrLog stderrLog;
  private final Consumer<Line> lineListener;
  private final ScheduledExecutorService timer;

  /** Messages to be written; an empty element closes the input. */
  private final BlockingQueue<Optional<OutgoingMessage>> queue = new LinkedBlockingQueue<>();

  private final CompletableFuture<Exit> ended = new CompletableFuture<>();

  /** Guards the fields below. */
  private final Object lock = new Object();

  private @Nullable ProcessGroup processGroup;
  private boolean isStopping;
  private boolean isStoppingNow;
  private int queued;
  private long queuedBytes;

  /**
   * How a process is started.
   *
   * @param source its name in logs and thread names
   * @param environment the whole environment
   * @param directory absent for that of this process
   */
  public record LaunchSpec(
      String source,
      List<String> command,
      Map<String, String> environment,
      @Nullable Path directory) {
    public LaunchSpec {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
    }

    /** Fails as the operating system does when there is no such program. */
    private void checkProgram() throws IOException {
      String program = command.getFirst();
      String path = environment.get("PATH");
      Stream<Path> places =
          program.contains("/")
              ? Stream.of(file(program))
              : path == null
                  ? Stream.of() // the operating system has a path of its own
                  : Stream.of(path.split(":", -1)).map(place -> file(place).resolve(program));
      List<Path> found = places.toList();
      if (found.isEmpty() || found.stream().anyMatch(LaunchSpec::isProgram)) {
        return;
      }
      throw new IOException(
          found.stream().anyMatch(Files::exists)
              ? "error=13, Permission denied"
              : "error=2, No such file or directory");
    }

    /** A relative path begins at the directory of the process. */
    private Path file(String path) {
      return directory == null ? Path.of(path) : directory.resolve(path);
    }

    private static boolean isProgram(Path file) {
      return Files.isExecutable(file) && !Files.isDirectory(file);
    }

    /** With the environment that the rules define, and the few variables that are inherited. */
    public static LaunchSpec of(
        String source, SourceProgram sourceProgram, Map<String, String> inherited) {
      Map<String, String> environment = new HashMap<>();
      inherited.forEach((name, value) -> {
        if (SourceProgram.INHERITED.contains(name) || name.startsWith("LC_")) {
          environment.put(name, value);
        }
      });
      environment.putAll(sourceProgram.environment());
      return new LaunchSpec(
          source, sourceProgram.command(), environment, sourceProgram.directory());
    }
  }

  /** How a process ended. */
  public sealed interface Exit {

    /** It ran and exited. */
    record Ended(int code) implements Exit {}

    /** It was never started; the reason comes from the operating system. */
    record NotStarted(String reason) implements Exit {}

    /** A description for operators. */
    default String words() {
      return switch (this) {
        case Ended(int code) -> "the process ended (exit %d)".formatted(code);
        case NotStarted(var reason) -> "the process cannot be started (%s)".formatted(reason);
      };
    }

    /** The exit code as a shell reports it. */
    default int code() {
      return switch (this) {
        case Ended(int code) -> code;
        case NotStarted _ -> NOT_FOUND;
      };
    }
  }

  /** A queued message, which may be withdrawn until it is written. */
  interface OutgoingMessage {

    /** Its size in the queue. */
    int bytes();

    /** The line to write now; empty when the message was withdrawn. */
    Optional<byte[]> takeLine();
  }

  private ChildProcess(
      LaunchSpec launchSpec,
      ProcessLimits processLimits,
      StderrLog stderrLog,
      Consumer<Line> ears,
      ScheduledExecutorService timer) {
    this.launchSpec = launchSpec;
    this.processLimits = processLimits;
    this.stderrLog = stderrLog;
    this.lineListener = ears;
    this.timer = timer;
  }

  /**
   * Starts a process, on a thread of its own.
   *
   * @param ears receives each line that the process writes
   */
  static ChildProcess start(
      LaunchSpec launchSpec,
      ProcessLimits processLimits,
      StderrLog stderrLog,
      Consumer<Line> ears,
      ScheduledExecutorService timer) {
    ChildProcess childProcess = new ChildProcess(launchSpec, processLimits, stderrLog, ears, timer);
    childProcess.startThread("out", childProcess::run);
    return childProcess;
  }

  /** Completes when the process ended and its output was read. */
  CompletableFuture<Exit> ended() {
    return ended;
  }

  /** Queues a message; false when there is no room. */
  boolean send(OutgoingMessage outgoingMessage) {
    synchronized (lock) {
      boolean full =
          queued == processLimits.waitingMax()
              || queuedBytes + outgoingMessage.bytes() > processLimits.waitingBytesMax();
      if (full || isStopping) {
        return false;
      }
      queued++;
      queuedBytes += outgoingMessage.bytes();
      queue.add(Optional.of(outgoingMessage));
      return true;
    }
  }

  /** Whether it stopped accepting messages. */
  boolean isStopping() {
    synchronized (lock) {
      return isStopping;
    }
  }

  /**
   * Closes the input once the queue is written. A process that does not end by itself then gets
   * SIGTERM, and later SIGKILL.
   */
  void stop() {
    stop(false);
  }

  /** Sends SIGTERM at once, because this process is ending too. */
  void stopNow() {
    stop(true);
  }

  private void stop(boolean isNow) {
    synchronized (lock) {
      boolean isNew = !isStopping || (isNow && !isStoppingNow);
      isStopping = true;
      isStoppingNow |= isNow;
      queue.add(Optional.empty());
      if (isNew && processGroup != null) {
        scheduleSignals(processGroup);
      }
    }
  }

  private void scheduleSignals(ProcessGroup group) {
    long termMillis = isStoppingNow ? 0 : processLimits.stopMillis();
    signalUnlessEnded(group, ProcessGroup.TERM, termMillis);
    signalUnlessEnded(group, ProcessGroup.KILL, termMillis + processLimits.stopMillis());
  }

  private void signalUnlessEnded(ProcessGroup group, int signal, long inMillis) {
    ScheduledFuture<?> timeout = signal(group, signal, inMillis);
    CompletableFuture<Exit> _ = ended.whenComplete((_, _) -> timeout.cancel(false));
  }

  private ScheduledFuture<?> signal(ProcessGroup group, int signal, long inMillis) {
    return timer.schedule(() -> group.signal(signal), inMillis, TimeUnit.MILLISECONDS);
  }

  private void run() {
    Process process;
    try {
      process = startProcess();
    } catch (IOException e) {
      ended.complete(new Exit.NotStarted(reason(e)));
      return;
    }
    try (InputStream out = process.getInputStream()) {
      attach(process);
      readLines(out);
      stop(); // it closed its output, so it sends nothing more
      ended.complete(new Exit.Ended(process.waitFor()));
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread is never interrupted", e);
    } catch (IOException e) {
      throw new UncheckedIOException("what was read to its end cannot be closed", e);
    }
  }

  private Process startProcess() throws IOException {
    launchSpec.checkProgram(); // another program starts it, whose exit code would say too little
    ProcessBuilder builder = new ProcessBuilder(ProcessGroup.commandOf(launchSpec.command));
    builder.environment().clear();
    builder.environment().putAll(launchSpec.environment);
    if (launchSpec.directory != null) {
      builder.directory(launchSpec.directory.toFile());
    }
    return builder.start();
  }

  private void attach(Process process) {
    ProcessGroup group = new ProcessGroup(process.toHandle());
    startThread("in", () -> write(process.getOutputStream()));
    startThread("err", () -> stderrLog.read(process.getErrorStream()));
    CompletableFuture<Process> _ =
        process.onExit().whenComplete((_, _) -> onLeaderExit(process, group));
    synchronized (lock) {
      processGroup = group;
      if (isStopping) {
        scheduleSignals(group);
      }
    }
  }

  /** Ends the remaining processes of the group, which may still hold the streams of the leader. */
  private void onLeaderExit(Process process, ProcessGroup group) {
    stop();
    group.signal(ProcessGroup.TERM);
    if (group.isAlive()) {
      ScheduledFuture<?> _ = signal(group, ProcessGroup.KILL, processLimits.stopMillis());
    }
    // a process that left the group may still hold the streams
    Exit exit = new Exit.Ended(process.exitValue());
    ScheduledFuture<?> last =
        timer.schedule(
            () -> ended.complete(exit), 2 * processLimits.stopMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture<Exit> _ = ended.whenComplete((_, _) -> last.cancel(false));
  }

  private void readLines(InputStream out) {
    LineReader lineReader = new LineReader(out, processLimits.lineBytesMax());
    try {
      for (Line line = lineReader.next(); line != null; line = lineReader.next()) {
        lineListener.accept(line);
      }
    } catch (IOException _) {
      // the process ended
    }
  }

  private void write(OutputStream in) {
    try (in) {
      for (var letter = takeNext(); letter.isPresent(); letter = takeNext()) {
        Optional<byte[]> line = letter.get().takeLine();
        if (line.isPresent()) {
          in.write(line.get());
          in.flush();
        }
      }
    } catch (IOException _) {
      // it reads nothing more; its open requests end when it does
    }
  }

  private Optional<OutgoingMessage> takeNext() {
    try {
      Optional<OutgoingMessage> letter = queue.take();
      letter.ifPresent(this::makeRoom);
      return letter;
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread is never interrupted", e);
    }
  }

  private void makeRoom(OutgoingMessage outgoingMessage) {
    synchronized (lock) {
      queued--;
      queuedBytes -= outgoingMessage.bytes();
    }
  }

  private void startThread(String stream, Runnable work) {
    Thread.ofPlatform()
        .daemon()
        .name("source-%s-%s".formatted(launchSpec.source, stream))
        .start(work);
  }

  /** The reason without the command, which the operating system repeats. */
  private static String reason(IOException e) {
    Matcher reason = REASON.matcher(String.valueOf(e.getMessage()));
    return reason.find() ? reason.group("words").toLowerCase(Locale.ROOT) : "no reason is known";
  }
}
