package gatebook.api.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Readiness of this node to receive calls. */
@FunctionalInterface
public interface Readiness {

  Status now();

  /**
   * The status that {@code GET /ready} returns.
   *
   * @param checks the result of each check, in one word
   * @param reason why this node is not ready, for operators; null when it is
   * @param durability what an acknowledged record survives: {@code power} or {@code process}
   */
  record Status(Map<String, String> checks, @Nullable String reason, String durability) {

    public boolean ready() {
      return reason == null;
    }
  }
}
