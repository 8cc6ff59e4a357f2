package gatebook.api.rpc;

import static gatebook.api.rpc.Quoted.quoted;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The same object with one member more, or less; every other one stays as it was written. */
public final class Rewriting {

  private Rewriting() {}

  /**
   * Without a member, or a member of a member, if there is such.
   *
   * @param json an object that was part of a message; anything else stays as it is
   */
  public static String without(String json, String... path) {
    return changed(json, path, _ -> null);
  }

  /** With a member, or a member of a member; objects on the way that lack are made. */
  public static String with(String json, String value, String... path) {
    return changed(json, path, _ -> value);
  }

  private static String changed(
      String json, String[] path, UnaryOperator<@Nullable String> change) {
    if (!json.startsWith("{")) {
      return json;
    }
    Members members = Members.of(json);
    @Nullable String before = members.json(path[0]).orElse(null);
    @Nullable String after = path.length == 1 ? change.apply(before) : inner(before, path, change);
    if (after == null ? before == null : after.equals(before)) {
      return json;
    }
    StringJoiner all = new StringJoiner(",", "{", "}");
    members.forEach((name, value) -> {
      @Nullable String now = name.equals(path[0]) ? after : value;
      if (now != null) {
        all.add(quoted(name) + ":" + now);
      }
    });
    if (before == null && after != null) {
      all.add(quoted(path[0]) + ":" + after);
    }
    return all.toString();
  }

  /** Where nothing is to be put in, nothing is made. */
  private static @Nullable String inner(
      @Nullable String object, String[] path, UnaryOperator<@Nullable String> change) {
    if (object == null && change.apply(null) == null) {
      return null;
    }
    return changed(
        object == null ? "{}" : object, Arrays.copyOfRange(path, 1, path.length), change);
  }
}
