/** The words events are made of: who called, what the gates said, what was told. */
@NullMarked
package gatebook.events.call;

import org.jspecify.annotations.NullMarked;
