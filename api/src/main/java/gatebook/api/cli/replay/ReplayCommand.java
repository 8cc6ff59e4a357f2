package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PastedId;
import gatebook.api.cli.option.TimeArgument;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.cli.text.TextCells;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook replay}: redecides a call, or rebuilds a view, from the journal. */
@Command(
    name = "replay",
    description = {
      "Shows a call and decides it again, or rebuilds a view.",
      "With an ID: shows one call step by step and decides it again, by its recorded rules, which"
          + " must agree with the record, and by the rules in force.",
      "With --projection: rebuilds a view at the server, beside the current one, and shows the"
          + " progress until it ends; the rebuild continues when this command is stopped.",
      "With --json the document is printed at the end."
    },
    footer = {
      "",
      "Exit code: 0 the decision agrees, or nothing was decided; the rebuild has ended.",
      "           1 it does not agree, or cannot be decided again, or is not found; the view"
          + " fails.",
      "           2 usage.",
      "Example: gatebook replay 0199c0de-0000-7000-8000-000000000000",
      "Example: gatebook replay --projection calls --from 7d"
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final String NOTHING_DECIDED = "nothing-decided";
  private static final Pattern POSITION = Pattern.compile("\\d{1,18}");

  private final Function<CommandSpec, ProgressOutput> progressOutput;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final ProjectionOption projectionOption = new ProjectionOption();

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description =
          "Any id of one call: its own, or that of its correlation, trace, task, approval.")
  private List<String> pasted = List.of();

  @Option(
      names = "--from",
      paramLabel = "POSITION|TIME",
      description =
          "Rebuilds only from after this position, or from this time: RFC 3339, or how long ago,"
              + " as in 2h (else everything).")
  private @Nullable String from;

  @Option(names = "--cancel", description = "Cancels a running rebuild; the view stays as it was.")
  private boolean cancel;

  public ReplayCommand() {
    this(spec -> ProgressOutput.onStderr(spec.commandLine().getErr()));
  }

  ReplayCommand(Function<CommandSpec, ProgressOutput> progressOutput) {
    this.progressOutput = progressOutput;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    Optional<String> projection = projectionOption.name();
    if (!pasted.isEmpty() && projection.isEmpty() && from == null && !cancel) {
      return redecide(serverQuery, PastedId.in(pasted, spec));
    }
    if (pasted.isEmpty() && projection.isPresent()) {
      return rebuild(serverQuery, projection.get());
    }
    throw usageError("give either the ID of a call, or --projection with the name of a view");
  }

  private static int redecide(ServerQuery serverQuery, String id) throws InterruptedException {
    return serverQuery.call(
        "audit.replayCall",
        ServerQuery.params().put("id", id),
        ReplayCommand::isGood,
        RedecisionText::of);
  }

  private static boolean isGood(JsonNode result) {
    return result.path("then").path("agrees").asBoolean()
        || result.path("notReplayable").path("reason").asText().equals(NOTHING_DECIDED);
  }

  private int rebuild(ServerQuery serverQuery, String view) throws InterruptedException {
    ObjectNode params = ServerQuery.params().put("projection", view);
    if (!cancel) {
      addFrom(params);
      return new RebuildWatch(serverQuery, view, progressOutput.apply(spec)).run(params);
    }
    if (from != null) {
      throw usageError("--cancel cancels a rebuild: leave out --from");
    }
    return serverQuery.call(
        "audit.cancelReplay",
        params,
        result -> result.path("cancelled").asBoolean(),
        ReplayCommand::cancelled);
  }

  private void addFrom(ObjectNode params) {
    if (from == null) {
      return;
    }
    if (POSITION.matcher(from).matches()) {
      params.put("fromPosition", Long.parseLong(from));
    } else {
      Instant at =
          TimeArgument.read(from, Instant.now())
              .orElseThrow(() ->
                  usageError(
                      "invalid value for option '--from': '%s' is neither a position nor %s"
                          .formatted(from, TimeArgument.FORMS)));
      params.put("fromTime", at.toString());
    }
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private static List<String> cancelled(JsonNode result) {
    String name = TextCells.of(result.path("projection"));
    return List.of(
        result.path("cancelled").asBoolean()
            ? "cancelled: %s stays as it was".formatted(name)
            : "nothing to cancel: no rebuild of %s is running".formatted(name));
  }
}
