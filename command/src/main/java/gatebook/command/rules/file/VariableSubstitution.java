package gatebook.command.rules.file;

import gatebook.command.rules.file.FilledText.Flaw;
import gatebook.command.rules.file.FilledText.Substitution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Substitutes the environment's variables in a text before it is parsed. Comment lines stay as they
 * are. An empty variable has a value.
 */
final class VariableSubstitution {

  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}\\r\\n]*))?}");

  /** Replaces a variable without a value, so that the rest can still be checked. */
  private static final String PLACEHOLDER = "unset";

  /** The longest text after substitution, in characters. */
  private static final int LENGTH_MAX = 2 * FileContent.BYTES_MAX;

  /** The longest value of a variable. */
  private static final int VALUE_LENGTH_MAX = 1 << 16;

  private final String raw;
  private final Map<String, String> environment;
  private int[] text;
  private int[] origins;
  private final List<Substitution> substitutions = new ArrayList<>();
  private final List<Flaw> flaws = new ArrayList<>();
  private int length;
  private int origin;

  private VariableSubstitution(String raw, Map<String, String> environment) {
    this.raw = raw;
    this.environment = environment;
    this.text = new int[raw.length() + 64];
    this.origins = new int[text.length];
  }

  static FilledText substitute(String raw, Map<String, String> environment) {
    return new VariableSubstitution(raw, environment).substitute();
  }

  /** The text as it is, without any substitution. */
  static FilledText unchanged(String text) {
    VariableSubstitution variableSubstitution = new VariableSubstitution(text, Map.of());
    variableSubstitution.copy(text);
    return variableSubstitution.filledText();
  }

  private FilledText substitute() {
    Matcher variable = VARIABLE.matcher(raw);
    int done = 0;
    for (int start = next(done); start >= 0; start = next(done)) {
      copy(raw.substring(done, start));
      done =
          variable.region(start, raw.length()).lookingAt()
              ? substituteVariable(variable)
              : malformedVariable(start);
    }
    copy(raw.substring(done));
    return filledText();
  }

  private FilledText filledText() {
    append(0); // records the origin of the end
    length--;
    return new FilledText(
        Arrays.copyOf(text, length),
        Arrays.copyOf(origins, length + 1),
        new TextPositions(raw.codePoints().toArray()),
        List.copyOf(substitutions),
        List.copyOf(flaws));
  }

  /** The start of the next variable outside of comment lines; negative when there is none. */
  private int next(int from) {
    int start = raw.indexOf("${", from);
    while (start >= 0 && isInComment(start)) {
      start = raw.indexOf("${", start + 2);
    }
    return start;
  }

  private boolean isInComment(int index) {
    int line = Math.max(raw.lastIndexOf('\n', index), raw.lastIndexOf('\r', index)) + 1;
    return raw.substring(line, index).stripLeading().startsWith("#");
  }

  private int substituteVariable(Matcher variable) {
    String name = variable.group("name");
    @Nullable String value =
        environment.containsKey(name) ? environment.get(name) : variable.group("default");
    if (value == null) {
      insertPlaceholder(
          name,
          "the environment variable %s is not set: set it, or write ${%s:-…} with a default"
              .formatted(name, name));
    } else if (value.codePoints().anyMatch(VariableSubstitution::isBreaking)) {
      insertPlaceholder(
          name,
          "the value of %s has a line break or a control character: give it one line of text"
              .formatted(name));
    } else if (value.length() > VALUE_LENGTH_MAX) {
      insertPlaceholder(
          name,
          "the value of %s has more than %d characters: give it a shorter one"
              .formatted(name, VALUE_LENGTH_MAX));
    } else if (length + value.length() > LENGTH_MAX) {
      insertPlaceholder(
          name,
          "with the value of %s this file is too large: give it a shorter one".formatted(name));
    } else {
      insert(name, value, true);
    }
    origin += raw.codePointCount(variable.start(), variable.end());
    return variable.end();
  }

  private static boolean isBreaking(int codePoint) {
    return Character.isISOControl(codePoint)
        || codePoint == 0x2028
        || codePoint == 0x2029
        || codePoint == 0xFEFF;
  }

  private int malformedVariable(int start) {
    flaws.add(
        new Flaw(origin, "'${' begins a variable: write ${NAME}, or ${NAME:-default} on one line"));
    copy("${");
    return start + 2;
  }

  private void insertPlaceholder(String name, String sentence) {
    flaws.add(new Flaw(origin, sentence));
    insert(name, PLACEHOLDER, false);
  }

  private void insert(String name, String value, boolean hasValue) {
    int start = length;
    value.codePoints().forEach(c -> append(c));
    substitutions.add(new Substitution(start, length, name, hasValue));
  }

  private void copy(String part) {
    part.codePoints()
        .forEach(c -> {
          append(c);
          origin++;
        });
  }

  private void append(int codePoint) {
    if (length == text.length) {
      text = Arrays.copyOf(text, 2 * length);
      origins = Arrays.copyOf(origins, 2 * length);
    }
    origins[length] = origin;
    text[length++] = codePoint;
  }
}
