/**
 * What the views cost: made anew beside a bare scan of the same rows, asked at several sizes, and
 * how late they are; no test runs it. Start with {@link gatebook.query.bench.Bench}.
 */
@NullMarked
package gatebook.query.bench;

import org.jspecify.annotations.NullMarked;
