/**
 * Quotas of this node: slots of held calls, concurrent calls, rates and daily budgets, taken
 * together before a call is recorded as forwarded or held.
 */
@NullMarked
package gatebook.api.gateway.quota;

import org.jspecify.annotations.NullMarked;
