/**
 * Commands that concern the whole gateway: rules that are activated or rejected, and outages of the
 * journal.
 */
@NullMarked
package gatebook.command.gateway;

import org.jspecify.annotations.NullMarked;
