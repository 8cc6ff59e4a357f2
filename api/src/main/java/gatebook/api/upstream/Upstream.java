package gatebook.api.upstream;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.ForwardedHeaders;
import gatebook.command.call.ForwardRecord;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.call.StreamSummary;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An upstream that answers calls. Its results are values, and so are its failures. */
public interface Upstream {

  /** The id of the source in the rules. */
  String source();

  /** The address of the upstream, without user, query and fragment. */
  String endpoint();

  /** How long one attempt may take, from its start to the last byte of the response. */
  long timeoutMillis();

  /**
   * Makes one attempt. Cancelling the future abandons it, closes its connection, and cancels the
   * request at a source whose protocol has a notification for that.
   *
   * <p>The future fails only because of an error in this process.
   */
  CompletableFuture<Response> call(Call call, MessageListener listener);

  /**
   * Makes an attempt, and further ones if the upstream itself retries calls. It runs {@code before}
   * before each of them.
   */
  default CompletableFuture<Response> call(
      Call call, MessageListener listener, Retries.BeforeAttempt before) {
    return call(call, listener);
  }

  /**
   * Opens a session for one client, if the upstream has sessions. In a session the upstream can
   * send requests to the client, and messages that belong to no call.
   */
  default CompletableFuture<Opening> open(InitializeRequest initializeRequest) {
    return CompletableFuture.completedFuture(new Opening.None());
  }

  /** The outcome of a call that gets only one attempt. */
  static Ended ended(Source source, Response response) {
    return switch (response) {
      case Ended ended -> ended;
      case Response.NotConnected(var reason) ->
          new Ended.Failure(
              new UpstreamConnectionFailed(source.id(), ForwardRecord.endpoint(source), reason, 1));
      case Response.Resend _ ->
          new Ended.Failure(
              new UpstreamError(
                  source.id(), null, "it requires the call to be sent again", null, null));
    };
  }

  /** Lists the tools of the upstream, whether the rules show them or not. */
  CompletableFuture<Listing> listTools();

  /**
   * Receives the messages of an upstream that belong to a call and are not its response. Each is
   * the whole text of a request, a notification or an item of a stream.
   */
  @FunctionalInterface
  interface MessageListener {
    /** Accepts no message. */
    MessageListener NONE = _ -> CompletableFuture.completedFuture(false);

    /** Completes when there is room for more, with whether the message was accepted. */
    CompletableFuture<Boolean> onMessage(byte[] message);

    /** The upstream's answer uses these extensions of its protocol; none when empty. */
    default void onExtensions(String extensions) {}

    /** The upstream sent an event id, so its stream can be resumed. */
    default void onEventId() {}

    /** The upstream closed its stream; the stream is resumed after this time. */
    default void onPause(long retryMillis) {}
  }

  /**
   * The initialize request of a client.
   *
   * @param params as the client sent them
   * @param headers that are forwarded
   */
  record InitializeRequest(String params, Map<String, String> headers) {
    public InitializeRequest {
      headers = Map.copyOf(headers);
    }
  }

  /** The outcome of opening a session. */
  sealed interface Opening {
    record Opened(Session session) implements Opening {}

    /** The upstream answers calls and has no sessions. */
    record None() implements Opening {}

    record Failed(Response response) implements Opening {}
  }

  /** An upstream for a source of the rules. */
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

  /** An upstream that stands in for another one and has its source id, endpoint and timeout. */
  interface Delegating extends Upstream {
    Upstream delegate();

    @Override
    default String source() {
      return delegate().source();
    }

    @Override
    default String endpoint() {
      return delegate().endpoint();
    }

    @Override
    default long timeoutMillis() {
      return delegate().timeoutMillis();
    }
  }

  /** An upstream in the session of one client. Ids of calls are sent as the client sent them. */
  interface Session extends Upstream, AutoCloseable {

    /** The result of the upstream's {@code initialize}, unchanged. */
    String initializeResult();

    /** Passes on messages that belong to no call, until the returned action is run. */
    Runnable listen(MessageListener listener);

    /** Sends the client's response to a request of the upstream. */
    CompletableFuture<Response> reply(byte[] response);

    /** Whether the upstream still knows the session. */
    boolean isOpen();

    @Override
    void close();
  }

  /**
   * A request or notification to an upstream.
   *
   * @param id the token of the client's own id; absent for a notification, and for a call that no
   *     client sent
   * @param method by the name that callers use
   * @param params the text of an object or array, as the caller sent it
   * @param notification whether no response is wanted
   * @param headers of the caller that are forwarded; see {@link ForwardedHeaders}
   * @param members those of the params
   */
  record Call(
      @Nullable String id,
      String method,
      @Nullable String params,
      boolean notification,
      Map<String, String> headers,
      ObjectMembers members) {
    public Call {
      headers = Map.copyOf(headers);
    }

    /** Reads the members of the params. */
    public Call(
        @Nullable String id,
        String method,
        @Nullable String params,
        boolean notification,
        Map<String, String> headers) {
      this(id, method, params, notification, headers, ObjectMembers.of(params));
    }
  }

  /**
   * A tool by its own name.
   *
   * @param description the text of its JSON object in the list of tools, the name included
   */
  record Tool(String name, String description) {}

  /** The outcome of listing tools. */
  sealed interface Listing {
    record Tools(List<Tool> tools) implements Listing {
      public Tools {
        tools = List.copyOf(tools);
      }
    }

    record Failed(Response response) implements Listing {}
  }

  /** The outcome of one attempt. */
  sealed interface Response permits Response.NotConnected, Response.Resend, Ended {

    /** Not a byte of the request was written, so it may be retried. */
    record NotConnected(String reason) implements Response {}

    /** The upstream has done nothing yet: this call, with the input it asked for, is to be sent. */
    record Resend(Call call) implements Response {}
  }

  /** A missing part of a merged result: its source could not be asked. */
  record MissingPart(Source source, Ended failure) {}

  /** The final outcome of a call, which is not retried. */
  sealed interface Ended extends Response {

    /**
     * A result, which goes to the caller unchanged.
     *
     * @param toolError whether the result says that the tool failed
     * @param missing the parts that a merged result lacks
     */
    record Result(String json, boolean toolError, List<MissingPart> missing) implements Ended {
      public Result {
        missing = List.copyOf(missing);
      }

      /** A complete result. */
      public Result(String json, boolean toolError) {
        this(json, toolError, List.of());
      }

      /** The same result with another text. */
      public Result withJson(String newJson) {
        return new Result(newJson, toolError, missing);
      }
    }

    /**
     * The regular end of a stream, whose items went to the listener.
     *
     * @param last the last item, which goes to the caller unchanged
     * @param lastSent whether it went to the listener, too: nothing showed that it was the last
     * @param toolError whether the stream says that the tool failed
     */
    record Streamed(String last, boolean lastSent, boolean toolError, StreamSummary stream)
        implements Ended {}

    /**
     * A JSON-RPC error response of the upstream, neither scrubbed nor shortened.
     *
     * @param source id of the source that sent it
     * @param code absent when it is not a 32-bit integer
     * @param message absent when it is missing or not a string
     * @param data any value; absent only when the member is missing
     * @param httpStatus absent when the response did not come over HTTP
     */
    record ForeignError(
        String source,
        @Nullable Integer code,
        @Nullable String message,
        @Nullable JsonValue data,
        @Nullable Integer httpStatus)
        implements Ended {}

    /** The error of an earlier call, sent again for another request about the same task. */
    record EarlierError(Fault fault, UUID callId) implements Ended {}

    /** A notification was accepted. */
    record Accepted() implements Ended {}

    /** Any other failure; the fault contains no text from the upstream. */
    record Failure(Fault fault) implements Ended {}
  }
}
