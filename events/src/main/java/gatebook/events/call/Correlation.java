package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * What calls that belong together have in common: a correlation id, and the trace that their caller
 * began.
 *
 * @param traceparent of W3C's Trace Context; absent when there is no trace
 * @param tracestate of W3C's Trace Context; absent when there is none
 */
public record Correlation(
    String correlationId, @Nullable String traceparent, @Nullable String tracestate) {}
