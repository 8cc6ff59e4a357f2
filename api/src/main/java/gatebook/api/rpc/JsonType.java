package gatebook.api.rpc;

import gatebook.events.call.JsonValue;

/** The names of the types of JSON, which may be told where a value may be a secret. */
public final class JsonType {

  private JsonType() {}

  /** Of a value that was part of a message. */
  public static String of(String json) {
    return switch (json.charAt(0)) {
      case '{' -> "object";
      case '[' -> "array";
      case '"' -> "string";
      case 't', 'f' -> "boolean";
      case 'n' -> "null";
      default -> "number";
    };
  }

  /** The same as a text of JSON. */
  public static JsonValue quotedOf(String json) {
    return JsonValue.parse("\"" + of(json) + "\"");
  }
}
