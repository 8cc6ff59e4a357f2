package gatebook.api.operator.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;
import gatebook.events.call.Gate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a what-if: what a candidate for the rules changes for the recorded calls of a time.
 * Times are RFC 3339 in UTC.
 *
 * @param format {@link #FORMAT}
 * @param madeAt when it was made
 * @param candidate the hash of the candidate
 * @param rulesThen the hashes of the rules that decided the calls, as far as they fit
 * @param engine the policy engine
 * @param logicVersion of the gates' logic
 * @param changes how many calls each change has, also {@code unchanged}
 * @param groups of changed calls, the most frequent first
 * @param leftOut what the groups do not show; absent when they show everything
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WhatIfReport(
    String format,
    String madeAt,
    String candidate,
    List<String> rulesThen,
    String gatebook,
    String jvm,
    String engine,
    int logicVersion,
    Range range,
    Calls calls,
    Map<String, Long> changes,
    List<Reason> notReplayable,
    SelfCheck selfCheck,
    List<Group> groups,
    @Nullable LeftOut leftOut) {
  public static final String FORMAT = "gatebook.whatif/1";

  public WhatIfReport {
    rulesThen = List.copyOf(rulesThen);
    notReplayable = List.copyOf(notReplayable);
    groups = List.copyOf(groups);
  }

  /**
   * What was read.
   *
   * @param origin of the log
   * @param size of the checkpoint that covers all that was read
   * @param root of that checkpoint, in base64
   * @param after the position before the first event that was read
   * @param upTo the position before which all calls began
   * @param droppedThrough when events were dropped for good that may have been in the range: the
   *     position of the last one
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Range(
      @Nullable String since,
      @Nullable String until,
      String origin,
      long size,
      String root,
      long after,
      long upTo,
      @Nullable Long droppedThrough) {}

  /**
   * The calls of the range.
   *
   * @param recorded in the range
   * @param decided of these, how many were taken for deciding: all, or the sample
   * @param replayed how many the changes count
   * @param sample how many were asked for: those whose ids have the lowest SHA-256
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Calls(long recorded, long decided, long replayed, @Nullable Long sample) {}

  /** Why calls are not replayable; the message is that of the first one. */
  public record Reason(String reason, String message, long count, List<String> examples) {
    public Reason {
      examples = List.copyOf(examples);
    }
  }

  /**
   * The rules of then, which must change nothing.
   *
   * @param agrees how many calls they decide as recorded
   * @param otherLogic how many they decide otherwise, by another version of the gates' logic
   * @param faults how many they decide otherwise, by the same version: faults of Gatebook
   * @param notChecked how many they could not decide again
   */
  public record SelfCheck(
      long agrees, long otherLogic, long faults, long notChecked, List<String> examples) {
    public SelfCheck {
      examples = List.copyOf(examples);
    }
  }

  /**
   * Calls that change alike.
   *
   * @param change a word of {@link gatebook.command.redecide.CallChange}
   * @param gate that refuses or asks; absent when none does
   * @param rule of that gate: the rule or the policies
   * @param code that callers would be told
   * @param first when the first one was received
   * @param last when the last one was received
   * @param examples ids of calls
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Group(
      String change,
      String before,
      String after,
      @Nullable Gate gate,
      @Nullable String rule,
      @Nullable String target,
      String principal,
      @Nullable Integer code,
      long count,
      String first,
      String last,
      List<String> examples) {
    public Group {
      examples = List.copyOf(examples);
    }
  }

  /**
   * The calls that no group shows, since there are too many groups.
   *
   * @param calls how many of each change
   */
  public record LeftOut(Map<String, Long> calls) {}
}
