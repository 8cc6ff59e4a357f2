package gatebook.api.rpc;

import static gatebook.api.rpc.Quoted.quoted;

import com.fasterxml.jackson.core.JsonToken;

/** Gives what a call names another name, and leaves every other character as it was sent. */
public final class Renaming {

  private Renaming() {}

  /**
   * The same object with another text as a member, if it has that member and it is a text.
   *
   * @param json an object that was part of a message
   */
  public static String renamed(String json, String member, String name) {
    return replaced(json, member, JsonToken.VALUE_STRING, quoted(name));
  }

  /** Like {@link #renamed(String, String, String)}, for a member of a member that is an object. */
  public static String renamed(String json, String outer, String member, String name) {
    return Members.of(json)
        .json(outer)
        .map(object -> replaced(json, outer, JsonToken.START_OBJECT, renamed(object, member, name)))
        .orElse(json);
  }

  private static String replaced(String json, String member, JsonToken type, String value) {
    try {
      Tokens tokens = new Tokens(Text.of(json), Integer.MAX_VALUE);
      if (tokens.next() == JsonToken.START_OBJECT) {
        while (tokens.next() == JsonToken.FIELD_NAME) {
          boolean wanted = tokens.string().equals(member);
          if (tokens.nextValue() == type && wanted) {
            return replaced(json, tokens, value);
          }
          tokens.skip();
        }
      }
      return json;
    } catch (NotJson e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static String replaced(String json, Tokens atValue, String value) throws NotJson {
    int from = (int) atValue.start();
    atValue.slice();
    return json.substring(0, from) + value + json.substring((int) atValue.offset());
  }
}
