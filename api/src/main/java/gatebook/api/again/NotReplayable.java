package gatebook.api.again;

/**
 * Why a call, or part of it, cannot be decided again.
 *
 * @param reason one word, for programs
 * @param message a sentence, for people
 */
record NotReplayable(String reason, String message) {}
