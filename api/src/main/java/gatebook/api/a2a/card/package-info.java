/** Cards of agents: of the built-in one and of those upstream, with the skills that callers see. */
@NullMarked
package gatebook.api.a2a.card;

import org.jspecify.annotations.NullMarked;
