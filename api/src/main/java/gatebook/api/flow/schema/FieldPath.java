package gatebook.api.flow.schema;

import com.networknt.schema.path.NodePath;
import java.util.regex.Pattern;

/** Writes the paths of fields. Names that may be user data are shown as {@code *}. */
public final class FieldPath {
  private static final int CHARS_MAX = 200;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$-]{0,63}");

  private FieldPath() {}

  /** A field of the inputs, as in {@code inputs.items[0].name}. */
  static String ofInputs(NodePath place) {
    StringBuilder path = new StringBuilder("inputs");
    for (int i = 0; i < place.getNameCount(); i++) {
      append(path, place.getElement(i));
    }
    return shortened(path.toString());
  }

  /** A member of a field. */
  static String member(String field, String name) {
    StringBuilder path = new StringBuilder(field);
    append(path, name);
    return shortened(path.toString());
  }

  private static void append(StringBuilder path, Object element) {
    if (element instanceof Integer) {
      path.append('[').append(element).append(']');
    } else {
      path.append('.').append(name(element.toString()));
    }
  }

  public static String name(String name) {
    return NAME.matcher(name).matches() ? name : "*";
  }

  static String shortened(String path) {
    return path.length() > CHARS_MAX ? path.substring(0, CHARS_MAX) + "…" : path;
  }
}
