package gatebook.command.rules;

import java.util.List;

/** A part of a pattern. */
sealed interface GlobToken {

  /** Any text. */
  record AnyText() implements GlobToken {}

  /** Nothing, or any text up to and with a slash; at the end of a pattern, any text. */
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

  /** Both ends belong to it; one that ends before it begins holds nothing. */
  record Range(int first, int last) {
    boolean holds(int codePoint) {
      return first <= codePoint && codePoint <= last;
    }
  }

  default boolean isStar() {
    return switch (this) {
      case AnyText _, AnyParts _ -> true;
      case AnyOne _, Literal _, OneOf _ -> false;
    };
  }

  /** Whether this one character matches; a star takes none by itself. */
  default boolean takes(int codePoint) {
    return switch (this) {
      case AnyText _, AnyParts _ -> false;
      case AnyOne _ -> true;
      case Literal(int literal) -> literal == codePoint;
      case OneOf(var ranges, boolean negated) ->
          negated != ranges.stream().anyMatch(range -> range.holds(codePoint));
    };
  }

  /** The next place after {@code end} at which the text of a star may end. */
  default int longer(int[] text, int end) {
    if (this instanceof AnyParts) {
      while (end < text.length - 1 && text[end] != '/') {
        end++;
      }
    }
    return end + 1;
  }
}
