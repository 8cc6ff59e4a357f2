package gatebook.api.proof;

/**
 * The words that a node whose console is tested has from outside: from its rules and its callers.
 *
 * @param principal the name of a caller
 * @param role of that caller
 * @param tool that a rule denies; matches itself as a pattern
 * @param description of that rule, and of the source
 * @param comment in a policy
 * @param operator the name of an operator with all roles
 */
record ConsoleWords(
    String principal,
    String role,
    String tool,
    String description,
    String comment,
    String operator) {

  /** Words as people use them. */
  static final ConsoleWords PLAIN =
      new ConsoleWords(
          "carol",
          "clerk",
          "delete_order",
          "Orders are kept for ten years.",
          "Payments up to 100 need no person.",
          "erin");

  /** The same text in each place. */
  static ConsoleWords all(String text) {
    return new ConsoleWords(text, text, text, text, text, text);
  }
}
