package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** One question to a server, and its answer on the terminal or as JSON. */
public final class ServerQuery {

  private static final JsonMapper JSON = new JsonMapper();

  private final CommandSpec spec;
  private final ServerOptions server;
  private final boolean json;

  public ServerQuery(CommandSpec spec, ServerOptions server, boolean json) {
    this.spec = spec;
    this.server = server;
    this.json = json;
  }

  public static ObjectNode params() {
    return JSON.createObjectNode();
  }

  /**
   * The exit code.
   *
   * @param good whether a result is what was asked for
   * @param lines a result for people
   */
  public int ask(
      String method,
      ObjectNode params,
      Predicate<JsonNode> good,
      Function<JsonNode, List<String>> lines)
      throws InterruptedException {
    return switch (ask(method, params)) {
      case Answer.Failed(var sentence) -> failed(sentence);
      case Answer.Result(var result) -> {
        show(result, lines);
        yield good.test(result) ? ExitCode.OK : ExitCode.SOFTWARE;
      }
    };
  }

  /** The bare answer, for who asks more than once. */
  public Answer ask(String method, ObjectNode params) throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.Found.Nobody(var sentence, _) -> new Answer.Failed(sentence);
      case ServerOptions.Found.Client(var client) -> client.ask(method, params);
    };
  }

  /**
   * Follows the journal.
   *
   * @param after the last position seen by then, if there was one
   * @param wantsMore takes a line and says whether it wants another
   */
  public FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.Found.Nobody(var sentence, boolean forNow) ->
          new FollowResult.Refused(sentence, forNow);
      case ServerOptions.Found.Client(var client) -> client.follow(query, after, wantsMore);
    };
  }

  /** Prints the document, or the lines made of it. */
  public void show(JsonNode document, Function<JsonNode, List<String>> lines) {
    (json ? List.of(document.toPrettyString()) : lines.apply(document))
        .forEach(spec.commandLine().getOut()::println);
  }

  /** Says why there is no result; the exit code. */
  public int failed(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }

  /** What is to be said below a table made of a view. */
  public static List<String> notes(JsonNode result) {
    List<String> notes = new ArrayList<>();
    if (result.path("more").asBoolean()) {
      notes.add("and more: raise --limit, or ask for less time");
    }
    if (!result.path("upToDate").asBoolean(true)) {
      notes.add(
          "not up to date: the view has come to position %s, ask again"
              .formatted(TextCells.of(result.path("position"))));
    }
    return notes;
  }
}
