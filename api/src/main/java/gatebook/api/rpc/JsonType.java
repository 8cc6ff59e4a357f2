package gatebook.api.rpc;

import gatebook.events.call.JsonValue;

/** Names the JSON type of a value; an error may name the type where the value may be a secret. */
public final class JsonType {

  /** What is shown of a text. */
  public static final JsonValue STRING = JsonValue.parse("\"string\"");

  /** What is shown of an object. */
  public static final JsonValue OBJECT = JsonValue.parse("\"object\"");

  private JsonType() {}

  /** The type of a value that was part of a message. */
  public static String of(String json) {
    return of(json.charAt(0));
  }

  /** The type of a value with this first character. */
  static String of(char first) {
    return switch (first) {
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
    return JsonValue.ofText("\"" + of(json) + "\"");
  }
}
