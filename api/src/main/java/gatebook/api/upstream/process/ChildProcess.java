package gatebook.api.upstream.process;

import gatebook.api.upstream.process.LineReader.Line;
import gatebook.command.rules.SourceProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * One program from its start to its end, with all that it started itself. What it says is heard on
 * one thread of its own; nobody waits for it to listen.
 */
public final class ChildProcess {

  private static final int NOT_FOUND = 127;
  private static final Pattern REASON =
      Pattern.compile("error(?:=|: )\\d+[, ]+\\(?(?<words>[A-Za-z ]+)");

  private final How how;
  private final ProcessLimits processLimits;
  private final StderrLog stderrLog;
  private final Consumer<Line> ears;
  private final ScheduledExecutorService timer;

  /** What is to be written; nothing is the end of it. */
  private final BlockingQueue<Optional<Letter>> letters = new LinkedBlockingQueue<>();

  private final CompletableFuture<Exit> ended = new CompletableFuture<>();

  /** Guards what follows. */
  private final Object lock = new Object();

  private @Nullable ProcessGroup processGroup;
  private boolean isStopping;
  private boolean isHasty;
  private int waiting;
  private long waitingBytes;

  /**
   * How it is started.
   *
   * @param source what it is called in logs and names of threads
   * @param environment all there is of it
   * @param directory absent for that of this process
   */
  public record How(
      String source,
      List<String> command,
      Map<String, String> environment,
      @Nullable Path directory) {
    public How {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
    }

    /** With what the rules name of the environment, and the little that is inherited. */
    public static How of(String source, SourceProgram sourceProgram, Map<String, String> ours) {
      Map<String, String> environment = new HashMap<>();
      ours.forEach((name, value) -> {
        if (SourceProgram.INHERITED.contains(name) || name.startsWith("LC_")) {
          environment.put(name, value);
        }
      });
      environment.putAll(sourceProgram.environment());
      return new How(source, sourceProgram.command(), environment, sourceProgram.directory());
    }
  }

  /** How it ended. */
  public sealed interface Exit {

    /** It ran. */
    record Ended(int code) implements Exit {}

    /** It never did; the reason is the operating system's. */
    record NotStarted(String reason) implements Exit {}

    /** In words for operators. */
    default String words() {
      return switch (this) {
        case Ended(int code) -> "the process ended (exit %d)".formatted(code);
        case NotStarted(var reason) -> "the process cannot be started (%s)".formatted(reason);
      };
    }

    /** What a shell would say. */
    default int code() {
      return switch (this) {
        case Ended(int code) -> code;
        case NotStarted _ -> NOT_FOUND;
      };
    }
  }

  /** Something to be written, unless it is no longer wanted when its turn comes. */
  interface Letter {

    /** How much room it takes until then. */
    int bytes();

    /** The line, once, for whoever writes it now. */
    Optional<byte[]> taken();
  }

  private ChildProcess(
      How how,
      ProcessLimits processLimits,
      StderrLog stderrLog,
      Consumer<Line> ears,
      ScheduledExecutorService timer) {
    this.how = how;
    this.processLimits = processLimits;
    this.stderrLog = stderrLog;
    this.ears = ears;
    this.timer = timer;
  }

  /**
   * Starts it, on a thread of its own.
   *
   * @param ears get each line that it writes
   */
  static ChildProcess start(
      How how,
      ProcessLimits processLimits,
      StderrLog stderrLog,
      Consumer<Line> ears,
      ScheduledExecutorService timer) {
    ChildProcess childProcess = new ChildProcess(how, processLimits, stderrLog, ears, timer);
    childProcess.thread("out", childProcess::live);
    return childProcess;
  }

  /** Completes when it ended and all that it said was heard. */
  CompletableFuture<Exit> ended() {
    return ended;
  }

  /** Whether there was room for it. */
  boolean send(Letter letter) {
    synchronized (lock) {
      boolean full =
          waiting == processLimits.waitingMax()
              || waitingBytes + letter.bytes() > processLimits.waitingBytesMax();
      if (full || isStopping) {
        return false;
      }
      waiting++;
      waitingBytes += letter.bytes();
      letters.add(Optional.of(letter));
      return true;
    }
  }

  /** Whether it takes nothing more. */
  boolean isStopping() {
    synchronized (lock) {
      return isStopping;
    }
  }

  /**
   * Closes its input once what waits is written; tells it to end, and then makes it, when it does
   * not by itself.
   */
  void stop() {
    stop(false);
  }

  /** Tells it to end at once, as this process was told. */
  void stopNow() {
    stop(true);
  }

  private void stop(boolean hastily) {
    synchronized (lock) {
      boolean isNews = !isStopping || (hastily && !isHasty);
      isStopping = true;
      isHasty |= hastily;
      letters.add(Optional.empty());
      if (isNews && processGroup != null) {
        see(processGroup);
      }
    }
  }

  private void see(ProcessGroup toItsEnd) {
    long termMillis = isHasty ? 0 : processLimits.stopMillis();
    signalUnlessEnded(toItsEnd, ProcessGroup.TERM, termMillis);
    signalUnlessEnded(toItsEnd, ProcessGroup.KILL, termMillis + processLimits.stopMillis());
  }

  private void signalUnlessEnded(ProcessGroup whom, int signal, long inMillis) {
    ScheduledFuture<?> alarm = signal(whom, signal, inMillis);
    CompletableFuture<Exit> _ = ended.whenComplete((_, _) -> alarm.cancel(false));
  }

  private ScheduledFuture<?> signal(ProcessGroup whom, int signal, long inMillis) {
    return timer.schedule(() -> whom.signal(signal), inMillis, TimeUnit.MILLISECONDS);
  }

  private void live() {
    Process process;
    try {
      process = started();
    } catch (IOException e) {
      ended.complete(new Exit.NotStarted(reason(e)));
      return;
    }
    try (InputStream out = process.getInputStream()) {
      begin(process);
      listen(out);
      stop(); // who closed its output has said all it had to say
      ended.complete(new Exit.Ended(process.waitFor()));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    } catch (IOException e) {
      throw new UncheckedIOException("what was read to its end cannot be closed", e);
    }
  }

  private Process started() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ProcessGroup.leading(how.command));
    builder.environment().clear();
    builder.environment().putAll(how.environment);
    if (how.directory != null) {
      builder.directory(how.directory.toFile());
    }
    return builder.start();
  }

  private void begin(Process process) {
    ProcessGroup led = new ProcessGroup(process.toHandle());
    thread("in", () -> write(process.getOutputStream()));
    thread("err", () -> stderrLog.read(process.getErrorStream()));
    CompletableFuture<Process> _ = process.onExit().whenComplete((_, _) -> left(process, led));
    synchronized (lock) {
      processGroup = led;
      if (isStopping) {
        see(led);
      }
    }
  }

  /** The leader ended: so do those it leaves behind, who may still hold its streams. */
  private void left(Process process, ProcessGroup led) {
    stop();
    led.signal(ProcessGroup.TERM);
    if (led.isThere()) {
      ScheduledFuture<?> _ = signal(led, ProcessGroup.KILL, processLimits.stopMillis());
    }
    // somebody may have left the group with its streams in his hands
    Exit exit = new Exit.Ended(process.exitValue());
    ScheduledFuture<?> last =
        timer.schedule(
            () -> ended.complete(exit), 2 * processLimits.stopMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture<Exit> _ = ended.whenComplete((_, _) -> last.cancel(false));
  }

  private void listen(InputStream out) {
    LineReader lineReader = new LineReader(out, processLimits.lineBytesMax());
    try {
      for (Line line = lineReader.next(); line != null; line = lineReader.next()) {
        ears.accept(line);
      }
    } catch (IOException _) {
      // it is gone
    }
  }

  private void write(OutputStream in) {
    try (in) {
      for (var letter = next(); letter.isPresent(); letter = next()) {
        Optional<byte[]> line = letter.get().taken();
        if (line.isPresent()) {
          in.write(line.get());
          in.flush();
        }
      }
    } catch (IOException _) {
      // it reads no more: what it was asked ends when it does
    }
  }

  private Optional<Letter> next() {
    try {
      Optional<Letter> letter = letters.take();
      letter.ifPresent(this::makeRoom);
      return letter;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private void makeRoom(Letter letter) {
    synchronized (lock) {
      waiting--;
      waitingBytes -= letter.bytes();
    }
  }

  private void thread(String stream, Runnable work) {
    Thread.ofPlatform().daemon().name("source-%s-%s".formatted(how.source, stream)).start(work);
  }

  /** Without the command, which the operating system repeats. */
  private static String reason(IOException e) {
    Matcher reason = REASON.matcher(String.valueOf(e.getMessage()));
    return reason.find() ? reason.group("words").toLowerCase(Locale.ROOT) : "no reason is known";
  }
}
