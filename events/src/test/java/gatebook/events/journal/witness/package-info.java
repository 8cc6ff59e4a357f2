/** Tests of the witness, and a log that is written from the specification for them. */
@NullMarked
package gatebook.events.journal.witness;

import org.jspecify.annotations.NullMarked;
