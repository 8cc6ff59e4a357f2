package gatebook.command.redact;

/** Detects private keys in PEM; one without its last line extends to the end of the text. */
final class PrivateKeyDetector implements Detector {

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final int LABEL_MAX = 64;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    int at = text.indexOf(BEGIN);
    while (at >= 0) {
      int from = at + BEGIN.length();
      if (isPrivate(text, from)) {
        from = end(text, from);
        scrubFindings.add(at, from, SecretKind.PRIVATE_KEY);
      }
      at = text.indexOf(BEGIN, from);
    }
  }

  private static boolean isPrivate(String text, int label) {
    String near = text.substring(label, Math.min(text.length(), label + LABEL_MAX));
    int dashes = near.indexOf(DASHES);
    return (dashes < 0 ? near : near.substring(0, dashes)).contains(PRIVATE);
  }

  private static int end(String text, int from) {
    int last = text.indexOf(END, from);
    if (last < 0) {
      return text.length();
    }
    int dashes = text.indexOf(DASHES, last + END.length());
    return dashes < 0 || dashes - last > LABEL_MAX ? text.length() : dashes + DASHES.length();
  }
}
