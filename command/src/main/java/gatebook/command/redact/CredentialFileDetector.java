package gatebook.command.redact;

/**
 * Detects passwords in lines of files in which only their position or the word before them says
 * that they are: {@code host:5432:database:user:PW} of {@code .pgpass}, {@code machine host login
 * user password PW} of {@code .netrc}.
 */
final class CredentialFileDetector implements Detector {

  private static final int FIELDS = 5;
  private static final int PORT_MIN = 2;
  private static final int PORT_MAX = 5;
  private static final int ENTRIES_MAX = 4;
  private static final String LOGIN = "login";
  private static final String PASSWORD = "password";

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int end = wordEnd(text, at);
      findLastField(text, at, end, scrubFindings);
      switch (text.substring(at, Math.min(end, at + "machine ".length()))) {
        case "machine" -> findEntries(text, nextWordEnd(text, end), scrubFindings);
        case "default" -> findEntries(text, end, scrubFindings);
        case LOGIN -> findLine(text, at, end, scrubFindings);
        default -> {}
      }
      at = skipSpace(text, Math.max(end, at + 1));
    }
  }

  /** Words end at blanks, quotes, and line ends, escaped or not. */
  private static int wordEnd(String text, int from) {
    return TextLines.end(
        text, from, CharClasses.seek(text, from, CharClasses.SPACE | CharClasses.QUOTE));
  }

  private static int nextWordEnd(String text, int from) {
    return wordEnd(text, skipSpace(text, from));
  }

  private static int skipSpace(String text, int from) {
    int at = from;
    while (at < text.length()) {
      if (isLineEnd(text, at)) {
        at = TextLines.next(text, at);
      } else if (CharClasses.is(text.charAt(at), CharClasses.SPACE)) {
        at++;
      } else {
        int next = TextLines.skipBlanks(text, at, text.length());
        if (next == at) {
          return at;
        }
        at = next;
      }
    }
    return text.length();
  }

  private static boolean isLineEnd(String text, int at) {
    return TextLines.end(text, at, Math.min(text.length(), at + 1)) == at;
  }

  /** Finds the last of five fields; a colon in a field would be escaped. */
  private static void findLastField(String text, int from, int end, ScrubFindings scrubFindings) {
    int[] starts = new int[FIELDS + 1];
    starts[0] = from;
    int fields = 1;
    for (int at = from; at < end && fields <= FIELDS; at++) {
      if (text.charAt(at) == '\\') {
        at++;
      } else if (text.charAt(at) == ':') {
        starts[fields++] = at + 1;
      }
    }
    if (fields == FIELDS && areFields(text, starts, end)) {
      scrubFindings.add(starts[FIELDS - 1], end, SecretKind.NAMED);
    }
  }

  /** Whether all fields have a text, and the second is a port before the names of two things. */
  private static boolean areFields(String text, int[] starts, int end) {
    return starts[1] - 1 > starts[0]
        && starts[FIELDS - 1] < end
        && isName(text, starts[2], starts[3] - 1)
        && isName(text, starts[3], starts[4] - 1)
        && hasPort(text, starts);
  }

  private static boolean isName(String text, int from, int end) {
    return CharClasses.skip(text, from, CharClasses.DIGIT) < end;
  }

  /** Any port after the name or the address of a host, else only one that databases have. */
  private static boolean hasPort(String text, int[] starts) {
    String port = text.substring(starts[1], starts[2] - 1);
    String host = text.substring(starts[0], starts[1] - 1);
    boolean address = host.contains(".") || host.startsWith("/") || host.equals("localhost");
    boolean number =
        CharClasses.skip(port, 0, CharClasses.DIGIT) == port.length()
            && port.length() >= PORT_MIN
            && port.length() <= PORT_MAX;
    return port.equals("*")
        || (number && (address || host.equals("*") || port.matches("543[0-9]|6432")));
  }

  /** Finds the passwords of entries like {@code login user password PW}, on any lines. */
  private static void findEntries(String text, int from, ScrubFindings scrubFindings) {
    boolean login = false;
    int password = -1;
    int passwordEnd = -1;
    int at = from;
    for (int entry = 0; entry < ENTRIES_MAX; entry++) {
      int name = skipSpace(text, at);
      int nameEnd = wordEnd(text, name);
      int value = skipSpace(text, nameEnd);
      at = wordEnd(text, value);
      switch (text.substring(name, Math.min(nameEnd, name + PASSWORD.length() + 1))) {
        case LOGIN -> login = true;
        case PASSWORD -> {
          password = value;
          passwordEnd = at;
        }
        case "account" -> {}
        default -> entry = ENTRIES_MAX;
      }
    }
    if (login && password >= 0) {
      scrubFindings.add(password, passwordEnd, SecretKind.NAMED);
    }
  }

  /** Finds a password that is no word where {@code login user password PW} is a whole line. */
  private static void findLine(String text, int login, int loginEnd, ScrubFindings scrubFindings) {
    int name = skipSpace(text, nextWordEnd(text, loginEnd));
    int value = skipSpace(text, wordEnd(text, name));
    int end = wordEnd(text, value);
    int line = CharClasses.skipBack(text, login, ENTRIES_MAX * FIELDS, CharClasses.BLANK);
    boolean starts = line == 0 || text.charAt(line - 1) == '\n';
    boolean whole = end == text.length() || isLineEnd(text, end);
    boolean word = CharClasses.skip(text, value, CharClasses.UPPER | CharClasses.LOWER) == end;
    if (starts && whole && !word && text.startsWith(PASSWORD + " ", name)) {
      scrubFindings.add(value, end, SecretKind.NAMED);
    }
  }
}
