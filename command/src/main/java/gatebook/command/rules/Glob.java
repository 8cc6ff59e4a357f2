package gatebook.command.rules;

/**
 * A pattern over whole names, case-sensitive: {@code *} is any text, {@code ?} one character,
 * {@code [abc]}, {@code [a-z]} and {@code [!abc]} one of a set.
 */
public record Glob(String pattern) {}
