package gatebook.command.rules;

import java.util.Optional;

/**
 * A pattern over whole names, case-sensitive: {@code *} is any text, also one with slashes or with
 * a dot in front; {@code **} is any number of whole parts between slashes; {@code ?} is one
 * character; {@code [abc]}, {@code [a-z]} and {@code [!abc]} are one of a set, in which a {@code ]}
 * that comes first stands for itself. There are no braces, and nothing is escaped but by a set.
 *
 * <p>Matching never goes back further than to the last {@code *}: the time it takes is bounded by
 * the length of the name times that of the pattern.
 */
public final class Glob {

  private final String pattern;
  private final GlobToken[] tokens;

  /** A pattern without a flaw. */
  public Glob(String pattern) {
    this.tokens =
        switch (GlobParser.parse(pattern)) {
          case GlobParser.Parsed.Tokens(var parsed) -> parsed.toArray(GlobToken[]::new);
          case GlobParser.Parsed.Flawed(var flaw) -> throw new IllegalArgumentException(flaw);
        };
    this.pattern = pattern;
  }

  /** What keeps a text from being a pattern; empty when nothing does. */
  public static Optional<String> flaw(String pattern) {
    return switch (GlobParser.parse(pattern)) {
      case GlobParser.Parsed.Tokens _ -> Optional.empty();
      case GlobParser.Parsed.Flawed(var flaw) -> Optional.of(flaw);
    };
  }

  public String pattern() {
    return pattern;
  }

  /**
   * Takes the shortest text for each {@code *} and lengthens only that of the last one: what comes
   * before it matched as early as possible, so a later match of it could not help.
   */
  public boolean matches(String name) {
    int[] text = name.codePoints().toArray();
    int token = 0;
    int at = 0;
    int star = -1;
    int resume = 0;
    while (true) {
      if (token < tokens.length && tokens[token].isStar()) {
        star = token++;
        resume = at;
      } else if (at == text.length) {
        return token == tokens.length;
      } else if (token < tokens.length && tokens[token].takes(text[at])) {
        token++;
        at++;
      } else if (star < 0) {
        return false;
      } else if (star == tokens.length - 1) {
        return true;
      } else {
        resume = tokens[star].longer(text, resume);
        at = resume;
        token = star + 1;
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.pattern.equals(pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  @Override
  public String toString() {
    return pattern;
  }
}
