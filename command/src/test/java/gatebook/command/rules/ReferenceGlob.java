package gatebook.command.rules;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reference implementation of glob patterns that tries every possible match. */
final class ReferenceGlob {

  private static final Pattern SET =
      Pattern.compile("\\[(?<not>!?)(?<body>(?<=!).[^\\]]*|(?<=\\[)[^!][^\\]]*)\\].*");

  private ReferenceGlob() {}

  static boolean isValid(String pattern) {
    return isValid(pattern, true);
  }

  private static boolean isValid(String rest, boolean partBegins) {
    if (rest.isEmpty()) {
      return true;
    }
    if (rest.startsWith("***")) {
      return false;
    }
    if (rest.startsWith("**")) {
      boolean partEnds = rest.length() == 2 || rest.charAt(2) == '/';
      return partBegins && partEnds && isValid(rest.substring(2), false);
    }
    if (rest.startsWith("[")) {
      Matcher set = SET.matcher(rest);
      return set.matches() && isValid(rest.substring(set.end("body") + 1), false);
    }
    return isValid(rest.substring(1), rest.startsWith("/"));
  }

  static boolean matches(String pattern, String name) {
    if (pattern.isEmpty()) {
      return name.isEmpty();
    }
    if (pattern.equals("**")) {
      return true;
    }
    if (pattern.startsWith("**/")) {
      return parts(pattern.substring(3), name);
    }
    if (pattern.startsWith("*")) {
      return star(pattern.substring(1), name);
    }
    if (name.isEmpty()) {
      return false;
    }
    if (pattern.startsWith("[")) {
      return set(pattern, name);
    }
    return (pattern.charAt(0) == '?' || pattern.charAt(0) == name.charAt(0))
        && matches(pattern.substring(1), name.substring(1));
  }

  private static boolean parts(String rest, String name) {
    for (int i = 0; i <= name.length(); i++) {
      boolean partBegins = i == 0 || name.charAt(i - 1) == '/';
      if (partBegins && matches(rest, name.substring(i))) {
        return true;
      }
    }
    return matches(rest, "");
  }

  private static boolean star(String rest, String name) {
    for (int i = 0; i <= name.length(); i++) {
      if (matches(rest, name.substring(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean set(String pattern, String name) {
    Matcher set = SET.matcher(pattern);
    if (!set.matches()) {
      throw new IllegalArgumentException(pattern);
    }
    boolean isIn = isIn(set.group("body"), name.charAt(0));
    return isIn == set.group("not").isEmpty()
        && matches(pattern.substring(set.end("body") + 1), name.substring(1));
  }

  private static boolean isIn(String body, char c) {
    if (body.isEmpty()) {
      return false;
    }
    return (body.length() >= 3 && body.charAt(1) == '-')
        ? (body.charAt(0) <= c && c <= body.charAt(2)) || isIn(body.substring(3), c)
        : body.charAt(0) == c || isIn(body.substring(1), c);
  }
}
