package gatebook.command.redact;

/** What was found in a text that must not stay in it. */
public enum Kind {
  PRIVATE_KEY("a private key", Marker.TOKEN, true),
  WEB_TOKEN("a JSON web token", Marker.TOKEN, true),
  API_KEY("an API key", Marker.TOKEN, true),
  BEARER("a bearer token or basic credentials", Marker.TOKEN, true),
  URL_CREDENTIALS("credentials in a URL", Marker.VALUE, true),
  KNOWN("a secret of this node", Marker.VALUE, true),
  RANDOM("a token that looks random", Marker.TOKEN, false),
  NAMED("a value whose name says that it is secret", Marker.VALUE, false),
  CARD("a card number", Marker.VALUE, false),
  STACK("a stack trace", Marker.STACK, false),
  PATH("a file-system path", Marker.PATH, false),
  IDENTITY("an e-mail address", Marker.IDENTITY, false);

  private final String words;
  private final Marker marker;
  private final boolean credential;

  Kind(String words, Marker marker, boolean credential) {
    this.words = words;
    this.marker = marker;
    this.credential = credential;
  }

  /** What it is, with its article. */
  public String words() {
    return words;
  }

  Marker marker() {
    return marker;
  }

  /** Whether its shape alone proves that it opens something. */
  boolean isCredential() {
    return credential;
  }
}
