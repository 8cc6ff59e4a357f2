package gatebook.api.operator.whatif;

import gatebook.command.rules.Rules;
import java.time.Instant;
import java.util.Optional;

/**
 * What a what-if is asked for.
 *
 * @param candidate the rules to decide by
 * @param since calls from this time on; all by default
 * @param until calls before this time; all by default
 * @param sample how many calls are decided; all by default
 */
public record WhatIfRequest(
    Rules candidate, Optional<Instant> since, Optional<Instant> until, Optional<Integer> sample) {}
