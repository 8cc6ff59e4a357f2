package gatebook.command.rules;

import gatebook.events.call.Exposure;
import java.util.List;

/** Which names of a source are exposed: all, those that match, or those that do not. */
public record ExposeRules(Exposure exposure, List<Glob> patterns) {
  public static final ExposeRules ALL = new ExposeRules(Exposure.ALL, List.of());

  public ExposeRules {
    patterns = List.copyOf(patterns);
  }
}
