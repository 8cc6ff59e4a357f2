package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.log.LogLevel;
import gatebook.api.log.LogSink;
import gatebook.api.log.OriginalStdout;
import gatebook.api.node.JoinedNode;
import gatebook.api.node.StopSignals;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * Runs the daemon's process from the first byte to the exit code. When it is asked to stop, it ends
 * within two seconds, even when calls are still open.
 */
final class DaemonProcess implements BuiltInMethods.Host {

  private static final Logger LOG = LoggerFactory.getLogger(DaemonProcess.class);

  private static final long END_MILLIS_MAX = 2_000;

  /** The time that remains is for closing the journal and flushing the log. */
  private static final long ANSWER_MILLIS_MAX = 1_200;

  /** The time that remains is for flushing the log. */
  private static final long HALT_AFTER_MILLIS = END_MILLIS_MAX - LogSink.FLUSH_MILLIS_MAX;

  private final long startNanos = System.nanoTime();
  private final LogSink sink;
  private final StdinReader stdinReader;
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean ending;
  private volatile int exitCode = ExitCode.OK;

  DaemonProcess(LogSink sink, InputStream in) {
    this.sink = sink;
    this.stdinReader =
        StdinReader.start(in, InputHangUp::isHungUp, ANSWER_MILLIS_MAX, this::startDeadline);
    StopSignals.handle(name -> end("told to stop by %s, shutting down gracefully".formatted(name)));
    Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "stop"));
  }

  @Override
  public void setLogLevel(LogLevel level) {
    sink.setLevel(level);
  }

  @Override
  public void stopAfterAnswer() {
    end("shutdown requested, shutting down gracefully");
  }

  /** Nothing was started: the process may exit at once. */
  void skipShutdown() {
    finished.countDown();
  }

  /** Answers messages until the end, then closes the node; returns the exit code. */
  int run(JoinedNode node, FrameLoop.Backend backend) throws InterruptedException {
    FrameLoop frameLoop =
        new FrameLoop(backend, stdinReader, new FrameWriter(OriginalStdout.stream()));
    FrameLoop.End end = frameLoop.run();
    exitCode = end == FrameLoop.End.BROKEN ? ExitCode.SOFTWARE : ExitCode.OK;
    switch (end) {
      case CLOSED -> end("stdin closed, shutting down gracefully");
      case ABANDONED -> end("gave up waiting for an answer, shutting down");
      case BROKEN -> end("standard input or output failed, shutting down");
      case STOPPED -> {}
    }
    node.close();
    LOG.atInfo()
        .addKeyValue("messages", frameLoop.messages())
        .addKeyValue("up_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos))
        .addKeyValue("exit", exitCode)
        .log("stopped");
    finished.countDown();
    return exitCode;
  }

  /** Starts the shutdown, once. */
  private void end(String why) {
    synchronized (finished) {
      if (ending) {
        return;
      }
      ending = true;
    }
    LOG.info(why);
    stdinReader.stop();
  }

  /** Starts the deadline: the process then halts even if calls are still open. */
  private void startDeadline(boolean isBroken) {
    if (isBroken) {
      exitCode = ExitCode.SOFTWARE;
      System.err.println("standard input cannot be read from: use a pipe or file in blocking mode");
    }
    Thread.ofPlatform().daemon().name("end").start(this::haltAtDeadline);
  }

  /** The shutdown hook. It also runs on a normal exit, and then does nothing. */
  private void onShutdown() {
    if (finished.getCount() > 0) {
      end("told to stop, shutting down gracefully");
      haltAtDeadline();
      halt(); // else the signal would set the exit code
    }
  }

  private void haltAtDeadline() {
    try {
      if (!finished.await(HALT_AFTER_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("the shutdown took too long: open calls are left to the next start");
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
