package gatebook.command.redact;

/** Detects source files that are followed by a line number. */
final class SourceFileDetector implements Detector {

  private static final int EXTENSION_MAX = 6;
  private static final int PATH_MAX = 1_024;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if ((c == ':' || c == '(') && isNumber(text, at + 1) && isFile(text, at)) {
        int start = pathStart(text, at);
        if (!isInUrl(text, start)) {
          scrubFindings.add(start, at, SecretKind.PATH);
        }
      }
    }
  }

  private static boolean isNumber(String text, int at) {
    return CharClasses.isAt(text, at, CharClasses.DIGIT)
        || (text.startsWith("line ", at) && CharClasses.isAt(text, at + 5, CharClasses.DIGIT));
  }

  /** Whether the name of a source file ends here. */
  static boolean isFile(String text, int end) {
    int extension = CharClasses.skipBack(text, end, EXTENSION_MAX, CharClasses.ALNUM);
    return extension > 1
        && text.charAt(extension - 1) == '.'
        && CharClasses.isAt(text, extension - 2, CharClasses.SOURCE_PATH)
        && WordList.SOURCE_EXTENSIONS.contains(text.substring(extension, end));
  }

  /** The start of the path that ends here. */
  static int pathStart(String text, int end) {
    return CharClasses.skipBack(text, end, PATH_MAX, CharClasses.SOURCE_PATH);
  }

  /** Whether it belongs to a URL, which stays. */
  private static boolean isInUrl(String text, int start) {
    return text.startsWith("//", start) && text.startsWith(":", start - 1);
  }
}
