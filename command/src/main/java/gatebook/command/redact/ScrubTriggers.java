package gatebook.command.redact;

/** What in a text calls for a closer look: one quick pass that most texts leave with nothing. */
final class ScrubTriggers {

  static final int SLASH = 1;
  static final int SEPARATOR = 2;
  static final int AT = 4;

  /** Two of them. */
  static final int DASHES = 8;

  static final int LONG_WORD = 16;
  static final int SCHEME = 32;

  /** A bracket of an element, perhaps as an entity. */
  static final int TAG = 64;

  /** What every frame of a stack trace has one of. */
  static final int FRAME = 128;

  /** As many digits as a card number has. */
  static final int DIGITS = 256;

  /** A letter behind a single dash at the beginning of a word. */
  static final int OPTION = 512;

  /** What a code is called. */
  static final int CODE = 1_024;

  private static final int LONG_WORD_MIN = TokenDetector.SHORTEST;
  private static final int BEARER = three("bea");
  private static final int BASIC = three("bas");
  private static final int WORD_AT = three("at ");
  private static final int ENTITY = three("&lt");
  private static final int PYTHONS_LINE = three(", l");
  private static final int BACKTRACE = three("ace");
  private static final int CODE_WORD = three("ode");
  private static final int OTP_WORD = three("otp");
  private static final byte[] OF = of();

  private ScrubTriggers() {}

  static int in(String text) {
    int triggers = 0;
    int run = 0;
    int digits = 0;
    char before = ' ';
    int lastThree = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      run = CharClasses.is(c, CharClasses.JOINED) ? run + 1 : 0;
      triggers |= c < 128 ? OF[c] : 0;
      triggers |= run == LONG_WORD_MIN ? LONG_WORD : 0;
      lastThree = ((lastThree << 8) | (c | 0x20)) & 0xffffff;
      if (c <= '9') {
        digits = c >= '0' ? digits + 1 : c == ' ' || c == '-' ? digits : 0;
        triggers |= digits == CardNumberDetector.DIGITS_MIN ? DIGITS : 0;
        triggers |= c == '-' && before == '-' ? DASHES : 0;
        triggers |= c >= '0' && (before == ':' || before == '(') ? FRAME : 0;
        triggers |= lastThree == WORD_AT ? FRAME : 0;
      } else {
        digits = 0;
        triggers |=
            before == '-' && !CharClasses.is(third(lastThree), CharClasses.WORD) ? OPTION : 0;
        triggers |= c == ':' && before == ':' ? FRAME : 0;
        triggers |= inWord(lastThree);
      }
      before = c;
    }
    return triggers;
  }

  /** The character before the one before, nearly. */
  private static char third(int lastThree) {
    return (char) (lastThree >> 16);
  }

  private static int inWord(int lastThree) {
    if (lastThree == BEARER || lastThree == BASIC) {
      return SCHEME;
    }
    if (lastThree == CODE_WORD || lastThree == OTP_WORD) {
      return CODE;
    }
    if (lastThree == PYTHONS_LINE || lastThree == BACKTRACE) {
      return FRAME;
    }
    return lastThree == ENTITY ? TAG : 0;
  }

  /** As the pass sees them: the case of letters is lost, and that of some other characters. */
  private static int three(String text) {
    return ((text.charAt(0) | 0x20) << 16)
        | ((text.charAt(1) | 0x20) << 8)
        | (text.charAt(2) | 0x20);
  }

  private static byte[] of() {
    byte[] of = new byte[128];
    of['/'] = of['\\'] = SLASH;
    of['='] = of[':'] = of['%'] = SEPARATOR;
    of['@'] = AT;
    of['<'] = TAG;
    return of;
  }
}
