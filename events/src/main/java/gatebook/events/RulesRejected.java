package gatebook.events;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changed rules were rejected; those of {@code activeHash} stay active, or none when it is absent.
 */
@Named(name = "RulesRejected", version = "1")
public record RulesRejected(String rulesHash, @Nullable String activeHash, List<Mistake> mistakes)
    implements Event {

  public RulesRejected {
    mistakes = List.copyOf(mistakes);
  }

  /** One mistake at one place; lines and columns count from 1. */
  public record Mistake(
      String file, @Nullable Integer line, @Nullable Integer column, String message) {}
}
