package gatebook.command.rules.file;

import gatebook.command.rules.file.FilledText.Flaw;
import gatebook.command.rules.file.FilledText.Spot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the environment's values into a text, before anything else is made of it. Lines that are
 * comments stay as they are. A variable that is empty has a value.
 */
final class VariableSubstitution {

  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}\\r\\n]*))?}");

  /** Stands where a variable has no value, so that the rest can still be looked at. */
  private static final String UNKNOWN = "unset";

  /** What a text may grow to by its values, in characters. */
  private static final int LENGTH_MAX = 2 * FileContent.BYTES_MAX;

  /** How long one value may be. */
  private static final int VALUE_LENGTH_MAX = 1 << 16;

  private final String raw;
  private final Map<String, String> environment;
  private int[] text;
  private int[] origins;
  private final List<Spot> spots = new ArrayList<>();
  private final List<Flaw> flaws = new ArrayList<>();
  private int length;
  private int origin;

  private VariableSubstitution(String raw, Map<String, String> environment) {
    this.raw = raw;
    this.environment = environment;
    this.text = new int[raw.length() + 64];
    this.origins = new int[text.length];
  }

  static FilledText fill(String raw, Map<String, String> environment) {
    return new VariableSubstitution(raw, environment).fill();
  }

  /** A text into which nothing is put, whatever in it looks like a variable. */
  static FilledText asItIs(String text) {
    VariableSubstitution variableSubstitution = new VariableSubstitution(text, Map.of());
    variableSubstitution.copy(text);
    return variableSubstitution.filled();
  }

  private FilledText fill() {
    Matcher variable = VARIABLE.matcher(raw);
    int done = 0;
    for (int start = next(done); start >= 0; start = next(done)) {
      copy(raw.substring(done, start));
      done = variable.region(start, raw.length()).lookingAt() ? put(variable) : odd(start);
    }
    copy(raw.substring(done));
    return filled();
  }

  private FilledText filled() {
    append(0); // the end came from somewhere too
    length--;
    return new FilledText(
        Arrays.copyOf(text, length),
        Arrays.copyOf(origins, length + 1),
        new TextPositions(raw.codePoints().toArray()),
        List.copyOf(spots),
        List.copyOf(flaws));
  }

  /**
   * Where the next variable begins that is not in a line of comment; negative when there is none.
   */
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

  private int put(Matcher variable) {
    String name = variable.group("name");
    @Nullable String value =
        environment.containsKey(name) ? environment.get(name) : variable.group("default");
    if (value == null) {
      unknown(
          name,
          "the environment variable %s is not set: set it, or write ${%s:-…} with a default"
              .formatted(name, name));
    } else if (value.codePoints().anyMatch(VariableSubstitution::isBreaking)) {
      unknown(
          name,
          "the value of %s has a line break or a control character: give it one line of text"
              .formatted(name));
    } else if (value.length() > VALUE_LENGTH_MAX) {
      unknown(
          name,
          "the value of %s has more than %d characters: give it a shorter one"
              .formatted(name, VALUE_LENGTH_MAX));
    } else if (length + value.length() > LENGTH_MAX) {
      unknown(
          name,
          "with the value of %s this file is too large: give it a shorter one".formatted(name));
    } else {
      place(name, value, true);
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

  private int odd(int start) {
    flaws.add(
        new Flaw(origin, "'${' begins a variable: write ${NAME}, or ${NAME:-default} on one line"));
    copy("${");
    return start + 2;
  }

  private void unknown(String name, String sentence) {
    flaws.add(new Flaw(origin, sentence));
    place(name, UNKNOWN, false);
  }

  private void place(String name, String value, boolean known) {
    int start = length;
    value.codePoints().forEach(c -> append(c));
    spots.add(new Spot(start, length, name, known));
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
