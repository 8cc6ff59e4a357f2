package gatebook.api.flow.read;

import static gatebook.api.rpc.RequestMember.optional;
import static gatebook.api.rpc.RequestMember.required;

import gatebook.api.flow.task.ExecutorFields;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Any;
import gatebook.api.rpc.MemberType.Array;
import gatebook.api.rpc.MemberType.Either;
import gatebook.api.rpc.MemberType.Flag;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The declared members of a task in one profile; any others are kept as they are. */
public final class TaskMembers {
  public static final String COMPUTED = "Computed by the server";

  private static final int CHARS_MAX = 255;
  private static final Text SHORT = Text.between(1, CHARS_MAX);

  static final RequestMember NAME = required("name", SHORT, "The name.");
  static final RequestMember PRIORITY =
      optional("priority", Whole.between(0, 3), "The tasks with the least number run first.")
          .byDefault(2);
  static final RequestMember INPUTS =
      optional("inputs", Members.ANY, "The arguments of the executor.");

  static final RequestMember ORIGIN_TYPE =
      optional(
          "origin_type",
          Word.of(List.of("archive", "copy", "create", "link")),
          "Whether the task is a copy; links and archives are made by tasks.clone.");

  static final RequestMember SCHEDULE_TYPE =
      optional("schedule_type", Word.of(ScheduleFields.TYPES), "The form of the schedule.");
  static final RequestMember SCHEDULE_EXPRESSION =
      optional("schedule_expression", SHORT, "The schedule, which is stored and runs nothing.");
  static final RequestMember SCHEDULE_ENABLED =
      optional("schedule_enabled", new Flag(), "Whether there must be a schedule.")
          .byDefault(false);
  static final RequestMember SCHEDULE_START =
      optional("schedule_start_at", ScheduleTimes.TYPE, "When the schedule begins.");
  static final RequestMember SCHEDULE_END =
      optional("schedule_end_at", ScheduleTimes.TYPE, "When the schedule ends.");

  static final RequestMember REQUIRED =
      optional("required", new Flag(), "Whether the other task must be completed.").byDefault(true);
  static final RequestMember OTHER_NAME = optional("name", SHORT, "The name of the other task.");

  final RequestMember id;
  final RequestMember parentId;
  final RequestMember originalTaskId;
  final RequestMember otherId;
  final RequestMember dependencies;
  final List<RequestMember> all;

  TaskMembers(FlowProfile profile, MemberType idType) {
    this.id = optional("id", idType, "The id; a random one by default.");
    this.parentId = optional("parent_id", idType, "The parent; a root has none.");
    this.originalTaskId = optional("original_task_id", idType, "The source of a copy.");
    RequestMember other = optional("id", idType, "The other task.");
    this.otherId = profile == FlowProfile.CLIENT ? other : other.mandatory();
    this.dependencies =
        optional(
            "dependencies",
            profile == FlowProfile.CLIENT
                ? Array.of(
                    new Either(
                        List.of(Members.of(List.of(other, OTHER_NAME, REQUIRED)), SHORT),
                        "object or string"),
                    "an array of objects, or of ids and names")
                : Array.of(Members.of(List.of(otherId, REQUIRED)), "an array of objects"),
            "The tasks that this one waits for.");
    this.all =
        Stream.of(
                NAME,
                id,
                parentId,
                optional("user_id", SHORT, "The user, who can only be the caller."),
                PRIORITY,
                INPUTS,
                ExecutorFields.PARAMS,
                ExecutorFields.schemas(profile),
                dependencies,
                computed("result"),
                computed("error"),
                computed("created_at"),
                computed("started_at"),
                computed("updated_at"),
                computed("completed_at"),
                computed("next_run_at"),
                computed("last_run_at"),
                computed("has_references", "false"),
                computed("progress", "0", "0.0"),
                computed("run_count", "0"),
                computed("status", "\"pending\""),
                ORIGIN_TYPE,
                originalTaskId,
                SCHEDULE_TYPE,
                SCHEDULE_EXPRESSION,
                SCHEDULE_ENABLED,
                SCHEDULE_START,
                SCHEDULE_END,
                optional(
                    "max_runs",
                    Whole.between(0, Integer.MAX_VALUE),
                    "How often the schedule runs the task."))
            .toList();
  }

  /**
   * A member that the gateway computes. A new task may have its initial value, since a task that
   * was read has it, too; it may have no other.
   *
   * @param initial the initial value as it may be written; null where there is none
   */
  private static RequestMember computed(String name, String... initial) {
    String expected = initial.length == 0 ? "null" : initial[0].replace("\"", "");
    return optional(
        name,
        new Some(new Any(), COMPUTED, expected, Set.of(initial)::contains),
        "It is computed, and has its initial value in a new task.");
  }
}
