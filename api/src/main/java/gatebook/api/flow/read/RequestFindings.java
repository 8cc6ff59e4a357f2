package gatebook.api.flow.read;

import gatebook.api.flow.task.FlowCaller;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The findings about a request. The first kind becomes its fault, with all findings of that kind:
 * another user, then wrong parameters, then wrong content of tasks.
 */
public final class RequestFindings {

  /** The most problems that are reported, since each is stored and sent. */
  private static final int EACH_MAX = 100;

  private final List<Problem> params = new ArrayList<>();
  private final List<TaskFault> tasks = new ArrayList<>();
  private boolean namesOtherUser;

  /** Checks the user that a request names, if it names one. */
  void checkUser(Optional<String> user, FlowCaller caller) {
    namesOtherUser |= user.filter(name -> !caller.mayName(name)).isPresent();
  }

  void addParams(List<Problem> problems) {
    problems.stream().limit(EACH_MAX - params.size()).forEach(params::add);
  }

  /** Adds problems of one task. */
  void addTask(@Nullable String taskId, List<Problem> problems) {
    if (!problems.isEmpty() && tasks.size() < EACH_MAX) {
      tasks.add(new TaskFault.InvalidTaskSchema(taskId, problems));
    }
  }

  public Optional<Fault> fault() {
    if (namesOtherUser) {
      return Optional.of(new Misdirected.Unauthorized(Refusal.USER_MISMATCH));
    }
    if (!params.isEmpty()) {
      return Optional.of(new Misdirected.InvalidParams(params));
    }
    return tasks.isEmpty() ? Optional.empty() : Optional.of(TaskFault.of(tasks));
  }
}
