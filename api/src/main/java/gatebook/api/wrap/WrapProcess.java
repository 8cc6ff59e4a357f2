package gatebook.api.wrap;

import gatebook.api.node.JoinedNode;
import gatebook.api.upstream.process.ChildProcess;
import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.api.upstream.process.ProcessLimits;
import gatebook.api.upstream.process.StdioClient;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.GatewayLimits;
import java.io.InputStream;
import java.io.OutputStream;
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
 * A server and its client from the first message to the exit code. It ends when either of them
 * does, or when this process is told to; what was asked by then is answered first, if that does not
 * take long, and all of it is recorded.
 */
final class WrapProcess implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WrapProcess.class);
  private static final String SOURCE = "wrapped";

  /** Ours are not the server's business. */
  private static final String OWN_VARIABLES = "GATEBOOK_";

  /** How long answers are waited for once one side has left. */
  private static final long ANSWER_MILLIS_MAX = 5_000;

  /** Somewhat longer than a server is given before it is killed. */
  private static final long END_MILLIS_MAX = 5_000;

  private final List<String> command;
  private final Runnable lastLines;
  private final ClientWriter clientWriter;
  private final CompletableFuture<Left> left = new CompletableFuture<>();
  private final CompletableFuture<Integer> over = new CompletableFuture<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("wrap-timer").factory());

  /** Who left first. */
  private enum Left {
    CLIENT,
    SERVER,
    TOLD_TO
  }

  /**
   * @param lastLines has the lines of the log written that are on their way
   */
  WrapProcess(OutputStream out, List<String> command, Runnable lastLines) {
    this.command = List.copyOf(command);
    this.lastLines = lastLines;
    this.clientWriter = new ClientWriter(out, () -> left.complete(Left.CLIENT));
  }

  /** The server as the border sees it. */
  WrappedSource wrapped(Optional<String> source) {
    return new WrappedSource(command, source);
  }

  /** Starts the server, and returns the exit code when all is over. */
  int spend(JoinedNode node, WrappedSource wrappedSource, InputStream in)
      throws InterruptedException {
    StdioClient stdioClient = begin(node.limits());
    wrappedSource.runs(stdioClient);
    ServerBridge serverBridge =
        new ServerBridge(node.border(), wrappedSource, stdioClient, clientWriter);
    ClientReader clientReader =
        new ClientReader(node.border(), node::limits, serverBridge, clientWriter);
    Runnable hurry =
        () -> {
          clientReader.end();
          stdioClient.stopNow();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> signalled(hurry), "stop"));
    CompletableFuture<Void> _ = stdioClient.ended().thenAccept(_ -> left.complete(Left.SERVER));
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("client-in")
            .start(() -> {
              clientReader.listen(in);
              left.complete(Left.CLIENT);
            });
    int code = end(left.join(), clientReader, stdioClient);
    node.close();
    LOG.atInfo().addKeyValue("exit", code).log("ended");
    over.complete(code);
    return code;
  }

  private StdioClient begin(GatewayLimits gatewayLimits) {
    Map<String, String> environment =
        System.getenv().entrySet().stream()
            .filter(variable -> !variable.getKey().startsWith(OWN_VARIABLES))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return StdioClient.begin(
        new ChildProcess.How(SOURCE, command, environment, null),
        ProcessLimits.DEFAULT.reading(gatewayLimits.answerBytesMax(), gatewayLimits.depthMax()),
        Scrubber.BUILT_IN::scrub,
        timer);
  }

  private int end(Left who, ClientReader clientReader, StdioClient stdioClient)
      throws InterruptedException {
    return switch (who) {
      case CLIENT -> {
        quiet(clientReader);
        stdioClient.stop();
        gone(stdioClient);
        yield ExitCode.OK;
      }
      case SERVER -> {
        quiet(clientReader);
        yield stdioClient.ended().join().code();
      }
      case TOLD_TO -> gone(stdioClient).map(Exit::code).orElse(ExitCode.SOFTWARE);
    };
  }

  /** Whoever was not answered by then never is, and that is recorded. */
  private void quiet(ClientReader clientReader) throws InterruptedException {
    boolean _ = clientReader.isQuietWithin(ANSWER_MILLIS_MAX);
    clientReader.end();
    clientWriter.close(ANSWER_MILLIS_MAX);
  }

  private static Optional<Exit> gone(StdioClient stdioClient) {
    return stdioClient
        .ended()
        .thenApply(Optional::of)
        .completeOnTimeout(Optional.empty(), END_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .join();
  }

  /** Runs also when the process ends by itself, and then has nothing to do. */
  private void signalled(Runnable hurry) {
    if (!over.isDone()) {
      left.complete(Left.TOLD_TO);
      hurry.run(); // whoever left before has waited long enough
      int code =
          over.completeOnTimeout(ExitCode.SOFTWARE, 2 * END_MILLIS_MAX, TimeUnit.MILLISECONDS)
              .join();
      lastLines.run();
      Runtime.getRuntime().halt(code);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
