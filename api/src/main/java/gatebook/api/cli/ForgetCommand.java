package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code gatebook forget}: erases content, or finds the calls that have it. */
@Command(
    name = "forget",
    description = {
      "Erases what was said in the calls of a principal: destroys the content keys of its days.",
      "What was done and decided stays. Held calls of the principal and these days end.",
      "With --containing, finds the calls whose content has a text, and erases nothing."
    },
    footer = {
      "",
      "Exit code: 0 done or counted, 1 refused, not completed, or events were not reached, 2"
          + " usage.",
      "Example: gatebook forget --principal alice --since 2026-01-01 --reason \"asked by alice\""
    })
public final class ForgetCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Option(
      names = "--principal",
      paramLabel = "P",
      description = "The principal whose content is erased.")
  private @Nullable String principal;

  @Option(
      names = "--containing",
      paramLabel = "TEXT",
      description = "Finds calls whose content has this text; needs --dry-run.")
  private @Nullable String containing;

  @Option(
      names = "--since",
      paramLabel = "DAY",
      description = "The first day, in UTC, as in 2026-01-31 (default: all days).")
  private @Nullable LocalDate since;

  @Option(
      names = "--until",
      paramLabel = "DAY",
      description = "The last day, in UTC (default: today).")
  private @Nullable LocalDate until;

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, which is recorded.")
  private @Nullable String reason;

  @Option(names = "--dry-run", description = "Counts what would be erased, and erases nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    if ((principal == null) == (containing == null)) {
      throw usage("give either --principal or --containing");
    }
    if (containing != null && !dryRun) {
      throw usage("--containing finds calls and erases nothing: add --dry-run");
    }
    if (principal != null && reason == null && !dryRun) {
      throw usage("missing required option: --reason");
    }
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return containing == null ? forget(serverQuery) : find(serverQuery, containing);
  }

  private ParameterException usage(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private ObjectNode days() {
    ObjectNode params = ServerQuery.params();
    if (since != null) {
      params.put("since", since.toString());
    }
    if (until != null) {
      params.put("until", until.toString());
    }
    return params;
  }

  private int forget(ServerQuery serverQuery) throws InterruptedException {
    ObjectNode params = days();
    params.put("principal", principal);
    params.put("reason", reason == null ? "dry run" : reason);
    params.put("dryRun", dryRun);
    return serverQuery.call("content.forget", params, ForgetCommand::isDone, ForgetCommand::lines);
  }

  private static boolean isDone(JsonNode result) {
    boolean refused =
        switch (result.path("outcome").asText()) {
          case "refused", "unfinished" -> true;
          default -> !result.path("holds").isEmpty();
        };
    return !refused && result.path("notReached").asLong() == 0;
  }

  private static List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    lines.add(line(result));
    long notReached = result.path("notReached").asLong();
    if (notReached > 0) {
      lines.add(
          "%d events from before content was sealed are not reached: they leave by retention of"
                  .formatted(notReached)
              + " events");
    }
    result
        .path("mayStillHoldKeys")
        .forEach(place -> lines.add("may still hold the keys: " + TextCells.of(place)));
    return lines;
  }

  private static String line(JsonNode result) {
    String name = TextCells.of(result.path("principal"));
    return switch (result.path("outcome").asText()) {
      case "erased" ->
          "erased: %d keys of %s, up to %s; %d held calls ended (erasure %s)"
              .formatted(
                  result.path("keys").asLong(),
                  name,
                  TextCells.of(result.path("until")),
                  result.path("heldCalls").asLong(),
                  TextCells.of(result.path("erasureId")));
      case "nothing-to-erase" -> "nothing to erase: there are no keys of " + name;
      case "refused" -> "refused by legal holds: " + names(result.path("holds"));
      case "counted" ->
          "%d keys of %d days, %d%s calls would be erased%s"
              .formatted(
                  result.path("keys").asLong(),
                  result.path("days").asLong(),
                  result.path("calls").asLong(),
                  result.path("more").asBoolean() ? " or more" : "",
                  result.path("holds").isEmpty()
                      ? ""
                      : "; forbidden by legal holds: " + names(result.path("holds")));
      case "unfinished" -> "begun and not completed: " + TextCells.of(result.path("reason"));
      default -> result.toString();
    };
  }

  private static String names(JsonNode holds) {
    List<String> names = new ArrayList<>();
    holds.forEach(hold -> names.add(TextCells.of(hold)));
    return String.join(", ", names);
  }

  /** Asks until the whole journal is searched. */
  private int find(ServerQuery serverQuery, String text) throws InterruptedException {
    Map<String, ObjectNode> calls = new LinkedHashMap<>();
    long searched = 0;
    long unopened = 0;
    long after = 0;
    while (true) {
      ObjectNode params = days();
      params.put("containing", text);
      params.put("after", after);
      switch (serverQuery.call("content.find", params)) {
        case Answer.Failed(var sentence) -> {
          return serverQuery.failed(sentence);
        }
        case Answer.Result(var result) -> {
          result.path("calls").forEach(call -> add(calls, call));
          searched += result.path("searched").asLong();
          unopened += result.path("unopened").asLong();
          if (!result.has("next")) {
            ObjectNode all = ServerQuery.params();
            calls.values().forEach(all.putArray("calls")::add);
            all.put("searched", searched);
            all.put("unopened", unopened);
            serverQuery.show(all, ForgetCommand::found);
            return ExitCode.OK;
          }
          after = result.path("next").asLong();
        }
      }
    }
  }

  /** The events of one call may come in several answers. */
  private static void add(Map<String, ObjectNode> calls, JsonNode found) {
    String key = found.path("callId").asText(found.path("position").asText());
    ObjectNode known = calls.putIfAbsent(key, (ObjectNode) found);
    if (known != null && known.path("events") instanceof ArrayNode names) {
      found
          .path("events")
          .forEach(name -> {
            if (names.valueStream().noneMatch(name::equals)) {
              names.add(name);
            }
          });
    }
  }

  private static List<String> found(JsonNode result) {
    List<String> lines = new ArrayList<>();
    if (result.path("calls").isEmpty()) {
      lines.add("no content has this text");
    } else {
      lines.addAll(
          TextCells.table(
              List.of("at", "callId", "correlationId", "principal", "events"),
              result.path("calls")));
    }
    if (result.path("unopened").asLong() > 0) {
      lines.add(
          "the content of %d events could not be opened: see gatebook verify"
              .formatted(result.path("unopened").asLong()));
    }
    return lines;
  }
}
