package gatebook.api.operator.methods;

import org.jspecify.annotations.Nullable;

/**
 * A source of the rules in force, with what this process measured of its calls since the source was
 * defined as it is now. A figure is null where it is not measured.
 *
 * @param kind the word of the rules file
 * @param calls the attempts to call it
 * @param errors the attempts without a result, except those that callers cancelled
 * @param failing whether the newest attempt got no answer from the source
 */
public record SourceStatus(
    String id,
    String kind,
    boolean enabled,
    @Nullable Long calls,
    @Nullable Long errors,
    @Nullable Boolean failing,
    @Nullable Double p50Millis,
    @Nullable Double p99Millis) {}
