package gatebook.command.policy;

import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a file into its policies: each ends with the first semicolon that is in no string and no
 * comment. What the engine could not read without overflowing its stack, which would end the whole
 * process, is a mistake here and never reaches it.
 */
final class PolicySplitter {

  /** How deep brackets may nest in one policy, or in a schema. */
  static final int NESTING_MAX = 100;

  /** How many operators one policy may have; lists of values are not counted. */
  static final int OPERATORS_MAX = 2_000;

  private final PolicyFile file;
  private final String text;
  private final List<PolicyText> pieces = new ArrayList<>();
  private final List<Mistake> mistakes = new ArrayList<>();

  private int at;
  private int start = -1;
  private int nesting;
  private int nestingSeen;
  private int operators;

  private PolicySplitter(PolicyFile file) {
    this.file = file;
    this.text = file.text();
  }

  static PolicySplitter ofPolicies(PolicyFile file) {
    PolicySplitter cut = new PolicySplitter(file);
    cut.cut(true);
    return cut;
  }

  /** A schema is one piece. */
  static PolicySplitter ofSchema(PolicyFile file) {
    PolicySplitter whole = new PolicySplitter(file);
    whole.cut(false);
    return whole;
  }

  List<PolicyText> pieces() {
    return pieces;
  }

  List<Mistake> mistakes() {
    return mistakes;
  }

  private void cut(boolean atSemicolons) {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (isBlank(c)) {
        at++;
      } else if (text.startsWith("//", at)) {
        skipComment();
      } else {
        token(c, atSemicolons);
      }
    }
    close();
  }

  private void token(char c, boolean atSemicolons) {
    if (start < 0) {
      start = at;
    }
    if (c == '"') {
      skipString();
    } else if (Character.isJavaIdentifierStart(c)) {
      skipWord();
    } else {
      count(c);
      at++;
    }
    if (c == ';' && atSemicolons) {
      close();
    }
  }

  private void count(char c) {
    switch (c) {
      case '(', '[', '{' -> nestingSeen = Math.max(nestingSeen, ++nesting);
      case ')', ']', '}' -> nesting--;
      case '.', '+', '-', '*', '&', '|' -> operators++;
      default -> {
        // tells nothing of how deep the policy is
      }
    }
  }

  private void close() {
    if (start >= 0) {
      add(new PolicyText(file, start, text.substring(start, at)));
    }
    start = -1;
    nesting = 0;
    nestingSeen = 0;
    operators = 0;
  }

  private void add(PolicyText policyText) {
    if (nestingSeen > NESTING_MAX) {
      mistakes.add(policyText.mistakeAt(0, "brackets nest deeper than %d".formatted(NESTING_MAX)));
    } else if (operators > OPERATORS_MAX) {
      mistakes.add(
          policyText.mistakeAt(0, "more than %d operators: split it".formatted(OPERATORS_MAX)));
    } else {
      pieces.add(policyText);
    }
  }

  private void skipComment() {
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      at++;
    }
  }

  private void skipString() {
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, text.length());
  }

  private void skipWord() {
    int from = at;
    while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      at++;
    }
    if (text.substring(from, at).equals("if")) {
      operators++;
    }
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
