package gatebook.api.rpc;

import static gatebook.api.rpc.Quoted.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import java.util.List;

/**
 * Puts a value into an object or takes one out, and leaves every other character as it was sent.
 */
public final class Splicing {

  private Splicing() {}

  /**
   * The same object with a value at the end of a path: in the place of the one that is there, or
   * behind all others. What leads there and is no object becomes one.
   *
   * @param json an object that was part of a message; of anything else nothing is changed
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

  /** The same object without what is at the end of a path, if there is anything. */
  public static String without(String json, List<String> path) {
    String name = path.getFirst();
    if (path.size() == 1) {
      return removed(json, name);
    }
    return Members.of(json)
        .json(name)
        .filter(it -> it.startsWith("{"))
        .map(inner -> placed(json, name, without(inner, path.subList(1, path.size()))))
        .orElse(json);
  }

  private static String inner(String json, String name) {
    return Members.of(json).json(name).filter(it -> it.startsWith("{")).orElse("{}");
  }

  private static String placed(String json, String name, String value) {
    try {
      Tokens tokens = new Tokens(Text.of(json), Integer.MAX_VALUE);
      if (tokens.next() != JsonToken.START_OBJECT) {
        return json;
      }
      boolean isEmpty = true;
      while (tokens.next() == JsonToken.FIELD_NAME) {
        isEmpty = false;
        boolean wanted = tokens.string().equals(name);
        tokens.nextValue();
        if (wanted) {
          return replaced(json, tokens, value);
        }
        tokens.skip();
      }
      int end = (int) tokens.start();
      String member = (isEmpty ? "" : ",") + quoted(name) + ":" + value;
      return json.substring(0, end) + member + json.substring(end);
    } catch (NotJson e) {
      throw new IllegalArgumentException("not an object of a message that was read", e);
    }
  }

  private static String removed(String json, String name) {
    try {
      Tokens tokens = new Tokens(Text.of(json), Integer.MAX_VALUE);
      if (tokens.next() != JsonToken.START_OBJECT) {
        return json;
      }
      int before = -1;
      while (tokens.next() == JsonToken.FIELD_NAME) {
        int from = (int) tokens.start();
        boolean wanted = tokens.string().equals(name);
        tokens.nextValue();
        tokens.skip();
        int to = (int) tokens.offset();
        if (wanted) {
          return before < 0 ? withoutFirst(json, from, to, tokens) : cut(json, before, to);
        }
        before = to;
      }
      return json;
    } catch (NotJson e) {
      throw new IllegalArgumentException("not an object of a message that was read", e);
    }
  }

  /** The comma goes too, which stands behind only the first. */
  private static String withoutFirst(String json, int from, int to, Tokens atValue) throws NotJson {
    boolean isFollowed = atValue.next() == JsonToken.FIELD_NAME;
    return cut(json, from, isFollowed ? (int) atValue.start() : to);
  }

  private static String cut(String json, int from, int to) {
    return json.substring(0, from) + json.substring(to);
  }

  private static String replaced(String json, Tokens atValue, String value) throws NotJson {
    int from = (int) atValue.start();
    atValue.skip();
    return json.substring(0, from) + value + json.substring((int) atValue.offset());
  }
}
