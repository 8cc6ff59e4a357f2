package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Neighbouring members of a JSON object that are a frame of a stack trace together: a function, its
 * class or file, and a line number. They are held back until another member or the end shows
 * whether they are one.
 */
final class FrameMembers {

  private static final int HELD_MAX = 16;

  private static final Set<String> FUNCTIONS = Set.of("methodName", "functionName", "function");
  private static final Set<String> LINES = Set.of("lineNumber", "lineno", "line");
  private static final Set<String> PLACES =
      Set.of("className", "declaringClass", "fileName", "filename", "file");
  private static final Set<String> FURTHER =
      Set.of("class", "module", "moduleName", "abs_path", "context_line");

  private final List<Held> held = new ArrayList<>();

  /**
   * A member that is not written yet.
   *
   * @param scrubbedName the name to write
   */
  record Held(String name, String scrubbedName, JsonToken token, String text) {
    boolean isPartOfFrame() {
      return token == JsonToken.VALUE_STRING
          && (FUNCTIONS.contains(name) || PLACES.contains(name) || FURTHER.contains(name));
    }
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Whether a member has to be held back. */
  boolean wants(String name, JsonToken value) {
    return value.isScalarValue()
        && held.size() < HELD_MAX
        && (!held.isEmpty()
            || FUNCTIONS.contains(name)
            || PLACES.contains(name)
            || LINES.contains(name)
            || FURTHER.contains(name));
  }

  void hold(Held member) {
    held.add(member);
  }

  /** Whether the members held are a frame. */
  boolean areFrame() {
    return has(FUNCTIONS, JsonToken.VALUE_STRING)
        && has(PLACES, JsonToken.VALUE_STRING)
        && has(LINES, JsonToken.VALUE_NUMBER_INT);
  }

  private boolean has(Set<String> names, JsonToken token) {
    return held.stream().anyMatch(it -> it.token == token && names.contains(it.name));
  }

  /** The members held, which are held no longer. */
  List<Held> release() {
    List<Held> released = List.copyOf(held);
    held.clear();
    return released;
  }
}
