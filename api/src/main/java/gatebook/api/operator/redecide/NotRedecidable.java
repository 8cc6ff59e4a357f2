package gatebook.api.operator.redecide;

import gatebook.events.call.Dialect;

/**
 * The reason why a call, or part of it, is not redecidable.
 *
 * @param reason one word, for programs
 * @param message a sentence, for people
 */
public record NotRedecidable(String reason, String message) {

  static NotRedecidable dialectNotServed(Dialect dialect) {
    return new NotRedecidable(
        "dialect-not-served",
        "this process does not serve the dialect %s: ask one that does".formatted(dialect.word()));
  }
}
