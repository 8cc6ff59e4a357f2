package gatebook.api.operator.redecide;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import gatebook.events.call.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a call, or part of it, is not redecidable.
 *
 * @param reason one word, for programs
 * @param message a sentence, for people
 * @param droppedThrough the time through which events were dropped; absent unless that is the
 *     reason
 */
@JsonInclude(Include.NON_NULL)
public record NotRedecidable(String reason, String message, @Nullable String droppedThrough) {

  NotRedecidable(String reason, String message) {
    this(reason, message, null);
  }

  static NotRedecidable dialectNotServed(Dialect dialect) {
    return new NotRedecidable(
        "dialect-not-served",
        "this process does not serve the dialect %s: ask one that does".formatted(dialect.word()));
  }
}
