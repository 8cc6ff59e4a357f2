/**
 * Commands and the pure functions that decide them.
 *
 * <p>{@code call} has the commands about calls and their deciders. They use {@code gate}, {@code
 * policy} and {@code inspect} to reach a verdict, {@code rules} for what is configured, {@code
 * redact} and {@code keep} for what is recorded. {@code redecide} decides recorded calls again.
 */
@NullMarked
package gatebook.command;

import org.jspecify.annotations.NullMarked;
