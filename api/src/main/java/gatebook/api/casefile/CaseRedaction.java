package gatebook.api.casefile;

/**
 * A redaction of a case file: something that it does not show, and why.
 *
 * @param part {@code payload}, {@code content}, {@code original}, {@code rules} or {@code
 *     timestamp}
 * @param of the position of the event, the hash of the rules, or {@code checkpoint}
 * @param reason one word
 */
public record CaseRedaction(String part, String of, String reason) {
  public static final String PAYLOAD = "payload";
  public static final String CONTENT = "content";
  public static final String ORIGINAL = "original";
  public static final String RULES = "rules";

  /** A checkpoint without the timestamp that was asked for. */
  public static CaseRedaction ofTimestamp(String reason) {
    return new CaseRedaction("timestamp", CaseDraft.CHECKPOINT, reason);
  }

  /** The line of the member {@code redactions}. */
  String line() {
    return part + ' ' + of + ' ' + reason + '\n';
  }
}
