package gatebook.api.flow.task;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Writes an object with some of its members replaced and others added, in one pass. */
public final class MergedObject {

  private MergedObject() {}

  /**
   * The object with other members, whose values stay exactly as they are.
   *
   * @param others the JSON of members: they replace those of their names or follow the others
   */
  public static String of(String json, Map<String, String> others) {
    StringBuilder text = new StringBuilder(json.length() + 64 * others.size());
    append(text, json, others);
    return text.toString();
  }

  static void append(StringBuilder text, String json, Map<String, String> others) {
    Set<String> written = new HashSet<>();
    text.append('{');
    ObjectMembers.of(json)
        .forEach((name, value) -> {
          written.add(name);
          member(text, name, others.getOrDefault(name, value));
        });
    others.forEach((name, value) -> {
      if (!written.contains(name)) {
        member(text, name, value);
      }
    });
    text.append('}');
  }

  private static void member(StringBuilder text, String name, String value) {
    if (text.charAt(text.length() - 1) != '{') {
      text.append(',');
    }
    text.append(quoted(name)).append(':').append(value);
  }
}
