package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.DataDirectory;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient.Answer;
import gatebook.api.operator.methods.DroppedPart;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** Calls a method of a server and prints its answer as text or as JSON. */
public final class ServerQuery {

  private static final JsonMapper JSON = new JsonMapper();

  private final CommandSpec spec;
  private final ServerOptions server;
  private final JsonOption jsonOption;

  public ServerQuery(CommandSpec spec, ServerOptions server, JsonOption jsonOption) {
    this.spec = spec;
    this.server = server;
    this.jsonOption = jsonOption;
  }

  public static ObjectNode params() {
    return JSON.createObjectNode();
  }

  /**
   * Calls a method, prints its result and returns the exit code.
   *
   * @param isSuccess whether a result counts as success
   * @param lines formats a result as text
   */
  public int call(
      String method,
      ObjectNode params,
      Predicate<JsonNode> isSuccess,
      Function<JsonNode, List<String>> lines)
      throws InterruptedException {
    return switch (call(method, params)) {
      case Answer.Failed(var sentence) -> failed(sentence);
      case Answer.Result(var result) -> {
        show(result, lines);
        yield isSuccess.test(result) ? ExitCode.OK : ExitCode.SOFTWARE;
      }
    };
  }

  /** A part of a command, which returns the exit code. */
  @FunctionalInterface
  public interface Part<T> {
    int run(T where) throws InterruptedException;
  }

  /** Works at the server that holds the journal, or in the data directory when none does. */
  public int atServerOrDirectly(Part<ServerQuery> atServer, Part<DataDirectory> directly)
      throws InterruptedException {
    return switch (server.openDirectory()) {
      case ServerOptions.DirectoryAccess.Refused(var sentence) -> failed(sentence);
      case ServerOptions.DirectoryAccess.Held _ -> atServer.run(this);
      case ServerOptions.DirectoryAccess.Opened(var directory) -> {
        try (directory) {
          yield directly.run(directory);
        }
      }
    };
  }

  /** The unprinted answer, for commands that call several methods. */
  public Answer call(String method, ObjectNode params) throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.ClientLookup.Unavailable(var sentence, _) -> new Answer.Failed(sentence);
      case ServerOptions.ClientLookup.Client(var client) -> client.call(method, params);
    };
  }

  /**
   * Follows the event tail.
   *
   * @param after the last position received, if there was one
   * @param wantsMore takes a line and returns whether it wants another
   */
  public FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException {
    return switch (server.client()) {
      case ServerOptions.ClientLookup.Unavailable(var sentence, boolean mayRetry) ->
          new FollowResult.Refused(sentence, mayRetry);
      case ServerOptions.ClientLookup.Client(var client) -> client.follow(query, after, wantsMore);
    };
  }

  /** Prints the document, or its text. */
  public void show(JsonNode document, Function<JsonNode, List<String>> lines) {
    jsonOption.show(spec.commandLine(), document, lines);
    JsonNode through = document.path(DroppedPart.MEMBER);
    if (!jsonOption.isGiven() && through.isTextual()) {
      spec.commandLine().getOut().println(DroppedPart.sentence(TextCells.of(through)));
    }
  }

  /** Prints why there is no result and returns the exit code. */
  public int failed(String sentence) {
    return jsonOption.failed(spec.commandLine(), sentence);
  }

  /** The notes below a table of a view's rows. */
  public static List<String> notes(JsonNode result) {
    List<String> notes = new ArrayList<>();
    if (result.path("more").asBoolean()) {
      notes.add("and more: raise --limit, or shorten the period");
    }
    if (!result.path("upToDate").asBoolean(true)) {
      notes.add(
          "not up to date: the view has reached position %s, try again"
              .formatted(TextCells.of(result.path("position"))));
    }
    return notes;
  }
}
