package gatebook.api.dialect;

import gatebook.events.fault.Denied.ToolNotExposed;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.UnknownSkill;
import java.util.stream.Stream;

/**
 * Gives callers of A2A the same error for a skill that gate 1 hides as for one that does not exist.
 */
final class HiddenSkill {
  private static final String SKILLS = "skills/";

  private HiddenSkill() {}

  /** The fault that a caller is told. */
  static Fault told(Fault fault) {
    return fault instanceof ToolNotExposed(var name, var source, var content) && content == null
        ? told(name, source == null ? "" : source + "/", fault)
        : fault;
  }

  /** An agent's skills are below its id; a tool of the built-in agent is a skill by its name. */
  private static Fault told(String name, String folder, Fault fault) {
    if (!folder.isEmpty() && name.startsWith(folder + SKILLS)) {
      return new UnknownSkill(name.substring(folder.length() + SKILLS.length()));
    }
    boolean isMethod =
        Stream.of(A2aMethod.values()).anyMatch(method -> name.equals(folder + method.latestName()));
    return isMethod ? fault : new UnknownSkill(name);
  }
}
