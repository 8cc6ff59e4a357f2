package gatebook.command.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Detects file paths: absolute ones of POSIX and Windows, paths from a home directory, shares, and
 * {@code file:} URLs. Paths of other URLs, JSON pointers into messages and this program's own HTTP
 * paths stay.
 */
final class PathDetector implements Detector {

  private static final Set<String> HTTP_METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private static final int VARIABLE_MAX = 64;
  private static final int QUOTED_MAX = 1_024;
  private static final String NO_BOUNDARY = "*?&#)]}!<";
  private static final int SCHEME_MAX = 32;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '/' || c == '\\') {
        at = findAt(text, at, c == '/', scrubFindings);
      }
    }
  }

  /** Finds a path by its first separator; the index of the last character that is done. */
  private static int findAt(String text, int at, boolean slash, ScrubFindings scrubFindings) {
    if (text.startsWith("//", at) && text.startsWith(":", at - 1)) {
      return findInUrl(text, at, scrubFindings);
    }
    int drive = driveStart(text, at);
    if (drive >= 0) {
      return add(drive, windowsEnd(text, drive, at), scrubFindings);
    }
    int home = slash ? homeStart(text, at) : -1;
    if (home >= 0) {
      return add(home, posixEnd(text, home), scrubFindings);
    }
    int variable = variableStart(text, at);
    if (variable >= 0) {
      return add(variable, nameEnd(text, at), scrubFindings);
    }
    if (!slash) {
      return isShare(text, at) ? add(at, windowsEnd(text, at, at), scrubFindings) : at;
    }
    int end = isBoundary(text, at) ? posixEnd(text, at) : at;
    return isFile(text, at, end) ? add(at, end, scrubFindings) : at;
  }

  private static int findInUrl(String text, int slashes, ScrubFindings scrubFindings) {
    int scheme = CharClasses.skipBack(text, slashes - 1, SCHEME_MAX, CharClasses.WORD);
    String name = text.substring(scheme, slashes - 1);
    int path = slashes + 2;
    if (name.equalsIgnoreCase("file")) {
      return add(scheme, posixEnd(text, path), scrubFindings);
    }
    if (text.startsWith("/", path) && !name.startsWith("http")) {
      return add(path, posixEnd(text, path), scrubFindings);
    }
    return findInQuery(text, path, UrlCredentialDetector.end(text, path), scrubFindings);
  }

  /** Adds only certain paths in a query, since paths of other URLs are parameters too. */
  private static int findInQuery(String text, int from, int end, ScrubFindings scrubFindings) {
    for (int at = text.indexOf("=/", from, end); at >= 0; at = text.indexOf("=/", at + 1, end)) {
      int pathEnd = Math.min(end, posixEnd(text, at + 1));
      if (WordList.FILE_ROOTS.contains(firstName(text, at + 1, pathEnd))) {
        scrubFindings.add(at + 1, pathEnd, SecretKind.PATH);
      }
    }
    return Math.max(from, end) - 1;
  }

  private static int add(int start, int end, ScrubFindings scrubFindings) {
    scrubFindings.add(start, end, SecretKind.PATH);
    return end - 1;
  }

  /** The index of the letter of {@code C:\} or {@code C:/}; -1 if there is none. */
  private static int driveStart(String text, int slash) {
    int letter = slash - 2;
    return letter >= 0
            && text.charAt(slash - 1) == ':'
            && CharClasses.is(text.charAt(letter), CharClasses.UPPER | CharClasses.LOWER)
            && !CharClasses.isAt(text, letter - 1, CharClasses.WORD)
            && !text.startsWith("//", slash)
        ? letter
        : -1;
  }

  private static boolean isShare(String text, int at) {
    if (text.startsWith("\\", at - 1)) {
      return false;
    }
    int host = TextLines.skipBackslashes(text, at);
    int end = CharClasses.skip(text, host, CharClasses.WORD);
    return host - at >= 2
        && end - host >= 2
        && text.startsWith("\\", end)
        && !CharClasses.isAt(text, at - 1, CharClasses.ALNUM);
  }

  private static int homeStart(String text, int slash) {
    int user = CharClasses.skipBack(text, slash, SCHEME_MAX, CharClasses.WORD);
    int tilde = user - 1;
    return tilde >= 0 && text.charAt(tilde) == '~' && isBoundary(text, tilde) ? tilde : -1;
  }

  /**
   * The start of a <code>${HOME}</code>, {@code $HOME}, {@code %TEMP%}, {@code $env:TEMP}; or -1.
   */
  private static int variableStart(String text, int slash) {
    if (text.startsWith("}", slash - 1)) {
      int name =
          CharClasses.skipBack(
              text, slash - 1, VARIABLE_MAX, CharClasses.WORD | CharClasses.JOINED);
      return text.startsWith("${", name - 2) && !isUrlVariable(text, name, slash - 1)
          ? name - 2
          : -1;
    }
    boolean percent = text.startsWith("%", slash - 1);
    int end = percent ? slash - 1 : slash;
    int name = CharClasses.skipBack(text, end, VARIABLE_MAX, CharClasses.WORD);
    if (!CharClasses.isAt(text, name, CharClasses.UPPER)
        || CharClasses.contains(text, name, end, CharClasses.LOWER)
        || isUrlVariable(text, name, end)) {
      return -1;
    }
    if (percent) {
      return text.startsWith("%", name - 1) ? name - 1 : -1;
    }
    int dollar = text.startsWith("env:", name - 4) ? name - 5 : name - 1;
    return text.startsWith("$", dollar) ? dollar : -1;
  }

  /** Whether the variable's name says that it holds the start of a URL. */
  private static boolean isUrlVariable(String text, int from, int end) {
    return WordList.URL_VARIABLE_ENDS.isEndOf(text.substring(from, end).toUpperCase(Locale.ROOT));
  }

  private static boolean isBoundary(String text, int at) {
    if (at == 0) {
      return true;
    }
    char before = text.charAt(at - 1);
    boolean option =
        Character.isLetter(before)
            && at > 1
            && text.charAt(at - 2) == '-'
            && isBoundary(text, at - 2);
    return option
        || (CharClasses.is(before, CharClasses.PATH_END) && NO_BOUNDARY.indexOf(before) < 0);
  }

  private static boolean isFile(String text, int start, int end) {
    String first = firstName(text, start, end);
    if (first.isEmpty() || followsHttpMethod(text, start)) {
      return false;
    }
    boolean deep = end - start > first.length() + 2;
    return WordList.FILE_ROOTS.contains(first)
        || (deep && !WordList.NON_FILE_ROOTS.contains(first) && !isNumber(first));
  }

  private static boolean isNumber(String name) {
    return CharClasses.skip(name, 0, CharClasses.DIGIT) == name.length();
  }

  private static boolean followsHttpMethod(String text, int at) {
    int end = CharClasses.skipBack(text, at, 1, CharClasses.BLANK);
    return end < at
        && HTTP_METHODS.contains(
            text.substring(CharClasses.skipBack(text, end, 8, CharClasses.UPPER), end));
  }

  private static String firstName(String text, int slash, int end) {
    int from = Math.min(end, slash + 1);
    int next = text.indexOf('/', from, end);
    return text.substring(from, next < 0 ? end : next);
  }

  private static int posixEnd(String text, int start) {
    int end = end(text, start, start);
    return WordList.FILE_ROOTS_WITH_BLANKS.contains(firstName(text, start, end))
        ? spacedEnd(text, end, '/')
        : end;
  }

  private static int windowsEnd(String text, int start, int slash) {
    return spacedEnd(text, end(text, start, slash), '\\');
  }

  private static int end(String text, int start, int from) {
    int quoted = quotedEnd(text, start);
    return quoted > start ? quoted : nameEnd(text, from);
  }

  private static int nameEnd(String text, int from) {
    int end = CharClasses.seek(text, from, CharClasses.PATH_END);
    return CharClasses.trim(text, from, end, ".");
  }

  /** The end of a path with blanks, as in names: it continues if the next word has a separator. */
  private static int spacedEnd(String text, int from, char separator) {
    int end = from;
    while (text.startsWith(" ", end)) {
      int next = nameEnd(text, end + 1);
      int at = text.indexOf(separator, end + 1, next);
      if (at <= end + 1 || text.startsWith("//", next + 1)) {
        return end;
      }
      end = next;
    }
    return end;
  }

  /** The end of the quote around a path with blanks; -1 if there is none. */
  private static int quotedEnd(String text, int start) {
    if (!CharClasses.isAt(text, start - 1, CharClasses.QUOTE)) {
      return -1;
    }
    int limit = Math.min(text.length(), start + QUOTED_MAX);
    int end = text.indexOf(text.charAt(start - 1), start, limit);
    int blank = end < 0 ? -1 : text.indexOf(' ', start, end);
    return blank >= 0 && CharClasses.seekAny(text, blank, end, "/\\") < end ? end : -1;
  }
}
