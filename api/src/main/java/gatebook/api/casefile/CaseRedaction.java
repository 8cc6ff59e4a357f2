package gatebook.api.casefile;

/**
 * A redaction of a case file: something that it does not show, and why.
 *
 * @param part {@code payload}, {@code content}, {@code original} or {@code rules}
 * @param of the position of the event, or the hash of the rules
 * @param reason one word
 */
public record CaseRedaction(String part, String of, String reason) {
  public static final String PAYLOAD = "payload";
  public static final String CONTENT = "content";
  public static final String ORIGINAL = "original";
  public static final String RULES = "rules";

  /** The line of the member {@code redactions}. */
  String line() {
    return part + ' ' + of + ' ' + reason + '\n';
  }
}
