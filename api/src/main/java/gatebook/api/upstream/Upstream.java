package gatebook.api.upstream;

import gatebook.api.upstream.mcp.ForwardedHeaders;
import gatebook.command.call.ForwardRecord;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
  CompletableFuture<Response> call(Call call, Aside aside);

  /**
   * Begins a conversation with one client, if the source has such: in it the client can be asked
   * too, and told what belongs to no call.
   */
  default CompletableFuture<Opening> open(Introduction introduction) {
    return CompletableFuture.completedFuture(new Opening.None());
  }

  /** How a call ended of which there is only one attempt. */
  static Ended ended(Source source, Response response) {
    return switch (response) {
      case Ended ended -> ended;
      case Response.NotConnected(var reason) ->
          new Ended.Failure(
              new UpstreamConnectionFailed(source.id(), ForwardRecord.endpoint(source), reason, 1));
      case Response.Again _ ->
          new Ended.Failure(
              new UpstreamError(
                  source.id(), null, "it wants to be asked this once more", null, null));
    };
  }

  /** Asks for the tools it has, shown or not. */
  CompletableFuture<Listing> tools();

  /**
   * Takes the messages of a source that belong to a call and are not its answer: the whole text of
   * each, a call with or without id. Completed when there is room for more, with whether anybody
   * takes it.
   */
  @FunctionalInterface
  interface Aside {
    /** Of one who wants to hear none. */
    Aside NOBODY = _ -> CompletableFuture.completedFuture(false);

    CompletableFuture<Boolean> said(byte[] message);

    /** The source names the place in what it says, so that it can be come back to. */
    default void placed() {}

    /** The source is silent for a while, and is come back to. */
    default void paused(long retryMillis) {}
  }

  /**
   * How a client introduced itself.
   *
   * @param params of its {@code initialize}, as it sent them
   * @param headers what it sent that goes on
   */
  record Introduction(String params, Map<String, String> headers) {
    public Introduction {
      headers = Map.copyOf(headers);
    }
  }

  /** What beginning a conversation ended in. */
  sealed interface Opening {
    record Opened(Session leg) implements Opening {}

    /** The source answers calls, and has no conversations. */
    record None() implements Opening {}

    record Failed(Response response) implements Opening {}
  }

  /** One that the rules define. */
  interface Defined extends Upstream {
    Source definition();

    @Override
    default String source() {
      return definition().id();
    }

    @Override
    default String endpoint() {
      return ForwardRecord.endpoint(definition());
    }

    @Override
    default long timeoutMillis() {
      return definition().answerMillis();
    }
  }

  /** One that speaks for another, and is called what that is called. */
  interface OnBehalf extends Upstream {
    Upstream outside();

    @Override
    default String source() {
      return outside().source();
    }

    @Override
    default String endpoint() {
      return outside().endpoint();
    }

    @Override
    default long timeoutMillis() {
      return outside().timeoutMillis();
    }
  }

  /**
   * A source in the conversation with one client. Ids of calls go to it as the client sent them.
   */
  interface Session extends Upstream, AutoCloseable {

    /** What the source said of itself: the result of its {@code initialize}, as it came. */
    String introduction();

    /** Gives away what belongs to no call, until the result is run. */
    Runnable listen(Aside aside);

    /** Hands over what the client answered to a question of the source's. */
    CompletableFuture<Response> reply(byte[] answer);

    /** Whether the source still knows it. */
    boolean isOpen();

    @Override
    void close();
  }

  /**
   * What is asked.
   *
   * @param id the token of the client's own; absent when no answer is wanted, or it is nobody's
   * @param method as callers call it
   * @param params the text of an object or array, as the caller sent it
   * @param notification whether no answer is wanted
   * @param headers what the caller sent that goes on; see {@link ForwardedHeaders}
   */
  record Call(
      @Nullable String id,
      String method,
      @Nullable String params,
      boolean notification,
      Map<String, String> headers) {
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
  sealed interface Response permits Response.NotConnected, Response.Again, Ended {

    /** For certain, not a byte of the request was written; it may be tried again. */
    record NotConnected(String reason) implements Response {}

    /** The source has done nothing yet: it wants the call once more, with what it had to know. */
    record Again(Call call) implements Response {}
  }

  /** How a call ended; nothing is tried again. */
  sealed interface Ended extends Response {

    /**
     * A result, which goes to the caller as it is.
     *
     * @param toolError whether it says of itself that the tool failed
     * @param missing the sources that an answer for several lacks, because they could not be asked
     */
    record Result(String json, boolean toolError, List<String> missing) implements Ended {
      public Result {
        missing = List.copyOf(missing);
      }

      /** A result that lacks nothing. */
      public Result(String json, boolean toolError) {
        this(json, toolError, List.of());
      }

      /** The same, in other words. */
      public Result with(String changed) {
        return new Result(changed, toolError, missing);
      }
    }

    /**
     * A JSON-RPC error of its own; nothing of it was scrubbed or cut.
     *
     * @param code absent when it is no whole number of 32 bits
     * @param message absent when there is none, or no text
     * @param data any value; absent only when there is no such member
     * @param httpStatus absent when it did not come over HTTP
     */
    record ForeignError(
        @Nullable Integer code,
        @Nullable String message,
        @Nullable JsonValue data,
        @Nullable Integer httpStatus)
        implements Ended {}

    /** The error with which another call ended before, told once more to who asks for it. */
    record ToldBefore(Fault fault, UUID callId) implements Ended {}

    /** A notification was taken. */
    record Accepted() implements Ended {}

    /** Anything else; the fault has no words of the upstream's. */
    record Failure(Fault fault) implements Ended {}
  }
}
