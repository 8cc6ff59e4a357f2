package gatebook.api.upstream;

import gatebook.command.gate.Source;
import gatebook.events.fault.Fault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A side behind us that answers calls; what it answers are values, its failures too. */
public interface BuiltIn {

  /** What decisions know of it. */
  Source source();

  /** The tools it has, shown or not. */
  List<Tool> tools();

  /**
   * Calls a method.
   *
   * @param params the text of an object or array, as the caller sent it
   */
  CompletableFuture<Response> call(String method, @Nullable String params);

  /**
   * A tool, and all that is said of it as the text of a JSON object.
   *
   * @param description includes the name
   */
  record Tool(String name, String description) {}

  /** How a call of an upstream ended. */
  sealed interface Response {

    /**
     * A result, which goes to the caller as it is.
     *
     * @param toolError whether it says of itself that the tool failed
     */
    record Result(String json, boolean toolError) implements Response {}

    record Failure(Fault fault) implements Response {}
  }
}
