package gatebook.api.upstream;

import gatebook.events.call.Json;
import gatebook.events.fault.Fault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A side behind us that answers calls; what it answers are values, its failures too. */
public interface Upstream {

  /** The id of the source in the rules. */
  String source();

  /** Where it is, without user, query and fragment. */
  String endpoint();

  /** How long one attempt may take, from its beginning to the last byte of the answer. */
  long timeoutMillis();

  /**
   * Makes one attempt. Cancelling the future gives it up, with the connection it is on.
   *
   * <p>The future only fails when we do.
   */
  CompletableFuture<Response> call(Call call);

  /** Asks for the tools it has, shown or not. */
  CompletableFuture<Listing> tools();

  /**
   * What is asked.
   *
   * @param method as callers call it
   * @param params the text of an object or array, as the caller sent it
   * @param notification whether no answer is wanted
   * @param headers what the caller sent that goes on; see {@link Passed}
   */
  record Call(
      String method, @Nullable String params, boolean notification, Map<String, String> headers) {
    public Call {
      headers = Map.copyOf(headers);
    }
  }

  /**
   * A tool by its own name, and all that is said of it as the text of a JSON object.
   *
   * @param description includes the name
   */
  record Tool(String name, String description) {}

  /** What asking for tools ended in. */
  sealed interface Listing {
    record Tools(List<Tool> tools) implements Listing {
      public Tools {
        tools = List.copyOf(tools);
      }
    }

    record Failed(Response response) implements Listing {}
  }

  /** How an attempt ended. */
  sealed interface Response permits Response.NotConnected, Ended {

    /** For certain, not a byte of the request was written; it may be tried again. */
    record NotConnected(String reason) implements Response {}
  }

  /** How a call ended; nothing is tried again. */
  sealed interface Ended extends Response {

    /**
     * A result, which goes to the caller as it is.
     *
     * @param toolError whether it says of itself that the tool failed
     */
    record Result(String json, boolean toolError) implements Ended {}

    /**
     * A JSON-RPC error of its own; nothing of it was scrubbed or cut.
     *
     * @param code absent when it is no whole number of 32 bits
     * @param message absent when there is none, or no text
     * @param data any value; absent only when there is no such member
     */
    record ForeignError(
        @Nullable Integer code, @Nullable String message, @Nullable Json data, int httpStatus)
        implements Ended {}

    /** A notification was taken. */
    record Accepted() implements Ended {}

    /** Anything else; the fault has no words of the upstream's. */
    record Failure(Fault fault) implements Ended {}
  }
}
