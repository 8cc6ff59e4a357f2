package gatebook.api.gateway.message;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;

/**
 * Masks credentials in names and ids that callers choose, which are otherwise stored and logged as
 * they came.
 */
public final class CredentialMask {

  /** How much of a name or an id is stored or logged; none is longer in good faith. */
  public static final int TEXT_CHARS_MAX = 1_024;

  /** Scrubs ids, in which paths and what may be a trace id stay. */
  private static final Scrubber IDS = Scrubber.BUILT_IN.keepingIds();

  private CredentialMask() {}

  /** Whether the text has a credential in it, by its shape alone; random-looking text has none. */
  public static boolean hasCredential(String text) {
    return Scrubber.BUILT_IN.findCredential(text).isPresent();
  }

  public static String mask(String text) {
    return hasCredential(text) ? Scrubber.BUILT_IN.scrub(text) : text;
  }

  /** The text masked, then cut: half a credential would not be recognised as one. */
  public static String maskAndCut(String text) {
    return TextPrefix.of(mask(text), TEXT_CHARS_MAX);
  }

  /**
   * The token of an id, scrubbed and cut to be stored; the response still has the id as it came.
   *
   * @param names the scrubber of names, with the rules in force
   */
  public static String maskAndCutId(String token, Scrubber names) {
    return TextPrefix.of(scrubbed(token, names.keepingIds()), TEXT_CHARS_MAX);
  }

  /** The token of an id, scrubbed to be logged. */
  public static String maskId(String token) {
    return scrubbed(token, IDS);
  }

  /** Whether the token of an id was stored as it came: neither masked nor cut. */
  public static boolean isWhole(String storedToken) {
    return storedToken.length() < TEXT_CHARS_MAX - 1 && !Scrubber.isMarked(storedToken);
  }

  /** A token without a secret stays as it was sent, with its escapes. */
  private static String scrubbed(String token, Scrubber scrubber) {
    if (isNumber(token) && scrubber.scrub(token).equals(token)) {
      return token;
    }
    String scrubbed = scrubber.scrubJson(token).toString();
    return Scrubber.isMarked(scrubbed) ? scrubbed : token;
  }

  private static boolean isNumber(String token) {
    return !token.isEmpty() && "-0123456789".indexOf(token.charAt(0)) >= 0;
  }
}
