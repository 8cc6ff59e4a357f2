package gatebook.command.policy;

import gatebook.command.policy.check.LocatedPolicy;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a policy file into policies: each ends with the first semicolon outside of strings and
 * comments. A policy that would overflow the engine's stack, and so end the whole process, is a
 * mistake here and never reaches the engine.
 */
final class PolicySplitter {

  /** The deepest nesting of brackets in one policy, or in a schema. */
  static final int NESTING_MAX = 100;

  /** The most operators in one policy; lists of values do not count. */
  static final int OPERATORS_MAX = 2_000;

  private final PolicyFile file;
  private final String text;
  private final List<LocatedPolicy> policies = new ArrayList<>();
  private final List<Mistake> mistakes = new ArrayList<>();

  private int at;
  private int start = -1;
  private int nesting;
  private int deepestNesting;
  private int operators;

  private PolicySplitter(PolicyFile file) {
    this.file = file;
    this.text = file.text();
  }

  static PolicySplitter ofPolicies(PolicyFile file) {
    PolicySplitter splitter = new PolicySplitter(file);
    splitter.split(true);
    return splitter;
  }

  /** Takes the whole schema as one text. */
  static PolicySplitter ofSchema(PolicyFile file) {
    PolicySplitter whole = new PolicySplitter(file);
    whole.split(false);
    return whole;
  }

  List<LocatedPolicy> policies() {
    return policies;
  }

  List<Mistake> mistakes() {
    return mistakes;
  }

  private void split(boolean atSemicolons) {
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
    endPolicy();
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
      endPolicy();
    }
  }

  private void count(char c) {
    switch (c) {
      case '(', '[', '{' -> deepestNesting = Math.max(deepestNesting, ++nesting);
      case ')', ']', '}' -> nesting--;
      case '.', '+', '-', '*', '&', '|' -> operators++;
      default -> {
        // does not affect how deep the policy is
      }
    }
  }

  private void endPolicy() {
    if (start >= 0) {
      add(new LocatedPolicy(file.name(), text, start, text.substring(start, at)));
    }
    start = -1;
    nesting = 0;
    deepestNesting = 0;
    operators = 0;
  }

  private void add(LocatedPolicy locatedPolicy) {
    if (deepestNesting > NESTING_MAX) {
      mistakes.add(
          locatedPolicy.mistakeAt(0, "brackets nest deeper than %d".formatted(NESTING_MAX)));
    } else if (operators > OPERATORS_MAX) {
      mistakes.add(
          locatedPolicy.mistakeAt(0, "more than %d operators: split it".formatted(OPERATORS_MAX)));
    } else {
      policies.add(locatedPolicy);
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
