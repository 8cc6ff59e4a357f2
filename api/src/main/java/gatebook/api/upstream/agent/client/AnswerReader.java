package gatebook.api.upstream.agent.client;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcResponse;
import gatebook.api.rpc.RpcResponse.RpcError;
import gatebook.api.upstream.agent.client.AgentFailure.AnswerDropped;
import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.api.upstream.http.ExchangeResult.Broken;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import gatebook.api.upstream.http.ExchangeResult.TimedOut;
import gatebook.api.upstream.http.ResponseHeaders;
import gatebook.events.call.TextPrefix;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what came back on one attempt. */
final class AnswerReader {

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int TASK_NOT_FOUND = -32001;

  /** The code for all errors of agents that know no codes of A2A. */
  private static final int ANY_ERROR = -32000;

  private static final String NO_ID = "null";

  private final ResponseReader responses;
  private final AgentCardReader cards;
  private final AgentLimits limits;
  private final InstantSource clock;

  AnswerReader(AgentLimits limits, InstantSource clock) {
    this.responses = new ResponseReader(limits.depthMax());
    this.cards = new AgentCardReader(limits.depthMax());
    this.limits = limits;
    this.clock = clock;
  }

  /** Reads the result of an exchange that brought no response. */
  static <T> AttemptResult<T> noResponse(ExchangeResult exchangeResult) {
    return switch (exchangeResult) {
      case NotConnected(var reason) -> AttemptResult.unsent(new ConnectionRefused(reason));
      // a stream beyond the limit ends like this too, after its request was written
      case Overloaded() ->
          AttemptResult.failed(new ConnectionRefused("all connections to the agent are in use"));
      case TimedOut(long millisMax) -> AttemptResult.failed(new Timeout(millisMax));
      case Broken(Defect defect) when defect == Defect.CLOSED_BEFORE_ANSWER ->
          AttemptResult.closed(new InvalidResponse(defect.words()));
      case Broken(Defect defect) when defect == Defect.NO_MEMORY ->
          AttemptResult.failed(new AnswerDropped());
      case Broken(Defect defect) -> AttemptResult.failed(new InvalidResponse(defect.words()));
      case Answered _ -> throw new IllegalArgumentException("there is a response");
    };
  }

  /** Reads a response to a JSON-RPC request; {@code result} reads the result in it. */
  <T> AttemptResult<T> response(
      Answered answered,
      AgentRequest request,
      String id,
      Function<String, AgentOutcome<T>> result) {
    int status = answered.status();
    if (answered.body().length > limits.responseBytesMax()) {
      return AttemptResult.of(AgentOutcome.invalid(Defect.BODY_TOO_LARGE.words()));
    }
    return switch (rpcResponse(answered.body(), id)) {
      case RpcResponse _ when AttemptResult.TRANSIENT_STATUSES.contains(status) ->
          refused(answered, null);
      // an error with our id says more than the status
      case RpcError error -> AttemptResult.failed(failure(error, request, status));
      case RpcResponse _ when status != OK -> refused(answered, request.taskId());
      case RpcResponse _ when !ResponseHeaders.isJson(answered.headers()) ->
          AttemptResult.of(AgentOutcome.invalid("the answer's media type is not JSON"));
      case RpcResponse rpcResponse -> AttemptResult.of(result(rpcResponse, request, result));
    };
  }

  /** Reads one event of a stream, within its own limit. */
  AgentOutcome<AgentItem> item(byte[] data, AgentRequest request, String id) {
    return data.length > limits.itemBytesMax()
        ? AgentOutcome.invalid("an item of the stream is too large")
        : result(
            rpcResponse(data, id),
            request,
            json -> AgentItemReader.streamed(request.version(), json));
  }

  AttemptResult<AgentCard> card(ExchangeResult exchangeResult) {
    return switch (exchangeResult) {
      case Answered answered when answered.status() != OK -> refused(answered, null);
      case Answered answered when answered.body().length > limits.cardBytesMax() -> cardTooLarge();
      case Answered answered -> AttemptResult.of(cards.read(answered.body()));
      case Broken(Defect defect) when defect == Defect.BODY_TOO_LARGE -> cardTooLarge();
      case ExchangeResult other -> noResponse(other);
    };
  }

  private AttemptResult<AgentCard> cardTooLarge() {
    return AttemptResult.of(
        AgentOutcome.invalid(
            "the card has more than the %d bytes of agent_card_bytes_max"
                .formatted(limits.cardBytesMax())));
  }

  private <T> AgentOutcome<T> result(
      RpcResponse rpcResponse, AgentRequest request, Function<String, AgentOutcome<T>> result) {
    return switch (rpcResponse) {
      case RpcResponse.Result(var json, _) -> result.apply(json);
      case RpcError error -> AgentOutcome.failed(failure(error, request, OK));
      case RpcResponse.Other(var what, _) ->
          AgentOutcome.invalid("the answer is not JSON-RPC: " + what);
      case RpcResponse.Unreadable(var defect) ->
          AgentOutcome.invalid("the answer is not JSON-RPC: " + defect);
    };
  }

  /** The response to a request; also an error without an id, since nothing else was asked. */
  private RpcResponse rpcResponse(byte[] body, String id) {
    RpcResponse response = responses.read(body, id);
    return response instanceof RpcResponse.Other(_, boolean isCall)
            && !isCall
            && responses.read(body, NO_ID) instanceof RpcError error
        ? error
        : response;
  }

  private AgentFailure failure(RpcError error, AgentRequest request, int status) {
    if (error.code() == null) {
      return new InvalidResponse("the error has no code");
    }
    int code = error.code();
    String message = error.message() == null ? "" : error.message();
    boolean isTaskUnknown =
        code == ANY_ERROR
            && request.taskId() != null
            && (status == NOT_FOUND || message.toLowerCase(Locale.ROOT).contains("not found"));
    return code == TASK_NOT_FOUND || isTaskUnknown
        ? new TaskNotFound(request.taskId())
        : new ServerError(code, TextPrefix.of(message, limits.messageCharsMax()));
  }

  private <T> AttemptResult<T> refused(Answered answered, @Nullable String taskId) {
    return AttemptResult.failed(
        answered.status() == NOT_FOUND && taskId != null
            ? new TaskNotFound(taskId)
            : new HttpError(
                answered.status(), ResponseHeaders.retryAfterSeconds(answered.headers(), clock)));
  }
}
