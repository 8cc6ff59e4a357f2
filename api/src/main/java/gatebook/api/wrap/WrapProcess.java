package gatebook.api.wrap;

import gatebook.api.node.JoinedNode;
import gatebook.api.node.StopSignals;
import gatebook.api.upstream.process.ChildProcess;
import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.ProcessLimits;
import gatebook.api.upstream.process.StdioClient;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * Runs the process that wraps a server, from the first message to the exit code. It ends when the
 * server or the client does, or on a signal; open requests are then answered, if that does not take
 * long, and all of them are recorded.
 */
final class WrapProcess implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WrapProcess.class);
  private static final String SOURCE = "wrapped";

  /** Variables of Gatebook are not passed to the server. */
  private static final String OWN_VARIABLE_PREFIX = "GATEBOOK_";

  /** How long to wait for answers once the server or the client has ended. */
  private static final long ANSWER_MILLIS_MAX = 5_000;

  /** A little longer than a server has to stop before it is killed. */
  private static final long END_MILLIS_MAX = 5_000;

  private final List<String> command;
  private final Runnable flushLog;
  private final ClientWriter clientWriter;
  private final CompletableFuture<EndReason> endReason = new CompletableFuture<>();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("wrap-timer").factory());

  /** Why the process ends. */
  private enum EndReason {
    CLIENT,
    SERVER,
    SIGNAL
  }

  /**
   * @param flushLog flushes the log
   */
  WrapProcess(OutputStream out, List<String> command, Runnable flushLog) {
    this.command = List.copyOf(command);
    this.flushLog = flushLog;
    this.clientWriter = new ClientWriter(out, () -> endReason.complete(EndReason.CLIENT));
  }

  /** The server as the gateway's only source. */
  WrappedSource wrappedSource(Optional<String> source) {
    return new WrappedSource(command, source);
  }

  /** Starts the server, and returns the exit code when both have ended. */
  int run(JoinedNode node, WrappedSource wrappedSource, InputStream in)
      throws InterruptedException {
    StdioClient stdioClient = startServer(node.limits());
    wrappedSource.connect(stdioClient);
    ServerBridge serverBridge = new ServerBridge(node.gateway(), stdioClient, clientWriter);
    ClientReader clientReader =
        new ClientReader(node.gateway(), node::limits, serverBridge, clientWriter);
    Runnable stopNow =
        () -> {
          clientReader.disconnect();
          stdioClient.stopNow();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> onShutdown(stopNow), "stop"));
    StopSignals.exit();
    CompletableFuture<Void> _ =
        stdioClient.ended().thenAccept(_ -> endReason.complete(EndReason.SERVER));
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("client-in")
            .start(() -> {
              clientReader.readAll(in);
              endReason.complete(EndReason.CLIENT);
            });
    int code = end(endReason.join(), clientReader, stdioClient);
    node.close();
    LOG.atInfo().addKeyValue("exit", code).log("ended");
    exitCode.complete(code);
    return code;
  }

  /** The program as log lines name it, whose path is for the operator to find. */
  static Path program(List<String> command) {
    return Path.of(RecordedCommandLine.of(List.of(command.getFirst())));
  }

  private StdioClient startServer(GatewayLimits gatewayLimits) {
    Map<String, String> environment =
        System.getenv().entrySet().stream()
            .filter(variable -> !variable.getKey().startsWith(OWN_VARIABLE_PREFIX))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return StdioClient.start(
        new ChildProcess.LaunchSpec(SOURCE, command, environment, null),
        ProcessLimits.DEFAULT.withMessages(
            gatewayLimits.get(Limit.ANSWER_BYTES_MAX), gatewayLimits.getInt(Limit.DEPTH_MAX)),
        Scrubber.BUILT_IN::scrub,
        timer);
  }

  private int end(EndReason reason, ClientReader clientReader, StdioClient stdioClient)
      throws InterruptedException {
    return switch (reason) {
      case CLIENT -> {
        finishAnswers(clientReader);
        stdioClient.stop();
        awaitExit(stdioClient);
        yield ExitCode.OK;
      }
      case SERVER -> {
        Exit exit = stdioClient.ended().join();
        if (exit instanceof Exit.NotStarted) {
          LOG.atError()
              .addKeyValue("program", program(command))
              .addKeyValue("reason", exit.words())
              .log("cannot start the server's program: check the command after --");
        }
        clientReader.awaitRead(ANSWER_MILLIS_MAX);
        finishAnswers(clientReader);
        yield exit.code();
      }
      case SIGNAL -> awaitExit(stdioClient).map(Exit::code).orElse(ExitCode.SOFTWARE);
    };
  }

  /** A request that is not answered in time never is; its call is recorded as abandoned. */
  private void finishAnswers(ClientReader clientReader) throws InterruptedException {
    boolean _ = clientReader.awaitAnswers(ANSWER_MILLIS_MAX);
    clientReader.disconnect();
    clientWriter.close(ANSWER_MILLIS_MAX);
  }

  private static Optional<Exit> awaitExit(StdioClient stdioClient) {
    return stdioClient
        .ended()
        .thenApply(Optional::of)
        .completeOnTimeout(Optional.empty(), END_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .join();
  }

  /** The shutdown hook. It also runs on a normal exit, and then does nothing. */
  private void onShutdown(Runnable stopNow) {
    if (!exitCode.isDone()) {
      endReason.complete(EndReason.SIGNAL);
      stopNow.run(); // even when another reason came first: do not wait for answers
      int code =
          exitCode
              .completeOnTimeout(ExitCode.SOFTWARE, 2 * END_MILLIS_MAX, TimeUnit.MILLISECONDS)
              .join();
      flushLog.run();
      Runtime.getRuntime().halt(code);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
