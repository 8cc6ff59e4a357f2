package gatebook.command.rules;

/**
 * What the journal keeps of contents.
 *
 * @param originals whether messages are kept as they came, sealed
 * @param results whether results are kept in their redacted form, or only digested
 */
public record Keeping(boolean originals, boolean results) {
  public static final Keeping DEFAULT = new Keeping(true, false);
}
