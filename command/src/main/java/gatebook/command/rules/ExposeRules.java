package gatebook.command.rules;

import gatebook.events.call.Exposure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which names of a source are exposed: all, those that match, or those that do not. */
public record ExposeRules(Exposure exposure, List<Glob> patterns) {
  public static final ExposeRules ALL = new ExposeRules(Exposure.ALL, List.of());

  public ExposeRules {
    patterns = List.copyOf(patterns);
  }

  /**
   * The first pattern that matches the name; null when none does. A blocklist also sees the name
   * normalised.
   */
  public @Nullable Glob firstMatch(String name) {
    String normalised = exposure == Exposure.BLOCKLIST ? NormalisedName.of(name) : name;
    for (Glob glob : patterns) {
      if (exposure == Exposure.BLOCKLIST
          ? glob.matchesEither(name, normalised)
          : glob.matches(name)) {
        return glob;
      }
    }
    return null;
  }
}
