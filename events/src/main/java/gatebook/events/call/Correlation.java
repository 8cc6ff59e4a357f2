package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * The correlation of calls that belong together: the id by which all of them are found, and the
 * trace that their caller began.
 *
 * @param traceparent of W3C's Trace Context; absent when there is no trace
 * @param tracestate of W3C's Trace Context; absent when there is none
 */
public record Correlation(
    String correlationId, @Nullable String traceparent, @Erasable @Nullable String tracestate) {}
