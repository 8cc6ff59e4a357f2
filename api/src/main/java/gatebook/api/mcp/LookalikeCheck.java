package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a server that reads sloppily would take for something governed, and the gates would not:
 * methods and members that are written almost like those which count.
 */
public final class LookalikeCheck {

  private static final List<String> METHODS =
      List.of(
          "tools/call",
          "resources/read",
          "resources/subscribe",
          "prompts/get",
          "completion/complete",
          "subscriptions/listen");

  private static final Set<String> MEMBERS =
      Set.of("name", "uri", "arguments", "ref", "task", "_meta", "notifications");

  private LookalikeCheck() {}

  /** Whether a method is no governed one, but could be taken for one. */
  public static boolean isDisguised(String method) {
    return !METHODS.contains(method)
        && METHODS.stream().anyMatch(it -> bare(it).equals(bare(method)));
  }

  /** A member of a governed method's params that could be taken for another. */
  static Optional<String> disguised(ObjectMembers params) {
    AtomicReference<String> found = new AtomicReference<>();
    params.forEach((name, _) -> {
      if (!MEMBERS.contains(name) && MEMBERS.contains(name.strip().toLowerCase(Locale.ROOT))) {
        found.set(name);
      }
    });
    return Optional.ofNullable(found.get());
  }

  /** Whether a member is not this one, but could be taken for it. */
  static boolean isDisguised(ObjectMembers object, String member) {
    AtomicBoolean found = new AtomicBoolean();
    object.forEach((name, _) -> {
      if (!name.equals(member) && bare(name).equals(bare(member))) {
        found.set(true);
      }
    });
    return found.get();
  }

  /** Only its letters, all small. */
  private static String bare(String method) {
    return method.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }
}
