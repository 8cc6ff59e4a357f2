package gatebook.command.rules;

import java.util.List;

/** A token of a glob pattern. */
sealed interface GlobToken {

  /** Any text. */
  record AnyText() implements GlobToken {}

  /** Nothing, or any text up to and including a slash; at the end of a pattern, any text. */
  record AnyParts() implements GlobToken {}

  /** Any one character. */
  record AnyOne() implements GlobToken {}

  record Literal(int codePoint) implements GlobToken {}

  /** One character that is in one of the ranges, or in none of them. */
  record OneOf(List<Range> ranges, boolean negated) implements GlobToken {
    public OneOf {
      ranges = List.copyOf(ranges);
    }
  }

  /** A range of code points, both ends included; empty when {@code last} is below {@code first}. */
  record Range(int first, int last) {
    boolean contains(int codePoint) {
      return first <= codePoint && codePoint <= last;
    }
  }

  default boolean isStar() {
    return switch (this) {
      case AnyText _, AnyParts _ -> true;
      case AnyOne _, Literal _, OneOf _ -> false;
    };
  }

  /** Whether the token matches this one character; a star never does. */
  default boolean matches(int codePoint) {
    return switch (this) {
      case AnyText _, AnyParts _ -> false;
      case AnyOne _ -> true;
      case Literal(int literal) -> literal == codePoint;
      case OneOf(var ranges, boolean negated) ->
          negated != ranges.stream().anyMatch(range -> range.contains(codePoint));
    };
  }

  /** The next index after {@code end} at which the text of a star may end. */
  default int nextEnd(String text, int end) {
    int next = end;
    if (this instanceof AnyParts) {
      int slash = text.indexOf('/', end);
      next = slash < 0 ? text.length() - 1 : slash;
    }
    return text.offsetByCodePoints(next, 1);
  }
}
