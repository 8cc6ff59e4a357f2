package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;

import com.fasterxml.jackson.core.JsonToken;

/** Rewrites the name in a call, and leaves every other character as it was sent. */
public final class NameRewrite {

  private NameRewrite() {}

  /**
   * The same object with another string as a member, if it has that member and it is a string.
   *
   * @param json an object that was part of a message
   */
  public static String renamed(String json, String member, String name) {
    return replaced(json, member, JsonToken.VALUE_STRING, quoted(name));
  }

  /** Like {@link #renamed(String, String, String)}, for a member of a member that is an object. */
  public static String renamed(String json, String outer, String member, String name) {
    return ObjectMembers.of(json)
        .json(outer)
        .map(object -> replaced(json, outer, JsonToken.START_OBJECT, renamed(object, member, name)))
        .orElse(json);
  }

  private static String replaced(String json, String member, JsonToken type, String value) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      if (jsonTokens.next() == JsonToken.START_OBJECT) {
        while (jsonTokens.next() == JsonToken.FIELD_NAME) {
          boolean wanted = jsonTokens.string().equals(member);
          if (jsonTokens.nextValue() == type && wanted) {
            return replaced(json, jsonTokens, value);
          }
          jsonTokens.skip();
        }
      }
      return json;
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static String replaced(String json, JsonTokens atValue, String value)
      throws JsonSyntaxError {
    int from = (int) atValue.start();
    atValue.slice();
    return json.substring(0, from) + value + json.substring((int) atValue.offset());
  }
}
