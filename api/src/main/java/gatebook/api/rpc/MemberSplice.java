package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import java.util.List;

/**
 * Splices a member into an object or removes one, and leaves every other character as it was sent.
 */
public final class MemberSplice {

  private MemberSplice() {}

  /**
   * The same object with a value at the end of a path: instead of the value there, or as the last
   * member. A value on the path that is no object is replaced by an object.
   *
   * @param json an object that was part of a message; any other value is returned unchanged
   * @param value the text of any JSON value
   */
  public static String with(String json, List<String> path, String value) {
    String name = path.getFirst();
    List<String> further = path.subList(1, path.size());
    return placed(json, name, further.isEmpty() ? value : with(inner(json, name), further, value));
  }

  /** The same for a whole message. */
  public static byte[] with(byte[] message, List<String> path, String value) {
    return with(new String(message, UTF_8), path, value).getBytes(UTF_8);
  }

  /** The same object without the member at the end of a path, if there is one. */
  public static String without(String json, List<String> path) {
    String name = path.getFirst();
    if (path.size() == 1) {
      return removed(json, name);
    }
    return ObjectMembers.of(json)
        .json(name)
        .filter(it -> it.startsWith("{"))
        .map(inner -> placed(json, name, without(inner, path.subList(1, path.size()))))
        .orElse(json);
  }

  private static String inner(String json, String name) {
    return ObjectMembers.of(json).json(name).filter(it -> it.startsWith("{")).orElse("{}");
  }

  private static String placed(String json, String name, String value) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      if (jsonTokens.next() != JsonToken.START_OBJECT) {
        return json;
      }
      boolean isEmpty = true;
      while (jsonTokens.next() == JsonToken.FIELD_NAME) {
        isEmpty = false;
        boolean wanted = jsonTokens.string().equals(name);
        jsonTokens.nextValue();
        if (wanted) {
          return replaced(json, jsonTokens, value);
        }
        jsonTokens.skip();
      }
      int end = (int) jsonTokens.start();
      String member = (isEmpty ? "" : ",") + quoted(name) + ":" + value;
      return json.substring(0, end) + member + json.substring(end);
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not an object of a message that was read", e);
    }
  }

  private static String removed(String json, String name) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      if (jsonTokens.next() != JsonToken.START_OBJECT) {
        return json;
      }
      int before = -1;
      while (jsonTokens.next() == JsonToken.FIELD_NAME) {
        int from = (int) jsonTokens.start();
        boolean wanted = jsonTokens.string().equals(name);
        jsonTokens.nextValue();
        jsonTokens.skip();
        int to = (int) jsonTokens.offset();
        if (wanted) {
          return before < 0 ? withoutFirst(json, from, to, jsonTokens) : cut(json, before, to);
        }
        before = to;
      }
      return json;
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not an object of a message that was read", e);
    }
  }

  /** Removes also the comma, which for the first member stands behind it. */
  private static String withoutFirst(String json, int from, int to, JsonTokens atValue)
      throws JsonSyntaxError {
    boolean isFollowed = atValue.next() == JsonToken.FIELD_NAME;
    return cut(json, from, isFollowed ? (int) atValue.start() : to);
  }

  private static String cut(String json, int from, int to) {
    return json.substring(0, from) + json.substring(to);
  }

  private static String replaced(String json, JsonTokens atValue, String value)
      throws JsonSyntaxError {
    int from = (int) atValue.start();
    atValue.skip();
    return json.substring(0, from) + value + json.substring((int) atValue.offset());
  }
}
