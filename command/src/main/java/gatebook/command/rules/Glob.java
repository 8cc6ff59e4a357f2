package gatebook.command.rules;

import gatebook.command.rules.GlobToken.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A glob pattern that matches whole names: {@code *} is any text, also with slashes or a leading
 * dot; {@code **} is any number of whole parts between slashes; {@code ?} is one character; {@code
 * [abc]}, {@code [a-z]} and {@code [!abc]} are one character of a set, in which a leading {@code ]}
 * is literal. There are no braces, and only a set escapes.
 *
 * <p>Matching backtracks no further than to the last {@code *}, so its time is bounded by the
 * length of the name times that of the pattern.
 */
public final class Glob {

  private final String pattern;
  private final GlobToken[] tokens;

  /** The tokens that match normalised names, and whether they are the same as the others. */
  private final GlobToken[] normalisedTokens;

  private final boolean isNormalised;

  /** Compiles a pattern without a flaw; one with a flaw is an illegal argument. */
  public Glob(String pattern) {
    this.tokens =
        switch (GlobParser.parse(pattern)) {
          case GlobParser.Parsed.Tokens(var parsed) -> parsed.toArray(GlobToken[]::new);
          case GlobParser.Parsed.Invalid(var flaw) -> throw new IllegalArgumentException(flaw);
        };
    this.normalisedTokens = normalised(tokens);
    this.isNormalised = Arrays.equals(normalisedTokens, tokens);
    this.pattern = pattern;
  }

  /** The tokens with each run of literals in its normalised form; sets stay as they are. */
  private static GlobToken[] normalised(GlobToken[] tokens) {
    List<GlobToken> normalised = new ArrayList<>();
    StringBuilder run = new StringBuilder();
    for (GlobToken token : tokens) {
      if (token instanceof Literal(int codePoint)) {
        run.appendCodePoint(codePoint);
      } else {
        addLiterals(run, normalised);
        normalised.add(token);
      }
    }
    addLiterals(run, normalised);
    return normalised.toArray(GlobToken[]::new);
  }

  private static void addLiterals(StringBuilder run, List<GlobToken> to) {
    NormalisedName.literal(run.toString()).codePoints().mapToObj(Literal::new).forEach(to::add);
    run.setLength(0);
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

  /** Whether the pattern matches the name as it is. */
  public boolean matches(String name) {
    return matches(tokens, name);
  }

  /**
   * Whether the pattern matches the name as it is or normalised, so that another spelling does not
   * evade it: letters in another case, percent escapes, dot segments.
   *
   * @param normalised the normalised form of the name; the same object where nothing differs
   */
  public boolean matchesEither(String name, String normalised) {
    return matches(tokens, name)
        || ((!isNormalised || !name.equals(normalised)) && matches(normalisedTokens, normalised));
  }

  /** Whether the pattern matches any name that begins with this text. */
  public boolean matchesSomeNameWith(String beginning) {
    int at = 0;
    for (GlobToken token : tokens) {
      if (at == beginning.length() || token.isStar()) {
        return true;
      }
      int codePoint = beginning.codePointAt(at);
      if (!token.matches(codePoint)) {
        return false;
      }
      at += Character.charCount(codePoint);
    }
    return at == beginning.length();
  }

  /** Whether the pattern matches every name. */
  public boolean matchesAll() {
    return tokens.length == 1 && tokens[0].isStar();
  }

  /**
   * Takes the shortest text for each {@code *} and extends only that of the last one: the tokens
   * before it matched as early as possible, so a later match of them could not help.
   */
  private static boolean matches(GlobToken[] tokens, String name) {
    int token = 0;
    int at = 0;
    int star = -1;
    int resume = 0;
    while (true) {
      if (token < tokens.length && tokens[token].isStar()) {
        star = token++;
        resume = at;
      } else if (at == name.length()) {
        return token == tokens.length;
      } else if (token < tokens.length && tokens[token].matches(name.codePointAt(at))) {
        token++;
        at = name.offsetByCodePoints(at, 1);
      } else if (star < 0) {
        return false;
      } else if (star == tokens.length - 1) {
        return true;
      } else {
        resume = tokens[star].nextEnd(name, resume);
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
