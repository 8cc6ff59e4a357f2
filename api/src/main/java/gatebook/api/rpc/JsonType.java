package gatebook.api.rpc;

import gatebook.events.call.JsonValue;

/** Names the JSON type of a value; an error may name the type where the value may be a secret. */
public final class JsonType {

  private JsonType() {}

  /** The type of a value that was part of a message. */
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

  /** The type as a JSON string. */
  public static JsonValue quotedOf(String json) {
    return JsonValue.parse("\"" + of(json) + "\"");
  }
}
