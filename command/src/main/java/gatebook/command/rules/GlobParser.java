package gatebook.command.rules;

import gatebook.command.rules.GlobToken.AnyOne;
import gatebook.command.rules.GlobToken.AnyParts;
import gatebook.command.rules.GlobToken.AnyText;
import gatebook.command.rules.GlobToken.Literal;
import gatebook.command.rules.GlobToken.OneOf;
import gatebook.command.rules.GlobToken.Range;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses a glob pattern into tokens. */
final class GlobParser {

  private final int[] pattern;
  private final List<GlobToken> tokens = new ArrayList<>();
  private int at;
  private @Nullable String flaw;

  /** The result of parsing: tokens, or why the pattern is invalid. */
  sealed interface Parsed {
    record Tokens(List<GlobToken> tokens) implements Parsed {}

    record Invalid(String flaw) implements Parsed {}
  }

  private GlobParser(String pattern) {
    this.pattern = pattern.codePoints().toArray();
  }

  static Parsed parse(String pattern) {
    GlobParser parser = new GlobParser(pattern);
    while (parser.flaw == null && parser.at < parser.pattern.length) {
      parser.step();
    }
    return parser.flaw == null ? new Parsed.Tokens(parser.tokens) : new Parsed.Invalid(parser.flaw);
  }

  private void step() {
    switch (pattern[at]) {
      case '*' -> addStars();
      case '?' -> addOne(new AnyOne());
      case '[' -> addSet();
      default -> addOne(new Literal(pattern[at]));
    }
  }

  private void addOne(GlobToken token) {
    tokens.add(token);
    at++;
  }

  private void addStars() {
    int start = at;
    while (at < pattern.length && pattern[at] == '*') {
      at++;
    }
    switch (at - start) {
      case 1 -> tokens.add(new AnyText());
      case 2 -> addParts(start);
      default -> flaw = "has more than two '*' in a row: write one";
    }
  }

  private void addParts(int start) {
    boolean begins = start == 0 || pattern[start - 1] == '/';
    boolean ends = at == pattern.length || pattern[at] == '/';
    if (!begins || !ends) {
      flaw = "has '**' beside other text: write '*', or '**' alone between slashes";
      return;
    }
    if (at < pattern.length) {
      at++; // the slash belongs to the parts, which may be none
    }
    if (tokens.isEmpty() || !(tokens.getLast() instanceof AnyParts)) {
      tokens.add(new AnyParts());
    }
  }

  /** Adds a set; its first character never closes it. */
  private void addSet() {
    boolean negated = at + 1 < pattern.length && pattern[at + 1] == '!';
    int first = at + (negated ? 2 : 1);
    int end = first + 1;
    while (end < pattern.length && pattern[end] != ']') {
      end++;
    }
    if (end >= pattern.length) {
      flaw = "has a '[' that nothing closes: close it with ']', or write '[[]' for the character";
      return;
    }
    tokens.add(new OneOf(ranges(first, end), negated));
    at = end + 1;
  }

  private List<Range> ranges(int first, int end) {
    List<Range> ranges = new ArrayList<>();
    for (int i = first; i < end; ) {
      boolean isRange = i + 2 < end && pattern[i + 1] == '-';
      ranges.add(new Range(pattern[i], pattern[isRange ? i + 2 : i]));
      i += isRange ? 3 : 1;
    }
    return ranges;
  }
}
