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
import gatebook.query.call.CallStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A redecided call, as operators see it: its steps and both decisions; absent members are left out.
 *
 * @param arguments as far as they are readable in the journal
 * @param then the decision under the recorded rules
 * @param now the decision under the rules in force
 * @param notReplayable why {@code then}, {@code now} or both are absent
 * @param notDecidedAgain recorded facts that came from outside the decision, as an operator's
 *     approval
 * @param remarks notes needed to read the rest correctly
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

  /** A call of which nothing is recorded, where events were dropped. */
  public static RedecidedCall ofDropped(UUID call, String sentence, String droppedThrough) {
    return new RedecidedCall(
        call,
        null,
        null,
        List.of(),
        null,
        null,
        new NotRedecidable("dropped", sentence, droppedThrough),
        List.of(),
        List.of());
  }

  /** The same without arguments, for operators without the role to see them. */
  public RedecidedCall withoutArguments() {
    return new RedecidedCall(
        callId, correlationId, null, steps, then, now, notReplayable, notDecidedAgain, remarks);
  }

  /**
   * One event of the call.
   *
   * @param millis since the previous event; those of an ended call add up to its duration
   */
  record Step(long position, String name, String at, long millis, State state) {}

  /** The state of the call after an event. */
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
   * The decision taken again under the recorded rules; it must agree with the record.
   *
   * @param recorded the recorded outcome
   * @param outcome the outcome of redeciding
   * @param source the source that the call would be forwarded to
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
      List<Difference> differences) {}

  /** The decision under the rules in force. */
  @JsonInclude(Include.NON_NULL)
  record Now(
      String rulesHash,
      String outcome,
      @Nullable String source,
      List<Ruling> rulings,
      boolean differs,
      List<Difference> differences) {}

  /**
   * A difference between the record and the redecision.
   *
   * @param position of the recorded event
   * @param gate absent where every gate ruled the same
   * @param recorded the ruling, or a sentence where there is no gate
   */
  @JsonInclude(Include.NON_NULL)
  record Difference(
      long position, @Nullable Gate gate, @Nullable JsonNode recorded, @Nullable JsonNode again) {

    private static final JsonMapper JSON = new JsonMapper();

    static Difference of(DecisionDifference decisionDifference) {
      return switch (decisionDifference) {
        case DecisionDifference.GateDifference(var position, var gate, var recorded, var again) ->
            new Difference(position, gate, ruling(recorded), ruling(again));
        case DecisionDifference.OutcomeDifference(var position, var recorded, var again) ->
            new Difference(
                position,
                null,
                TextNode.valueOf(recorded.description()),
                TextNode.valueOf(again.description()));
      };
    }

    /** The ruling without members that do not count as a difference. */
    private static @Nullable JsonNode ruling(@Nullable Ruling ruling) {
      if (ruling == null) {
        return null;
      }
      ObjectNode shown = JSON.valueToTree(ruling);
      return shown.without(List.of("tookMicros", "cached", "engineVersion"));
    }
  }
}
