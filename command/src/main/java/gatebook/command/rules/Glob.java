package gatebook.command.rules;

import java.util.Optional;

/**
 * A glob pattern that matches whole names, case-sensitively: {@code *} is any text, also with
 * slashes or a leading dot; {@code **} is any number of whole parts between slashes; {@code ?} is
 * one character; {@code [abc]}, {@code [a-z]} and {@code [!abc]} are one character of a set, in
 * which a leading {@code ]} is literal. There are no braces, and only a set escapes.
 *
 * <p>Matching backtracks no further than to the last {@code *}, so its time is bounded by the
 * length of the name times that of the pattern.
 */
public final class Glob {

  private final String pattern;
  private final GlobToken[] tokens;

  /** Compiles a pattern without a flaw; one with a flaw is an illegal argument. */
  public Glob(String pattern) {
    this.tokens =
        switch (GlobParser.parse(pattern)) {
          case GlobParser.Parsed.Tokens(var parsed) -> parsed.toArray(GlobToken[]::new);
          case GlobParser.Parsed.Invalid(var flaw) -> throw new IllegalArgumentException(flaw);
        };
    this.pattern = pattern;
  }

  /** Why a text is no valid pattern; empty when it is one. */
  public static Optional<String> flaw(String pattern) {
    return switch (GlobParser.parse(pattern)) {
      case GlobParser.Parsed.Tokens _ -> Optional.empty();
      case GlobParser.Parsed.Invalid(var flaw) -> Optional.of(flaw);
    };
  }

  public String pattern() {
    return pattern;
  }

  /**
   * Takes the shortest text for each {@code *} and extends only that of the last one: the tokens
   * before it matched as early as possible, so a later match of them could not help.
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
      } else if (token < tokens.length && tokens[token].matches(text[at])) {
        token++;
        at++;
      } else if (star < 0) {
        return false;
      } else if (star == tokens.length - 1) {
        return true;
      } else {
        resume = tokens[star].nextEnd(text, resume);
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
