package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.log.LogLevel;
import gatebook.api.log.LogSink;
import gatebook.api.node.JoinedNode;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * From the first byte to the exit code: when the process is to end, it has ended two seconds later,
 * whatever is still under way.
 */
final class DaemonProcess implements BuiltInMethods.Host {

  private static final Logger LOG = LoggerFactory.getLogger(DaemonProcess.class);

  private static final long END_MILLIS_MAX = 2_000;

  /** What is left of that closes the journal and flushes the log. */
  private static final long ANSWER_MILLIS_MAX = 1_200;

  /** The last lines of the log may take what is left. */
  private static final long HALT_AFTER_MILLIS = END_MILLIS_MAX - LogSink.FLUSH_MILLIS_MAX;

  private final long bornNanos = System.nanoTime();
  private final LogSink sink;
  private final StdinReader stdinReader;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean ending;
  private volatile int exitCode = ExitCode.OK;

  DaemonProcess(LogSink sink, InputStream in) {
    this.sink = sink;
    this.stdinReader = StdinReader.reading(in, ANSWER_MILLIS_MAX, this::leaving);
    StopSignals.heed(name -> end("told to stop by %s, shutting down gracefully".formatted(name)));
    Runtime.getRuntime().addShutdownHook(new Thread(this::toldToEnd, "stop"));
  }

  @Override
  public void logFrom(LogLevel level) {
    sink.level(level);
  }

  @Override
  public void stopAfterThis() {
    end("shutdown requested, shutting down gracefully");
  }

  /** There is nothing to end in good order. */
  void endAtOnce() {
    over.countDown();
  }

  /** Holds the conversation and closes the node; the exit code. */
  int spend(JoinedNode node, FrameLoop.Side side) throws InterruptedException {
    FrameLoop frameLoop =
        new FrameLoop(side, stdinReader, new FrameWriter(FrameOutput.forFrames()));
    FrameLoop.End end = frameLoop.hold();
    exitCode = end == FrameLoop.End.BROKEN ? ExitCode.SOFTWARE : ExitCode.OK;
    switch (end) {
      case CLOSED -> end("stdin closed, shutting down gracefully");
      case GIVEN_UP -> end("an answer was not waited for any longer, shutting down");
      case BROKEN -> end("nobody can be talked to, shutting down");
      case TOLD_TO_STOP -> {}
    }
    node.close();
    LOG.atInfo()
        .addKeyValue("messages", frameLoop.messages())
        .addKeyValue("up_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - bornNanos))
        .addKeyValue("exit", exitCode)
        .log("stopped");
    over.countDown();
    return exitCode;
  }

  /** Begins to end, once. */
  private void end(String why) {
    synchronized (over) {
      if (ending) {
        return;
      }
      ending = true;
    }
    LOG.info(why);
    stdinReader.stop();
  }

  /** From now on time is short, whatever is still to be answered, written or closed. */
  private void leaving(boolean isBroken) {
    if (isBroken) {
      exitCode = ExitCode.SOFTWARE;
      System.err.println("standard input cannot be read from: give a pipe or a file that waits");
    }
    Thread.ofPlatform().daemon().name("end").start(this::haltInTime);
  }

  /** Runs also when the process ends by itself, and then has nothing to do. */
  private void toldToEnd() {
    if (over.getCount() > 0) {
      end("told to stop, shutting down gracefully");
      haltInTime();
      halt(); // else the exit code would be the signal's
    }
  }

  private void haltInTime() {
    try {
      if (!over.await(HALT_AFTER_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("something is still under way, and is left to the next start");
        halt();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void halt() {
    sink.close();
    Runtime.getRuntime().halt(exitCode);
  }
}
