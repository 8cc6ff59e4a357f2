package gatebook.command.rules;

/**
 * The rules for what the journal records of payloads.
 *
 * @param originals whether messages are also recorded unredacted, sealed
 * @param results whether results are recorded redacted, or only their digest
 * @param wholeBytesMax the largest payload that is recorded whole, redacted or sealed, in bytes of
 *     UTF-8
 */
public record RecordRules(boolean originals, boolean results, int wholeBytesMax) {
  public static final RecordRules DEFAULT = new RecordRules(true, false, 64 << 10);

  /** The upper bound of {@code wholeBytesMax}: both forms of such a payload fit into one event. */
  public static final int WHOLE_BYTES_MOST = 128 << 10;
}
