package gatebook.api.operator.redecide;

/**
 * Why a call, or part of it, cannot be decided again.
 *
 * @param reason one word, for programs
 * @param message a sentence, for people
 */
record NotRedecidable(String reason, String message) {}
