/** What-if: recorded calls of some time are decided again by a candidate for the rules. */
@NullMarked
package gatebook.api.operator.whatif;

import org.jspecify.annotations.NullMarked;
