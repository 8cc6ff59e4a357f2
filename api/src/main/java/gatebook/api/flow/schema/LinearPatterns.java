package gatebook.api.flow.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Patterns of one schema that match in linear time, whatever the text. Patterns that need
 * backtracking (assertions about what is ahead or behind, back references) are not supported.
 */
final class LinearPatterns implements RegularExpressionFactory {
  private static final int CHARS_MAX = 1_000;
  private static final int INSTRUCTIONS_MAX = 10_000;
  private static final int ALL_INSTRUCTIONS_MAX = 50_000;

  /** Instructions on characters that take about as long as one step. */
  private static final int PER_STEP = 16;

  private final List<String> unsupported = new ArrayList<>();
  private int instructions;

  /** The unsupported patterns; whether a text matches them is unknown. */
  List<String> unsupported() {
    return Collections.unmodifiableList(unsupported);
  }

  @Override
  public RegularExpression getRegularExpression(String regex) {
    if (regex.length() <= CHARS_MAX
        && PatternSize.of(regex) <= INSTRUCTIONS_MAX
        && instructions < ALL_INSTRUCTIONS_MAX) {
      try {
        Pattern pattern = Pattern.compile(EcmaPattern.translate(regex));
        instructions += pattern.programSize();
        return text -> matches(pattern, text);
      } catch (PatternSyntaxException e) {
        // counted below: the library would log it with the pattern
      }
    }
    unsupported.add(regex);
    return _ -> true;
  }

  private static boolean matches(Pattern pattern, String text) {
    SchemaSteps.takeCurrent(1 + (text.length() + 1L) * pattern.programSize() / PER_STEP);
    return pattern.matcher(text).find();
  }
}
