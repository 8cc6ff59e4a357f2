package gatebook.api.border;

import gatebook.command.rules.Rules;
import gatebook.events.fault.ServerFault;
import org.jspecify.annotations.Nullable;

/**
 * What calls stand on at one moment.
 *
 * @param rules those in force, or none
 * @param obstacle why nothing that the rules govern can be served; absent when it can
 */
public record Ground(Rules rules, @Nullable ServerFault obstacle) {}
