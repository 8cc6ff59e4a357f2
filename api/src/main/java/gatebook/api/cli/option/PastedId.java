package gatebook.api.cli.option;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * Finds the id in a pasted text: with quotes or a comma around it, after its name, in JSON, or in a
 * line of a log. The console's search box reads ids in the same way.
 */
public final class PastedId implements ITypeConverter<String> {

  private static final String UNREADABLE =
      "'%s' holds no id: give one id, or a text that names it, as in correlation_id: ID";

  /** The names of ids, the most exact first. */
  private static final List<Pattern> NAMED =
      Stream.of("call", "correlation", "approval", "task", "tree", "trace")
          .map(name ->
              Pattern.compile(
                  "(?i)(?<![A-Z])%s[_ -]?id\\\\?[\"']?\\s*[:=]\\s*\\\\?[\"']?([A-Z0-9._:-]{1,128})"
                      .formatted(name)))
          .toList();

  private static final Pattern WITHIN_TEXT =
      Pattern.compile(
          "(?i)\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b"
              + "|\\b[0-9a-f]{2}-(?<trace>[0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}\\b"
              + "|(?<![0-9a-f:])[0-9a-f]{32}(?![0-9a-f])");

  private static final Pattern TRACE_PARENT =
      Pattern.compile("(?i)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern AROUND =
      Pattern.compile("^[\\s\"'`“”‘’«»<(\\[{#,;]+|[\\s\"'`“”‘’«»>)\\]},;.:!?]+$");

  private static final Pattern BLANKS = Pattern.compile("[\\s\\u00a0]+");

  /** Invisible characters that a copied text may contain. */
  private static final Pattern UNSEEN =
      Pattern.compile("[\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff\\u00ad]");

  /** The id in the arguments of a command; throws the error of wrong usage when there is none. */
  public static String in(List<String> arguments, CommandSpec spec) {
    String text = String.join(" ", arguments);
    return find(text)
        .orElseThrow(
            () -> new ParameterException(spec.commandLine(), UNREADABLE.formatted(text.strip())));
  }

  @Override
  public String convert(String text) {
    return find(text).orElseThrow(() -> new TypeConversionException(UNREADABLE.formatted(text)));
  }

  static Optional<String> find(String pasted) {
    String text = BLANKS.matcher(UNSEEN.matcher(pasted).replaceAll("")).replaceAll(" ").strip();
    return named(text).or(() -> word(text)).or(() -> within(text));
  }

  private static Optional<String> named(String text) {
    return NAMED.stream()
        .map(pattern -> pattern.matcher(text))
        .filter(Matcher::find)
        .map(found -> found.group(1).replaceAll("[.:]+$", ""))
        .filter(id -> !id.isEmpty() && !id.equals("null"))
        .findFirst();
  }

  /** The text is one word: the id itself, or a trace with its parts. */
  private static Optional<String> word(String text) {
    String word = AROUND.matcher(text).replaceAll("");
    Matcher trace = TRACE_PARENT.matcher(word);
    if (trace.matches()) {
      return Optional.of(trace.group(1));
    }
    return ID.matcher(word).matches() ? Optional.of(word) : Optional.empty();
  }

  private static Optional<String> within(String text) {
    Matcher found = WITHIN_TEXT.matcher(text);
    if (!found.find()) {
      return Optional.empty();
    }
    return Optional.of(found.group("trace") == null ? found.group() : found.group("trace"));
  }
}
