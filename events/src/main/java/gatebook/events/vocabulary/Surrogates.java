package gatebook.events.vocabulary;

/** Finds halves of surrogate pairs, which no encoding can write. */
final class Surrogates {

  private Surrogates() {}

  static boolean arePaired(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))
          && !(Character.isHighSurrogate(text.charAt(i))
              && ++i < text.length()
              && Character.isLowSurrogate(text.charAt(i)))) {
        return false;
      }
    }
    return true;
  }
}
