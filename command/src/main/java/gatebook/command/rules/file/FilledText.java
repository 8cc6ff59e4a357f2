package gatebook.command.rules.file;

import java.util.List;

/**
 * A text whose variables {@code ${NAME}} and {@code ${NAME:-default}} are filled in, with the
 * original position of each character. All indexes count code points, not UTF-16 units.
 */
final class FilledText {

  private final int[] text;
  private final int[] origins;
  private final TextPositions textPositions;
  private final List<Substitution> substitutions;
  private final List<Flaw> flaws;

  /**
   * @param text the code points after substitution
   * @param origins the index in the original text, for each character and for the end
   * @param textPositions the lines and columns of the original text
   */
  FilledText(
      int[] text,
      int[] origins,
      TextPositions textPositions,
      List<Substitution> substitutions,
      List<Flaw> flaws) {
    this.text = text;
    this.origins = origins;
    this.textPositions = textPositions;
    this.substitutions = substitutions;
    this.flaws = flaws;
  }

  /**
   * A range of the text that was substituted for a variable.
   *
   * @param hasValue false when the variable has no usable value and the range is a placeholder
   */
  record Substitution(int start, int end, String variable, boolean hasValue) {
    boolean overlaps(int from, int to) {
      return start < to && from < end;
    }

    boolean isWithin(int from, int to) {
      return from <= start && end <= to;
    }
  }

  /** A mistake in a variable, at an index of the original text. */
  record Flaw(int index, String sentence) {}

  List<Substitution> substitutions() {
    return substitutions;
  }

  List<Flaw> flaws() {
    return flaws;
  }

  int length() {
    return text.length;
  }

  int codePointAt(int index) {
    return text[index];
  }

  /** The line and column of an index of the original text. */
  TextPositions.Place place(int origin) {
    return textPositions.of(origin);
  }

  /** The index in the original text of a character, or of the end. */
  int origin(int index) {
    return origins[Math.min(index, text.length)];
  }

  String string() {
    return string(0, text.length);
  }

  String string(int start, int end) {
    return new String(text, start, end - start);
  }

  /** Whether the range overlaps the placeholder of a variable without a value. */
  boolean isUnknown(int from, int to) {
    return substitutions.stream()
        .anyMatch(substitution -> !substitution.hasValue() && substitution.overlaps(from, to));
  }
}
