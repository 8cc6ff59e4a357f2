package gatebook.command.redact;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects passwords in command options of one letter, whose meaning depends on the program before
 * them: {@code mysql -pPW}, {@code sshpass -p PW}, {@code curl -u user:PW}.
 */
final class CommandOptionDetector implements Detector {

  private static final int ATTACHED_MIN = 6;

  /** The password options of a program, case-sensitive, with attached or separate values. */
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

  private static final String FIRST_LETTERS =
      PROGRAMS.stream().map(program -> program.name.substring(0, 1)).collect(joining());

  private static final List<String> USER_OPTIONS = List.of("--user", "--proxy-user", "--userpwd");

  /** The name of a program whose options may be secret, without its path; empty for other words. */
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
          findOption(text, at, program, scrubFindings);
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

  private static void findOption(
      String text, int dash, @Nullable Program program, ScrubFindings scrubFindings) {
    if (!CharClasses.isAt(text, dash + 1, CharClasses.UPPER | CharClasses.LOWER)) {
      findUserOption(text, dash, scrubFindings);
      return;
    }
    char letter = text.charAt(dash + 1);
    int value = CharClasses.skip(text, dash + 2, CharClasses.BLANK);
    if (letter == 'u' || letter == 'U') {
      addPassword(text, value, scrubFindings);
    } else if (value > dash + 2) {
      if (program != null && program.separate.indexOf(letter) >= 0) {
        addSecret(text, value, scrubFindings);
      }
    } else if (program == null
        ? letter == 'p' && looksLikePassword(text, value)
        : program.attached.indexOf(letter) >= 0) {
      addSecret(text, value, scrubFindings);
    }
  }

  private static void addSecret(String text, int start, ScrubFindings scrubFindings) {
    ValueExtent value = valueExtent(text, start);
    if (value != null && !text.startsWith("-", start)) {
      scrubFindings.add(value.start(), value.end(), SecretKind.NAMED);
    }
  }

  /** Skips structures: searching for their end repeatedly would be slow. */
  private static @Nullable ValueExtent valueExtent(String text, int start) {
    boolean structure =
        (text.startsWith("{", start) || text.startsWith("[", start))
            && RedactionMarker.end(text, start) < 0;
    return structure ? null : ValueExtent.of(text, start);
  }

  private static void findUserOption(String text, int dash, ScrubFindings scrubFindings) {
    for (String option : USER_OPTIONS) {
      int end = dash + option.length();
      if (text.startsWith(option, dash) && !CharClasses.isAt(text, end, CharClasses.WORD)) {
        int value =
            text.startsWith("=", end) ? end + 1 : CharClasses.skip(text, end, CharClasses.BLANK);
        addPassword(text, value, scrubFindings);
      }
    }
  }

  /** Adds the password of {@code user:password}. Names and numbers of users are no secrets. */
  private static void addPassword(String text, int start, ScrubFindings scrubFindings) {
    ValueExtent value = valueExtent(text, start);
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

  /** Without a known program, only a value that no other option's value looks like. */
  private static boolean looksLikePassword(String text, int start) {
    ValueExtent value = valueExtent(text, start);
    if (value == null || value.end() - start < ATTACHED_MIN) {
      return false;
    }
    boolean letters = CharClasses.contains(text, start, value.end(), CharClasses.LOWER);
    boolean capitals = CharClasses.contains(text, start + 1, value.end(), CharClasses.UPPER);
    boolean digits = CharClasses.contains(text, start, value.end(), CharClasses.DIGIT);
    return letters
        && digits
        && (capitals || CharClasses.seekAny(text, start, value.end(), "!@#$%^&*") < value.end());
  }
}
