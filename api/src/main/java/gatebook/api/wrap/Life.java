package gatebook.api.wrap;

import gatebook.api.serve.JoinedNode;
import gatebook.api.upstream.process.Bounds;
import gatebook.api.upstream.process.Child;
import gatebook.api.upstream.process.Child.Exit;
import gatebook.api.upstream.process.Dialogue;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Limits;
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
final class Life implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Life.class);
  private static final String SOURCE = "wrapped";

  /** Ours are not the server's business. */
  private static final String OWN_VARIABLES = "GATEBOOK_";

  /** How long answers are waited for once one side has left. */
  private static final long ANSWER_MILLIS_MAX = 5_000;

  /** Somewhat longer than a server is given before it is killed. */
  private static final long END_MILLIS_MAX = 5_000;

  private final List<String> command;
  private final Runnable lastLines;
  private final Mouth mouth;
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
  Life(OutputStream out, List<String> command, Runnable lastLines) {
    this.command = List.copyOf(command);
    this.lastLines = lastLines;
    this.mouth = new Mouth(out, () -> left.complete(Left.CLIENT));
  }

  /** The server as the border sees it. */
  Wrapped wrapped(Optional<String> source) {
    return new Wrapped(command, source);
  }

  /** Starts the server, and returns the exit code when all is over. */
  int spend(JoinedNode node, Wrapped wrapped, InputStream in) throws InterruptedException {
    Dialogue dialogue = begin(node.limits());
    wrapped.runs(dialogue);
    Aloud aloud = new Aloud(node.border(), wrapped, dialogue, mouth);
    Ear ear = new Ear(node.border(), node::limits, aloud, mouth);
    Runnable hurry =
        () -> {
          ear.end();
          dialogue.stopNow();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> signalled(hurry), "stop"));
    CompletableFuture<Void> _ = dialogue.ended().thenAccept(_ -> left.complete(Left.SERVER));
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("client-in")
            .start(() -> {
              ear.listen(in);
              left.complete(Left.CLIENT);
            });
    int code = end(left.join(), ear, dialogue);
    node.close();
    LOG.atInfo().addKeyValue("exit", code).log("ended");
    over.complete(code);
    return code;
  }

  private Dialogue begin(Limits limits) {
    Map<String, String> environment =
        System.getenv().entrySet().stream()
            .filter(variable -> !variable.getKey().startsWith(OWN_VARIABLES))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return Dialogue.begin(
        new Child.How(SOURCE, command, environment, null),
        Bounds.DEFAULT.reading(limits.answerBytesMax(), limits.depthMax()),
        Scrubber.BUILT_IN::scrub,
        timer);
  }

  private int end(Left who, Ear ear, Dialogue dialogue) throws InterruptedException {
    return switch (who) {
      case CLIENT -> {
        quiet(ear);
        dialogue.stop();
        gone(dialogue);
        yield ExitCode.OK;
      }
      case SERVER -> {
        quiet(ear);
        yield dialogue.ended().join().code();
      }
      case TOLD_TO -> gone(dialogue).map(Exit::code).orElse(ExitCode.SOFTWARE);
    };
  }

  /** Whoever was not answered by then never is, and that is recorded. */
  private void quiet(Ear ear) throws InterruptedException {
    boolean _ = ear.isQuietWithin(ANSWER_MILLIS_MAX);
    ear.end();
    mouth.close(ANSWER_MILLIS_MAX);
  }

  private static Optional<Exit> gone(Dialogue dialogue) {
    return dialogue
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
