package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PastedId;
import gatebook.api.cli.option.PrincipalOption;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.EventLine;
import gatebook.api.cli.text.TextCells;
import gatebook.api.log.VisibleText;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code gatebook tail}: prints events as they are recorded. */
@Command(
    name = "tail",
    description = {
      "Shows events as they are recorded, one line each, until it is stopped.",
      "With --json each event is one JSON document.",
      "After a lost connection it continues with the event after the last one it received."
    },
    footer = {
      "",
      "Exit code: 0 stopped, 1 refused or the server is unreachable, 2 usage.",
      "Example: gatebook tail --name GateDenied --principal alice"
    })
public final class TailCommand implements Callable<Integer> {
  static final int RETRIES_MAX = 10;
  private static final String DROPPED_PREFIX = ": following; ";
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int PAUSES_MAX = 5;

  private final JsonMapper mapper = new JsonMapper();
  private final Colours colours = Colours.forStdout();
  private final Duration pause;
  private OptionalLong position = OptionalLong.empty();
  private int retries;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final PrincipalOption principalOption = new PrincipalOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Option(
      names = "--after",
      paramLabel = "POSITION",
      description = "Starts with the event after this position (else with the next one recorded).")
  private @Nullable Long after;

  @Option(
      names = "--name",
      paramLabel = "EVENT",
      description = "Only events of this name, as in GateDenied; may be repeated.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--call",
      paramLabel = "ID",
      converter = PastedId.class,
      description = "Only events of this call.")
  private @Nullable String call;

  public TailCommand() {
    this(PAUSE);
  }

  TailCommand(Duration pause) {
    this.pause = pause;
  }

  @Override
  public Integer call() throws InterruptedException {
    Thread exitHook = new Thread(this::exit, "stopped");
    Runtime.getRuntime().addShutdownHook(exitHook);
    try {
      ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
      noteWait(serverQuery);
      return follow(serverQuery);
    } finally {
      removeHook(exitHook);
    }
  }

  /** Tells that the position to start after is beyond the newest event. */
  private void noteWait(ServerQuery serverQuery) throws InterruptedException {
    if (after != null
        && serverQuery.call("node.status", ServerQuery.params()) instanceof Answer.Result(var node)
        && node.path("journal").path("position").isNumber()) {
      long newest = node.path("journal").path("position").longValue();
      if (after > newest) {
        spec.commandLine()
            .getErr()
            .printf(
                "the newest event is at position %d: none is shown before %d more are recorded%n",
                newest, after - newest + 1);
      }
    }
  }

  /** Exits with 0, since a signal is the normal end; the JVM would report a failure. */
  private void exit() {
    out().flush();
    Runtime.getRuntime().halt(ExitCode.OK);
  }

  private static void removeHook(Thread exitHook) {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException _) {
      // the process is stopping
    }
  }

  private int follow(ServerQuery serverQuery) throws InterruptedException {
    FollowResult ended = attempt(serverQuery);
    if (ended instanceof FollowResult.Refused(var sentence, _)) {
      return serverQuery.failed(sentence); // the server never admitted this reader
    }
    while (true) {
      switch (ended) {
        case FollowResult.Finished _ -> {
          return ExitCode.OK;
        }
        case FollowResult.Refused(var sentence, var mayRetry) when !mayRetry -> {
          return serverQuery.failed(sentence);
        }
        case FollowResult.Refused _, FollowResult.Lost _ -> {
          if (retries == RETRIES_MAX) {
            return serverQuery.failed(
                "the server was unreachable %d times in a row: continue later with --after %s"
                    .formatted(RETRIES_MAX, lastPosition()));
          }
          waitBeforeRetry();
          ended = attempt(serverQuery);
        }
      }
    }
  }

  private FollowResult attempt(ServerQuery serverQuery) throws InterruptedException {
    SseReader sseReader = new SseReader();
    return serverQuery.follow(
        query(),
        position,
        line -> {
          noteDropped(line);
          return sseReader.accept(line).map(this::print).orElse(true);
        });
  }

  /** Tells that events after the position to start after were dropped. */
  private void noteDropped(String line) {
    if (line.startsWith(DROPPED_PREFIX)) {
      spec.commandLine().getErr().println(TextCells.of(line.substring(DROPPED_PREFIX.length())));
    }
  }

  private void waitBeforeRetry() throws InterruptedException {
    retries++;
    spec.commandLine()
        .getErr()
        .printf(
            "the connection was lost at position %s: trying again (%d of %d)%n",
            lastPosition(), retries, RETRIES_MAX);
    Thread.sleep(pause.multipliedBy(Math.min(retries, PAUSES_MAX)));
  }

  private String lastPosition() {
    return position.isPresent() ? String.valueOf(position.getAsLong()) : "0";
  }

  /** False when standard output is closed. */
  private boolean print(SseReader.Block block) {
    retries = 0;
    if (!block.data().isEmpty()) {
      out().println(jsonOption.isGiven() ? VisibleText.json(block.data()) : line(block.data()));
      if (out().checkError()) {
        return false;
      }
    }
    position = block.position().isPresent() ? block.position() : position;
    return true;
  }

  private String line(String data) {
    try {
      return EventLine.of(mapper.readTree(data), colours);
    } catch (JsonProcessingException _) {
      return TextCells.of(data);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private String query() {
    return Stream.of(
            names.stream().map(it -> parameter("name", it)),
            optionalParameter("callId", call),
            optionalParameter("principal", principalOption.name().orElse(null)),
            optionalParameter("after", after))
        .flatMap(it -> it)
        .collect(Collectors.joining("&", "?", ""));
  }

  private static Stream<String> optionalParameter(String name, @Nullable Object value) {
    return value == null ? Stream.empty() : Stream.of(parameter(name, value.toString()));
  }

  private static String parameter(String name, String value) {
    return name + "=" + URLEncoder.encode(value, UTF_8);
  }
}
