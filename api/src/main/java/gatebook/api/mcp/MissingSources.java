package gatebook.api.mcp;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.Source;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The missing sources of one merged answer, which could not be asked for their part. The answer is
 * marked as partial, and the log and the journal name the sources.
 */
final class MissingSources {

  private static final Logger LOG = LoggerFactory.getLogger(MissingSources.class);
  private static final int METHOD_NOT_FOUND = -32_601;

  private static final List<String> PARTIAL = List.of("_meta", "gatebook/partial");

  private final String method;
  private final @Nullable UUID callId;
  private final List<String> ids = new ArrayList<>();

  MissingSources(String method, @Nullable UUID callId) {
    this.method = method;
    this.callId = callId;
  }

  /** Adds a source if it failed; one without the method is not missing. */
  void add(Source source, Ended answer) {
    if (isFailure(answer)) {
      ids.add(source.id());
      log(source, answer);
    }
  }

  private static boolean isFailure(Ended answer) {
    return switch (answer) {
      case Ended.Result _, Ended.Streamed _, Ended.Accepted _ -> false;
      case Ended.ForeignError error -> isFailureCode(error.code());
      case Ended.Failure(MethodNotFound _) -> false;
      case Ended.Failure(UpstreamError error) -> isFailureCode(error.code());
      case Ended.Failure _, Ended.RepeatedError _ -> true;
    };
  }

  private static boolean isFailureCode(@Nullable Integer code) {
    return code == null || code != METHOD_NOT_FOUND;
  }

  /** The answer of the other sources, marked when it is partial. */
  Ended answer(String json) {
    String marked = ids.isEmpty() ? json : MemberSplice.with(json, PARTIAL, "true");
    return new Ended.Result(marked, false, ids);
  }

  /** Logs the failure without text from the source, which is not scrubbed. */
  private void log(Source source, Ended answer) {
    LoggingEventBuilder line =
        LOG.atWarn().addKeyValue("source", source.id()).addKeyValue("method", method);
    if (callId != null) {
      line = line.addKeyValue("call_id", callId);
    }
    switch (answer) {
      case Ended.Failure(var fault) -> line = line.addKeyValue("fault", fault.kind());
      case Ended.RepeatedError(var fault, _) -> line = line.addKeyValue("fault", fault.kind());
      case Ended.ForeignError error -> line = line.addKeyValue("upstream_code", error.code());
      case Ended.Result _, Ended.Streamed _, Ended.Accepted _ -> {}
    }
    line.log("a source could not be asked for its part of an answer");
  }
}
