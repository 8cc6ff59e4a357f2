package gatebook.events.journal.checkpoint;

/** Validates the name of a checkpoint key, which is also the name of its log. */
final class CheckpointKeyName {
  private static final int NEXT_LINE = 0x85;

  private CheckpointKeyName() {}

  static boolean isValid(String name) {
    return !name.isEmpty() && name.codePoints().allMatch(CheckpointKeyName::isValid);
  }

  private static boolean isValid(int point) {
    return point > ' '
        && point != '+'
        && point != NEXT_LINE
        && !Character.isSpaceChar(point)
        && Character.getType(point) != Character.SURROGATE;
  }
}
