package gatebook.api.upstream.source;

import java.time.Duration;
import java.util.Optional;

/**
 * The figures of the attempts to call a source, since the source was defined as it is now.
 *
 * @param failed those without a result, except those that callers cancelled
 * @param failing whether the newest attempt got no answer from the source
 * @param p50 the duration that half of the attempts did not exceed; empty when there were none
 * @param p99 the duration that 99 of 100 attempts did not exceed; empty when there were none
 */
public record AttemptFigures(
    long attempts, long failed, boolean failing, Optional<Duration> p50, Optional<Duration> p99) {}
