package gatebook.command.rules.file;

import java.util.List;

/**
 * A text in which each {@code ${NAME}} and {@code ${NAME:-default}} has been replaced, and which
 * knows where everything in it was before. All indexes count characters, not UTF-16 units.
 */
final class FilledText {

  private final int[] text;
  private final int[] origins;
  private final TextPositions textPositions;
  private final List<Spot> spots;
  private final List<Flaw> flaws;

  /**
   * @param text after that
   * @param origins for each character of the text and for its end, where it came from
   * @param textPositions of the text as it was written
   */
  FilledText(
      int[] text, int[] origins, TextPositions textPositions, List<Spot> spots, List<Flaw> flaws) {
    this.text = text;
    this.origins = origins;
    this.textPositions = textPositions;
    this.spots = spots;
    this.flaws = flaws;
  }

  /**
   * A range of the text that came from a variable.
   *
   * @param known whether there was a value; what stands there else means nothing
   */
  record Spot(int start, int end, String variable, boolean known) {
    boolean meets(int from, int to) {
      return start < to && from < end;
    }

    boolean isWithin(int from, int to) {
      return from <= start && end <= to;
    }
  }

  /** What is wrong with a variable, at an index of the text as it was written. */
  record Flaw(int index, String sentence) {}

  List<Spot> spots() {
    return spots;
  }

  List<Flaw> flaws() {
    return flaws;
  }

  int length() {
    return text.length;
  }

  int at(int index) {
    return text[index];
  }

  /** The place of an index of the text as it was written. */
  TextPositions.Place place(int origin) {
    return textPositions.of(origin);
  }

  /** Where a character was before, and where the end was. */
  int origin(int index) {
    return origins[Math.min(index, text.length)];
  }

  String string() {
    return string(0, text.length);
  }

  String string(int start, int end) {
    return new String(text, start, end - start);
  }

  /** Whether part of this range means nothing, since a variable has no value. */
  boolean isUnknown(int from, int to) {
    return spots.stream().anyMatch(spot -> !spot.known() && spot.meets(from, to));
  }
}
