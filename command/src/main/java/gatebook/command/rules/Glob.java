package gatebook.command.rules;

import java.util.regex.Pattern;

/**
 * A pattern over whole names, case-sensitive: {@code *} is any text, {@code ?} one character,
 * {@code [abc]}, {@code [a-z]} and {@code [!abc]} one of a set.
 */
public record Glob(String pattern) {

  /** Whether the whole name matches. */
  public boolean matches(String name) {
    String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
    return Pattern.compile(regex, Pattern.DOTALL).matcher(name).matches();
  }
}
