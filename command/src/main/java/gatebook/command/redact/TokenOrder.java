package gatebook.command.redact;

import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * The order in which tokens of JSON are one value. A token is known by its first character; what is
 * in a text or a number is not checked.
 */
final class TokenOrder {

  /** No parser of the journal reads what is nested deeper. */
  private static final int DEPTH_MAX = StreamReadConstraints.DEFAULT_MAX_DEPTH;

  private static final char BEGIN = ' ';
  private static final char NAME = 'n';
  private static final char VALUE = 'v';

  /** The brackets that are not closed yet. */
  private final StringBuilder open = new StringBuilder();

  private char last = BEGIN;

  /** Adds a token; false when JSON has no such token here. */
  boolean add(char token) {
    boolean isName = isIn('{') && (last == '{' || last == ',');
    boolean isValue = last == BEGIN || last == ':' || (isIn('[') && (last == '[' || last == ','));
    boolean isAllowed =
        switch (token) {
          case ':' -> last == NAME;
          case ',' -> !open.isEmpty() && last == VALUE;
          case '}' -> isIn('{') && (last == '{' || last == VALUE);
          case ']' -> isIn('[') && (last == '[' || last == VALUE);
          case '"' -> isName || isValue;
          default -> isValue;
        };
    last =
        switch (token) {
          case ',', ':' -> token;
          case '{', '[' -> {
            open.append(token);
            yield token;
          }
          case '}', ']' -> {
            open.setLength(Math.max(0, open.length() - 1));
            yield VALUE;
          }
          default -> isName ? NAME : VALUE;
        };
    return isAllowed && open.length() <= DEPTH_MAX;
  }

  private boolean isIn(char bracket) {
    return !open.isEmpty() && open.charAt(open.length() - 1) == bracket;
  }

  /** Whether the last token is the name of a member. */
  boolean isName() {
    return last == NAME;
  }

  boolean isInObject() {
    return isIn('{');
  }

  /** Whether the tokens are one whole value. */
  boolean isWhole() {
    return open.isEmpty() && last == VALUE;
  }
}
