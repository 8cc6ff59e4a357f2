package gatebook.command.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds passwords in options of one letter, which mean what the program before them says: {@code
 * mysql -pPW}, {@code sshpass -p PW}, {@code curl -u user:PW}.
 */
final class CommandOptionDetector implements Detector {

  private static final int ATTACHED_MIN = 6;

  /** The options of a program; capitals and small letters differ. */
  private record Program(String name, String attached, String separate) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program("mysql", "p", ""),
          new Program("mariadb", "p", ""),
          new Program("sshpass", "p", "p"),
          new Program("mongo", "p", "p"),
          new Program("login", "p", "p"),
          new Program("7z", "p", ""),
          new Program("rar", "p", ""),
          new Program("zip", "P", "P"),
          new Program("unzip", "P", "P"),
          new Program("sqlcmd", "P", "P"),
          new Program("bcp", "P", "P"),
          new Program("redis-cli", "a", "a"),
          new Program("ldap", "w", "w"),
          new Program("openssl", "", "k"));

  private static final String FIRST_LETTERS = "7blmorsuz";
  private static final List<String> USERS = List.of("--user", "--proxy-user", "--userpwd");

  /** The program, without its path, whose options may be secret; empty of any other word. */
  static String program(String word) {
    String name = word.substring(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
    boolean known = name.equals("curl") || (!name.isEmpty() && program(name, 0) != null);
    return known ? name : "";
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    Program program = null;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\n' || c == '|' || c == ';') {
        program = null;
      } else if (!CharClasses.isAt(text, at - 1, CharClasses.WORD)) {
        Program here = c == '-' ? null : program(text, at);
        program = here == null ? program : here;
        if (c == '-') {
          option(text, at, program, scrubFindings);
        }
      }
    }
  }

  private static @Nullable Program program(String text, int at) {
    if (FIRST_LETTERS.indexOf(text.charAt(at)) >= 0) {
      for (Program program : PROGRAMS) {
        if (text.startsWith(program.name, at)) {
          return program;
        }
      }
    }
    return null;
  }

  private static void option(
      String text, int dash, @Nullable Program program, ScrubFindings scrubFindings) {
    if (!CharClasses.isAt(text, dash + 1, CharClasses.UPPER | CharClasses.LOWER)) {
      user(text, dash, scrubFindings);
      return;
    }
    char letter = text.charAt(dash + 1);
    int value = CharClasses.skip(text, dash + 2, CharClasses.BLANK);
    if (letter == 'u' || letter == 'U') {
      userAndPassword(text, value, scrubFindings);
    } else if (value > dash + 2) {
      if (program != null && program.separate.indexOf(letter) >= 0) {
        secret(text, value, scrubFindings);
      }
    } else if (program == null
        ? letter == 'p' && looksLikePassword(text, value)
        : program.attached.indexOf(letter) >= 0) {
      secret(text, value, scrubFindings);
    }
  }

  private static void secret(String text, int start, ScrubFindings scrubFindings) {
    ValueExtent value = word(text, start);
    if (value != null && !text.startsWith("-", start)) {
      scrubFindings.add(value.start(), value.end(), SecretKind.NAMED);
    }
  }

  /** No structure: looking for its end again and again would be slow. */
  private static @Nullable ValueExtent word(String text, int start) {
    boolean structure =
        (text.startsWith("{", start) || text.startsWith("[", start))
            && RedactionMarker.end(text, start) < 0;
    return structure ? null : ValueExtent.of(text, start);
  }

  private static void user(String text, int dash, ScrubFindings scrubFindings) {
    for (String option : USERS) {
      int end = dash + option.length();
      if (text.startsWith(option, dash) && !CharClasses.isAt(text, end, CharClasses.WORD)) {
        int value =
            text.startsWith("=", end) ? end + 1 : CharClasses.skip(text, end, CharClasses.BLANK);
        userAndPassword(text, value, scrubFindings);
      }
    }
  }

  /** The names of users and groups are no secret, and their numbers neither. */
  private static void userAndPassword(String text, int start, ScrubFindings scrubFindings) {
    ValueExtent value = word(text, start);
    int colon = value == null ? -1 : text.indexOf(':', value.start(), value.end());
    if (value == null
        || colon <= value.start()
        || colon + 1 == value.end()
        || text.startsWith("://", colon)
        || text.startsWith("+", start)
        || CharClasses.skip(text, value.start(), CharClasses.DIGIT) == colon) {
      return;
    }
    scrubFindings.add(colon + 1, value.end(), SecretKind.NAMED);
  }

  /** Without a program only what no other option's value looks like. */
  private static boolean looksLikePassword(String text, int start) {
    ValueExtent value = word(text, start);
    if (value == null || value.end() - start < ATTACHED_MIN) {
      return false;
    }
    boolean letters = CharClasses.has(text, start, value.end(), CharClasses.LOWER);
    boolean capitals = CharClasses.has(text, start + 1, value.end(), CharClasses.UPPER);
    boolean digits = CharClasses.has(text, start, value.end(), CharClasses.DIGIT);
    return letters
        && digits
        && (capitals || CharClasses.seekAny(text, start, value.end(), "!@#$%^&*") < value.end());
  }
}
