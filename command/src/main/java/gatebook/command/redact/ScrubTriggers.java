package gatebook.command.redact;

/** Scans a text once for triggers that decide which detectors run; most texts have none. */
final class ScrubTriggers {

  static final int SLASH = 1;
  static final int SEPARATOR = 2;
  static final int AT = 4;

  /** Two dashes in a row. */
  static final int DASHES = 8;

  static final int LONG_WORD = 16;
  static final int SCHEME = 32;

  /** The bracket of an XML element, perhaps as an entity. */
  static final int TAG = 64;

  /** A sign of which every frame of a stack trace has one. */
  static final int FRAME = 128;

  /** As many digits as a card number has. */
  static final int DIGITS = 256;

  /** A letter after a single dash at the start of a word. */
  static final int OPTION = 512;

  /** A part of a word for a code. */
  static final int CODE = 1_024;

  /** A part of the word before the name of a user. */
  static final int LOGIN = 2_048;

  private static final int LONG_WORD_MIN = TokenDetector.LENGTH_MIN;
  private static final int BEARER = trigram("bea");
  private static final int BASIC = trigram("bas");
  private static final int WORD_AT = trigram("at ");
  private static final int ENTITY = trigram("&lt");
  private static final int PYTHONS_LINE = trigram(", l");
  private static final int BACKTRACE = trigram("ace");
  private static final int CODE_WORD = trigram("ode");
  private static final int OTP_WORD = trigram("otp");
  private static final int LOGIN_WORD = trigram("ogi");
  private static final byte[] BY_CHAR = triggersByChar();

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
      triggers |= c < 128 ? BY_CHAR[c] : 0;
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
        triggers |= ofTrigram(lastThree);
      }
      before = c;
    }
    return triggers;
  }

  /** The last but two character, lower-cased roughly. */
  private static char third(int lastThree) {
    return (char) (lastThree >> 16);
  }

  private static int ofTrigram(int lastThree) {
    if (lastThree == BEARER || lastThree == BASIC) {
      return SCHEME;
    }
    if (lastThree == CODE_WORD || lastThree == OTP_WORD) {
      return CODE;
    }
    if (lastThree == PYTHONS_LINE || lastThree == BACKTRACE) {
      return FRAME;
    }
    if (lastThree == LOGIN_WORD) {
      return LOGIN;
    }
    return lastThree == ENTITY ? TAG : 0;
  }

  /** Three characters as the scan encodes them: bit 5 is set, which ignores the case of letters. */
  private static int trigram(String text) {
    return ((text.charAt(0) | 0x20) << 16)
        | ((text.charAt(1) | 0x20) << 8)
        | (text.charAt(2) | 0x20);
  }

  private static byte[] triggersByChar() {
    byte[] of = new byte[128];
    of['/'] = of['\\'] = SLASH;
    of['='] = of[':'] = of['%'] = SEPARATOR;
    of['@'] = AT;
    of['<'] = TAG;
    return of;
  }
}
