package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.LimitOption;
import gatebook.api.cli.text.TextCells;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code gatebook parked}: lists, retries and discards parked events. */
@Command(
    name = "parked",
    description = {
      "Shows the parked events, which a view could not apply, each with its error, of one view or"
          + " of all; --limit is for each view.",
      "Retries or discards one of them."
    },
    footer = {
      "",
      "Exit code: 0 shown or done, 1 the view did not apply the event, 2 usage.",
      "Example: gatebook parked --projection calls --retry 4711"
    })
public final class ParkedCommand implements Callable<Integer> {

  private static final List<String> COLUMNS =
      List.of("projection", "position", "name", "callId", "at", "attempts", "parkedAt", "error");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final ProjectionOption projectionOption = new ProjectionOption();
  @Mixin private final LimitOption limitOption = new LimitOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @ArgGroup private @Nullable Action action;

  /** The action on one parked event. */
  static final class Action {
    @Option(
        names = "--retry",
        paramLabel = "POSITION",
        required = true,
        description = "Retries this event.")
    private @Nullable Long retry;

    @Option(
        names = "--discard",
        paramLabel = "POSITION",
        required = true,
        description = "Discards this event; the view stays without it until it is rebuilt.")
    private @Nullable Long discard;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    ObjectNode params = ServerQuery.params();
    projectionOption.addTo(params);
    if (action == null) {
      return list(serverQuery, params);
    }
    if (projectionOption.name().isEmpty() || limitOption.isGiven()) {
      throw new ParameterException(
          spec.commandLine(), "--retry and --discard require --projection and exclude --limit");
    }
    return action.retry != null
        ? act(serverQuery, "audit.retryParked", params.put("position", action.retry))
        : act(serverQuery, "audit.discardParked", params.put("position", action.discard));
  }

  private int list(ServerQuery serverQuery, ObjectNode params) throws InterruptedException {
    limitOption.addTo(params);
    return serverQuery.call("audit.parked", params, _ -> true, ParkedCommand::lines);
  }

  private static List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("parked").isEmpty()) {
      lines.add("nothing is parked");
    } else {
      lines.addAll(TextCells.table(COLUMNS, result.path("parked")));
    }
    lines.addAll(ServerQuery.notes(result));
    return lines;
  }

  private static int act(ServerQuery serverQuery, String method, ObjectNode params)
      throws InterruptedException {
    return serverQuery.call(
        method,
        params,
        result -> List.of("done", "discarded").contains(result.path("outcome").asText()),
        result -> List.of(outcome(result)));
  }

  private static String outcome(JsonNode result) {
    String event =
        "event %s of %s"
            .formatted(
                TextCells.of(result.path("position")), TextCells.of(result.path("projection")));
    String error = TextCells.of(result.path("error"));
    return switch (result.path("outcome").asText()) {
      case "done" -> event + " is in the view now";
      case "discarded" -> event + " was discarded";
      case "failed" -> event + " failed again: " + error;
      case "waits" -> event + " waits" + (error.isEmpty() ? " for an earlier one" : ": " + error);
      case "none" -> event + " is not parked";
      default -> TextCells.of(result);
    };
  }
}
