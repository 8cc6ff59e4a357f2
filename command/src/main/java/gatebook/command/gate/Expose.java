package gatebook.command.gate;

import gatebook.events.call.Exposure;
import java.util.Set;

/** Which of its names a source shows: all, those listed, or those not listed. */
public record Expose(Exposure exposure, Set<String> listed) {
  public Expose {
    listed = Set.copyOf(listed);
  }

  boolean shows(String name) {
    return switch (exposure) {
      case ALL -> true;
      case ALLOWLIST -> listed.contains(name);
      case BLOCKLIST -> !listed.contains(name);
    };
  }
}
