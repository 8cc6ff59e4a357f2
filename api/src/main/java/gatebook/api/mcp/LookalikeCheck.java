package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.McpMethod;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Checks for look-alikes: methods and members that differ from governed ones only in case or
 * punctuation. A lenient server could accept them although the gates do not.
 */
public final class LookalikeCheck {

  private static final Set<String> MEMBERS =
      Set.of("name", "uri", "arguments", "ref", "task", "_meta", "notifications");

  private LookalikeCheck() {}

  /** Whether a method is not governed but could be taken for a governed one. */
  public static boolean isLookalike(String method) {
    return !McpMethod.isGoverned(method)
        && McpMethod.governed().stream().anyMatch(it -> letters(it).equals(letters(method)));
  }

  /** A member of the params that could be taken for a governed one; empty when there is none. */
  static Optional<String> lookalike(ObjectMembers params) {
    String found = null;
    for (String name : params.names()) {
      if (!MEMBERS.contains(name) && MEMBERS.contains(name.strip().toLowerCase(Locale.ROOT))) {
        found = name;
      }
    }
    return Optional.ofNullable(found);
  }

  /** Whether the object has a member that is not this one but could be taken for it. */
  static boolean isLookalike(ObjectMembers object, String member) {
    return object.names().stream()
        .anyMatch(name -> !name.equals(member) && letters(name).equals(letters(member)));
  }

  /** Only the letters, in lower case. */
  private static String letters(String method) {
    return method.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }
}
