package gatebook.command.rules;

import gatebook.events.call.Exposure;
import java.util.List;

/** Which of its names a source shows: all, those that match, or those that do not. */
public record Expose(Exposure exposure, List<Glob> patterns) {
  public static final Expose ALL = new Expose(Exposure.ALL, List.of());

  public Expose {
    patterns = List.copyOf(patterns);
  }
}
