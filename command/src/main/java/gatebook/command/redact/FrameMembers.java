package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring members of a JSON object that are a frame of a stack trace together: a function, its
 * class or file, and a line number. They are held back until another member or the end shows
 * whether they are one.
 */
final class FrameMembers {

  private static final int HELD_MAX = 16;

  private final List<Held> held = new ArrayList<>();

  /** What a member is in a frame, by its name. */
  private enum Part {
    FUNCTION,
    PLACE,
    LINE,
    FURTHER,
    NONE
  }

  /**
   * A member that is not written yet.
   *
   * @param scrubbedName the name to write
   */
  record Held(String name, String scrubbedName, JsonToken token, String text) {
    boolean isPartOfFrame() {
      return token == JsonToken.VALUE_STRING && part(name) != Part.NONE;
    }
  }

  private static Part part(String name) {
    return switch (name) {
      case "methodName", "functionName", "function" -> Part.FUNCTION;
      case "className", "declaringClass", "fileName", "filename", "file" -> Part.PLACE;
      case "lineNumber", "lineno", "line" -> Part.LINE;
      case "class", "module", "moduleName", "abs_path", "context_line" -> Part.FURTHER;
      default -> Part.NONE;
    };
  }

  /** Whether the name is that of a function, without which there is no frame. */
  static boolean isFunction(String name) {
    return part(name) == Part.FUNCTION;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Whether a member has to be held back. */
  boolean wants(String name, JsonToken value) {
    return (!held.isEmpty() || part(name) != Part.NONE)
        && value.isScalarValue()
        && held.size() < HELD_MAX;
  }

  void hold(Held member) {
    held.add(member);
  }

  /** Whether the members held are a frame. */
  boolean areFrame() {
    return has(Part.FUNCTION, JsonToken.VALUE_STRING)
        && has(Part.PLACE, JsonToken.VALUE_STRING)
        && has(Part.LINE, JsonToken.VALUE_NUMBER_INT);
  }

  private boolean has(Part part, JsonToken token) {
    return held.stream().anyMatch(it -> it.token == token && part(it.name) == part);
  }

  /** The members held, which are held no longer. */
  List<Held> release() {
    List<Held> released = List.copyOf(held);
    held.clear();
    return released;
  }
}
