package gatebook.api.wrap;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client's ids of the requests whose news name them. A call has no id on its way, so it is
 * found by what is asked; two that ask the same may change places.
 */
final class Subscriptions {

  private static final String LISTEN = "subscriptions/listen";

  private final Map<String, Deque<String>> idsByParams = new HashMap<>();

  synchronized void begun(String id, String method, @Nullable String params) {
    if (method.equals(LISTEN)) {
      idsByParams.computeIfAbsent(key(params), _ -> new ArrayDeque<>()).add(id);
    }
  }

  /** It was answered, or never forwarded. */
  synchronized void ended(String id, String method, @Nullable String params) {
    Deque<String> ids = idsByParams.get(key(params));
    if (method.equals(LISTEN) && ids != null) {
      ids.remove(id);
      if (ids.isEmpty()) {
        idsByParams.remove(key(params));
      }
    }
  }

  /** The id by which the client knows what is asked; absent for what brings no news. */
  synchronized @Nullable String asker(String method, @Nullable String params) {
    Deque<String> ids = method.equals(LISTEN) ? idsByParams.get(key(params)) : null;
    return ids == null ? null : ids.poll();
  }

  private static String key(@Nullable String params) {
    return params == null ? "" : params;
  }
}
