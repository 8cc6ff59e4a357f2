package gatebook.command.rules;

/**
 * What the journal keeps of contents.
 *
 * @param originals whether messages are kept as they came, sealed
 * @param results whether results are kept in their redacted form, or only digested
 * @param wholeBytesMax the largest content that is kept whole, redacted or sealed, in bytes of
 *     UTF-8
 */
public record RecordRules(boolean originals, boolean results, int wholeBytesMax) {
  public static final RecordRules DEFAULT = new RecordRules(true, false, 64 << 10);

  /** Contents so large, in both forms, still fit into one event. */
  public static final int WHOLE_BYTES_MOST = 128 << 10;
}
