package gatebook.api.operator.redecide;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import gatebook.command.redecide.DecisionDifference;
import gatebook.events.call.Gate;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Ruling;
import gatebook.query.calls.CallStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call step by step and decided again, as operators see it; what is absent is left out.
 *
 * @param arguments as far as they are readable in the journal
 * @param then under the rules it was decided by
 * @param now under the rules in force
 * @param notReplayable why one of both is absent, or both are
 * @param notDecidedAgain what somebody else decided, as it was recorded
 * @param remarks what has to be known to read the rest rightly
 */
@JsonInclude(Include.NON_NULL)
public record RedecidedCall(
    UUID callId,
    @Nullable String correlationId,
    @Nullable KeptContent arguments,
    List<Step> steps,
    @Nullable Then then,
    @Nullable Now now,
    @Nullable NotRedecidable notReplayable,
    List<String> notDecidedAgain,
    List<String> remarks) {

  public RedecidedCall {
    steps = List.copyOf(steps);
    notDecidedAgain = List.copyOf(notDecidedAgain);
    remarks = List.copyOf(remarks);
  }

  /** The same for those who may not see what callers sent. */
  public RedecidedCall withoutArguments() {
    return new RedecidedCall(
        callId, correlationId, null, steps, then, now, notReplayable, notDecidedAgain, remarks);
  }

  /**
   * One event.
   *
   * @param millis since the event before; those of a call that ended add up to its duration
   */
  record Step(long position, String name, String at, long millis, State state) {}

  /** What is known of the call after an event. */
  @JsonInclude(Include.NON_NULL)
  record State(
      CallStatus status,
      @Nullable Gate gate,
      @Nullable Integer code,
      @Nullable String fault,
      @Nullable String principal,
      @Nullable String target,
      @Nullable String source,
      @Nullable String rulesHash,
      @Nullable String workflow,
      @Nullable String approval,
      @Nullable Integer attempts,
      @Nullable Long durationMillis) {}

  /**
   * The decision again as it must have been taken.
   *
   * @param recorded what it came to
   * @param outcome what it comes to again
   * @param source where it would be forwarded to
   */
  @JsonInclude(Include.NON_NULL)
  record Then(
      String rulesHash,
      String activatedAt,
      String recorded,
      String outcome,
      @Nullable String source,
      List<Ruling> rulings,
      boolean agrees,
      List<Differing> differences) {}

  /** The decision as it would be taken now. */
  @JsonInclude(Include.NON_NULL)
  record Now(
      String rulesHash,
      String outcome,
      @Nullable String source,
      List<Ruling> rulings,
      boolean differs,
      List<Differing> differences) {}

  /**
   * Where the record says one thing and deciding again another.
   *
   * @param position of the event that is the record
   * @param gate absent where every gate ruled the same
   * @param recorded the ruling, or a sentence where there is no gate
   */
  @JsonInclude(Include.NON_NULL)
  record Differing(
      long position, @Nullable Gate gate, @Nullable JsonNode recorded, @Nullable JsonNode again) {

    private static final JsonMapper JSON = new JsonMapper();

    static Differing of(DecisionDifference decisionDifference) {
      return switch (decisionDifference) {
        case DecisionDifference.OfGate(var position, var gate, var recorded, var again) ->
            new Differing(position, gate, ruling(recorded), ruling(again));
        case DecisionDifference.OfOutcome(var position, var recorded, var again) ->
            new Differing(
                position,
                null,
                TextNode.valueOf(recorded.sentence()),
                TextNode.valueOf(again.sentence()));
      };
    }

    /** Without what does not count. */
    private static @Nullable JsonNode ruling(@Nullable Ruling ruling) {
      if (ruling == null) {
        return null;
      }
      ObjectNode shown = JSON.valueToTree(ruling);
      return shown.without(List.of("tookMicros", "cached", "engineVersion"));
    }
  }
}
