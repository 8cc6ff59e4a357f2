package gatebook.api.operator.methods;

import gatebook.query.Views;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Says in an answer that it would need events that were dropped for good. */
public final class DroppedPart {
  /** The member of an answer: the time through which events were dropped. */
  public static final String MEMBER = "droppedThrough";

  private DroppedPart() {}

  /** The sentence of all answers. */
  public static String sentence(String through) {
    return "events were dropped through " + through;
  }

  public static String sentence(Instant through) {
    return sentence(through.toString());
  }

  /** Adds the time to a result when the answer reaches before it. */
  static void add(Map<String, Object> result, Views views, Optional<Instant> since) {
    views.droppedThrough(since).ifPresent(through -> result.put(MEMBER, through.toString()));
  }

  /**
   * Why something was not found.
   *
   * @param sentence with the one about dropped events, if there are any
   * @param data the time for programs, if there are any
   */
  record NotFound(String sentence, Map<String, String> data) {}

  static NotFound notFound(String sentence, Views views) {
    return views
        .droppedThrough(Optional.empty())
        .map(through ->
            new NotFound(sentence + "; " + sentence(through), Map.of(MEMBER, through.toString())))
        .orElseGet(() -> new NotFound(sentence, Map.of()));
  }
}
