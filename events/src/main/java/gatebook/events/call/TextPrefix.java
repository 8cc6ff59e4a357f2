package gatebook.events.call;

/** Cuts a text to a prefix that never ends within a surrogate pair. */
public final class TextPrefix {

  private TextPrefix() {}

  /** The longest such prefix; the text itself when it is not longer. */
  public static String of(String text, int charsMax) {
    if (text.length() <= charsMax) {
      return text;
    }
    boolean halved = charsMax > 0 && Character.isHighSurrogate(text.charAt(charsMax - 1));
    return text.substring(0, halved ? charsMax - 1 : charsMax);
  }
}
