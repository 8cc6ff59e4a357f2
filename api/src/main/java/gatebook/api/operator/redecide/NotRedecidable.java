package gatebook.api.operator.redecide;

/**
 * The reason why a call, or part of it, is not redecidable.
 *
 * @param reason one word, for programs
 * @param message a sentence, for people
 */
record NotRedecidable(String reason, String message) {}
