package gatebook.command.redact;

/** What in a text calls for a closer look: one quick pass that most texts leave with nothing. */
final class Triggers {

  static final int SLASH = 1;
  static final int SEPARATOR = 2;
  static final int AT = 4;

  /** Two of them. */
  static final int DASHES = 8;

  static final int LONG_WORD = 16;
  static final int SCHEME = 32;

  private static final int LONG_WORD_MIN = Tokens.SHORTEST;
  private static final int BEARER = ('b' << 16) | ('e' << 8) | 'a';
  private static final int BASIC = ('b' << 16) | ('a' << 8) | 's';
  private static final byte[] OF = of();

  private Triggers() {}

  static int in(String text) {
    int triggers = 0;
    int run = 0;
    char before = ' ';
    int lastThree = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      run = Chars.is(c, Chars.JOINED) ? run + 1 : 0;
      triggers |= c < 128 ? OF[c] : 0;
      triggers |= run == LONG_WORD_MIN ? LONG_WORD : 0;
      triggers |= c == '-' && before == '-' ? DASHES : 0;
      before = c;
      lastThree = ((lastThree << 8) | (c | 0x20)) & 0xffffff;
      triggers |= lastThree == BEARER || lastThree == BASIC ? SCHEME : 0;
    }
    return triggers;
  }

  private static byte[] of() {
    byte[] of = new byte[128];
    of['/'] = of['\\'] = SLASH;
    of['='] = of[':'] = of['%'] = SEPARATOR;
    of['@'] = AT;
    return of;
  }
}
