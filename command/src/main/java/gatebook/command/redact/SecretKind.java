package gatebook.command.redact;

/** The kind of a secret found in a text. */
public enum SecretKind {
  PRIVATE_KEY("a private key", RedactionMarker.TOKEN, true),
  WEB_TOKEN("a JSON web token", RedactionMarker.TOKEN, true),
  API_KEY("an API key", RedactionMarker.TOKEN, true),
  BEARER("a bearer token or basic credentials", RedactionMarker.TOKEN, true),
  URL_CREDENTIALS("credentials in a URL", RedactionMarker.VALUE, true),
  KNOWN("a secret of this node", RedactionMarker.VALUE, true),
  RANDOM("a token that looks random", RedactionMarker.TOKEN, false),
  NAMED("a value whose name says that it is secret", RedactionMarker.VALUE, false),
  CARD("a card number", RedactionMarker.VALUE, false),
  STACK("a stack trace", RedactionMarker.STACK, false),
  PATH("a file-system path", RedactionMarker.PATH, false),
  IDENTITY("an e-mail address", RedactionMarker.IDENTITY, false);

  private final String description;
  private final RedactionMarker redactionMarker;
  private final boolean credential;

  SecretKind(String words, RedactionMarker redactionMarker, boolean credential) {
    this.description = words;
    this.redactionMarker = redactionMarker;
    this.credential = credential;
  }

  /** A noun with its article, for sentences. */
  public String description() {
    return description;
  }

  RedactionMarker marker() {
    return redactionMarker;
  }

  /** Whether its form alone proves that it is a credential. */
  boolean isCredential() {
    return credential;
  }
}
