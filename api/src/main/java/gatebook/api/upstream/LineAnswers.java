package gatebook.api.upstream;

import gatebook.api.rpc.Received;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.process.Ending;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;

/** What the answers of programs mean. */
public final class LineAnswers {

  private final ResponseReader reader;

  public LineAnswers(int depthMax) {
    this.reader = new ResponseReader(depthMax);
  }

  /** What came of a notification. */
  public Response told(boolean isTaken) {
    return isTaken ? new Ended.Accepted() : failure(new ServiceUnavailable(Cause.UPSTREAM, null));
  }

  /** What came of a question. */
  public Response response(Upstream upstream, Ending ending) {
    return switch (ending) {
      case Ending.NotConnected(var reason) -> new Response.NotConnected(reason);
      case Ending.Overloaded() -> failure(new ServiceUnavailable(Cause.UPSTREAM, null));
      case Ending.TimedOut() ->
          failure(
              new UpstreamTimeout(
                  upstream.source(), upstream.endpoint(), upstream.timeoutMillis()));
      case Ending.Broken(var words) -> error(upstream, words);
      case Ending.Answered(var id, var line) -> answer(upstream, reader.read(line, id));
    };
  }

  private static Response answer(Upstream upstream, Received received) {
    return switch (received) {
      case Received.Result(var json, boolean isError) -> new Ended.Result(json, isError);
      case Received.RpcError(var code, var message, var data) ->
          new Ended.ForeignError(code, message, data, null);
      case Received.Other(var what, _) -> error(upstream, "the answer is not JSON-RPC: " + what);
      case Received.Unreadable(var defect) ->
          error(upstream, "the answer is not JSON-RPC: " + defect);
    };
  }

  private static Response error(Upstream upstream, String words) {
    return failure(new UpstreamError(upstream.source(), null, words, null, null));
  }

  private static Response failure(Fault fault) {
    return new Ended.Failure(fault);
  }
}
