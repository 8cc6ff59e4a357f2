package gatebook.api.gateway;

import gatebook.command.redact.Scrubber;

/**
 * Takes what opens something out of names and ids that callers choose, which are kept and logged
 * word for word otherwise.
 */
final class CredentialMask {

  private CredentialMask() {}

  /** Whether a credential is in the text, by its shape alone; what merely looks random is none. */
  static boolean in(String text) {
    return Scrubber.BUILT_IN.credential(text).isPresent();
  }

  /** The token of an id; it comes back as it is, and is kept without what looks secret. */
  static String takenOutOfId(String token) {
    return token.startsWith("\"") && Scrubber.BUILT_IN.looksSecret(token)
        ? Scrubber.BUILT_IN.scrubJson(token).toString()
        : token;
  }

  static String takenOut(String text) {
    return in(text) ? Scrubber.BUILT_IN.scrub(text) : text;
  }
}
