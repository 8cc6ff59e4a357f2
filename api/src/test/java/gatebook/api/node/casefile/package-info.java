/** Tests of case files that nodes make. */
@NullMarked
package gatebook.api.node.casefile;

import org.jspecify.annotations.NullMarked;
