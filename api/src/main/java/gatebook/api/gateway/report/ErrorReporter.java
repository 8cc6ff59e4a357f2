package gatebook.api.gateway.report;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Severity;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports every error response: counts it and logs one line. Lines say what callers may not see;
 * neither lines nor labels hold arguments.
 */
public final class ErrorReporter {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorReporter.class);

  private final ErrorCounters counters;

  public ErrorReporter(MeterRegistry meters) {
    this.counters = new ErrorCounters(meters);
  }

  /** Counts a denial; its error is reported besides. */
  public void countDenial(Fault fault, DenialReason reason) {
    counters.countDenial(fault, reason);
  }

  public void report(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallLogContext context,
      Fault fault,
      ErrorResponse errorResponse) {
    counters.countError(fault, errorResponse);
    ErrorLogFields.of(callIds, rpcMessage, context, fault, errorResponse)
        .log(LOG, level(fault.severity()), fault.logMessage());
  }

  /** Logs the error of another call. It is not counted: it was when that call ended. */
  public void reportEarlier(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallLogContext context,
      Fault fault,
      ErrorResponse errorResponse,
      UUID callId) {
    LogFields fields = ErrorLogFields.of(callIds, rpcMessage, context, fault, errorResponse);
    fields.put("first_told_to", callId);
    fields.log(LOG, Level.INFO, fault.logMessage());
  }

  /** Counts and logs a source that could not be asked for its part of a result. */
  public void reportMissing(
      CallIds callIds, RpcMessage rpcMessage, CallLogContext context, String source, Fault fault) {
    counters.countMissing(source, fault);
    ErrorLogFields.ofMissing(callIds, rpcMessage, context, source, fault)
        .log(LOG, Level.WARN, "a source could not be asked for its part of an answer");
  }

  private static Level level(Severity severity) {
    return switch (severity) {
      case INFO -> Level.INFO;
      case WARN -> Level.WARN;
      case ERROR -> Level.ERROR;
    };
  }
}
