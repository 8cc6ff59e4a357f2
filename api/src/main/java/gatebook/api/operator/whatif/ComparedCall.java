package gatebook.api.operator.whatif;

import gatebook.api.operator.redecide.CandidateComparison.Comparison;
import gatebook.events.CallReceived;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call that was compared.
 *
 * @param at of its first event, RFC 3339 in UTC
 * @param received absent when this version cannot read it
 */
record ComparedCall(
    UUID callId, String at, @Nullable CallReceived received, Comparison comparison) {}
