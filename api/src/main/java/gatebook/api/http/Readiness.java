package gatebook.api.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells whether this node may be sent calls now. */
@FunctionalInterface
public interface Readiness {

  Answer now();

  /**
   * What {@code GET /ready} says.
   *
   * @param checks what was looked at, and in one word what was found
   * @param reason what keeps this node from being ready, for operators; null when nothing does
   * @param durability what an acknowledged record survives: {@code power} or {@code process}
   */
  record Answer(Map<String, String> checks, @Nullable String reason, String durability) {

    public boolean ready() {
      return reason == null;
    }
  }
}
