package gatebook.api.mcp;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.Source;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Lists without a source that could not be asked: they say so, and the log names the source. */
final class PartialLists {

  private static final Logger LOG = LoggerFactory.getLogger(PartialLists.class);
  private static final int METHOD_NOT_FOUND = -32_601;

  /** The last member of a partial list. */
  private static final String META = ",\"_meta\":{\"gatebook/partial\":true}";

  private PartialLists() {}

  /** Whether a source could not be asked; one that has no such list could. */
  static boolean isMissing(Ended list) {
    return switch (list) {
      case Ended.Result _, Ended.Accepted _ -> false;
      case Ended.ForeignError error -> isOther(error.code());
      case Ended.Failure(MethodNotFound _) -> false;
      case Ended.Failure(UpstreamError error) -> isOther(error.code());
      case Ended.Failure _ -> true;
    };
  }

  private static boolean isOther(@Nullable Integer code) {
    return code == null || code != METHOD_NOT_FOUND;
  }

  /** The member that says so; empty when nothing is missing. */
  static String meta(boolean isPartial) {
    return isPartial ? META : "";
  }

  /** What the source itself says of it stays out of the log: nothing of it was scrubbed. */
  static void log(Source source, String method, Ended list, @Nullable UUID callId) {
    LoggingEventBuilder line =
        LOG.atWarn().addKeyValue("source", source.id()).addKeyValue("method", method);
    if (callId != null) {
      line = line.addKeyValue("call_id", callId);
    }
    switch (list) {
      case Ended.Failure(var fault) -> line = line.addKeyValue("fault", fault.kind());
      case Ended.ForeignError error -> line = line.addKeyValue("upstream_code", error.code());
      case Ended.Result _, Ended.Accepted _ -> {}
    }
    line.log("a source could not be asked for its list");
  }
}
