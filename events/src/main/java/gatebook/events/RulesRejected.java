package gatebook.events;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changed rules were not taken; those of {@code activeHash} stay, or none when it is absent. */
@Named(name = "RulesRejected", version = "1")
public record RulesRejected(String rulesHash, @Nullable String activeHash, List<Mistake> mistakes)
    implements Event {

  public RulesRejected {
    mistakes = List.copyOf(mistakes);
  }

  /** One thing wrong in one place; lines and columns count from 1. */
  public record Mistake(
      String file, @Nullable Integer line, @Nullable Integer column, String message) {}
}
