package gatebook.events.call;

/** The beginning of a text, which never ends within a character. */
public final class TextPrefix {

  private TextPrefix() {}

  /** The very same text when it is not longer. */
  public static String of(String text, int charsMax) {
    if (text.length() <= charsMax) {
      return text;
    }
    boolean halved = Character.isHighSurrogate(text.charAt(charsMax - 1));
    return text.substring(0, halved ? charsMax - 1 : charsMax);
  }
}
