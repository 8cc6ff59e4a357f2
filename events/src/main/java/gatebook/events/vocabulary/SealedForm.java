package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of an event whose content is sealed: the other members, then the member {@code sealed}
 * with the id of the content key and the sealed content in base64.
 *
 * <p>It is written in one form only, which is recognised by its end, so that nothing else needs to
 * be parsed. No text within JSON ends like it, because quotes are escaped in texts.
 *
 * @param json as it is stored
 * @param plainEnd the place after the last of the other members
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
record SealedForm(byte[] json, int plainEnd, String keyId, byte[] content) {
  private static final byte MARK = '~';
  private static final byte[] KEY = ",\"sealed\":{\"key\":\"".getBytes(UTF_8);
  private static final byte[] CONTENT = "\",\"content\":\"".getBytes(UTF_8);
  private static final byte[] END = "\"}}".getBytes(UTF_8);

  /** The JSON with the sealed content; it has at least one other member. */
  static byte[] write(byte[] plain, String keyId, byte[] content) {
    byte[] key = keyId.getBytes(UTF_8);
    byte[] base64 = Base64.getEncoder().encode(content);
    int members = plain.length - 1;
    int sealed = KEY.length + key.length + CONTENT.length + base64.length + END.length;
    return ByteBuffer.allocate(members + sealed)
        .put(plain, 0, members)
        .put(KEY)
        .put(key)
        .put(CONTENT)
        .put(base64)
        .put(END)
        .array();
  }

  /** Reads the JSON of an event; null when it has no sealed content. */
  static @Nullable SealedForm read(byte[] json) {
    int end = json.length - END.length;
    if (end < 0 || !has(json, end, END)) {
      return null;
    }
    int start = end;
    while (start > 0 && json[start - 1] != '"') {
      start--;
    }
    int keyEnd = start - CONTENT.length;
    if (keyEnd < 0 || !has(json, keyEnd, CONTENT)) {
      return null;
    }
    int key = keyEnd;
    while (key > 0 && json[key - 1] != '"') {
      key--;
    }
    int plainEnd = key - KEY.length;
    if (plainEnd < 0 || !has(json, plainEnd, KEY)) {
      return null;
    }
    try {
      byte[] content = Base64.getDecoder().decode(Arrays.copyOfRange(json, start, end));
      return new SealedForm(json, plainEnd, new String(json, key, keyEnd - key, UTF_8), content);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static boolean has(byte[] json, int at, byte[] part) {
    return Arrays.equals(json, at, at + part.length, part, 0, part.length);
  }

  /** The JSON without the sealed content: each place of a value keeps its number. */
  byte[] withoutContent() {
    byte[] without = Arrays.copyOf(json, plainEnd + 1);
    without[plainEnd] = '}';
    return without;
  }

  /**
   * The JSON with each value of the content in its place, and without the sealed content; null when
   * a place has no value, because the other members were changed.
   *
   * @param opened the content, as {@link SplitJson} writes it
   * @param withOriginals whether originals get their values, too
   */
  byte @Nullable [] withContent(byte[] opened, boolean withOriginals) {
    try {
      return joined(Values.of(opened), withOriginals);
    } catch (IndexOutOfBoundsException | NumberFormatException | BufferUnderflowException _) {
      return null;
    }
  }

  private byte[] joined(Values values, boolean withOriginals) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream(json.length);
    int copied = 0;
    int at = 0;
    while (at < plainEnd) {
      int after = json[at] == '"' ? afterText(json, at) : at + 1;
      // a text before a colon is a name
      if (json[at] == '"' && json[at + 1] == MARK && json[after] == ':') {
        boolean isOriginal = json[at + 2] == MARK;
        int number = after + 1;
        after = afterNumber(number);
        if (withOriginals || !isOriginal) {
          int name = isOriginal ? at + 3 : at + 2;
          joined.write(json, copied, at + 1 - copied);
          joined.write(json, name, number - name);
          joined.writeBytes(values.json(number(number, after), isOriginal));
          copied = after;
        }
      }
      at = after;
    }
    joined.write(json, copied, plainEnd - copied);
    joined.write('}');
    return joined.toByteArray();
  }

  private int afterNumber(int start) {
    int at = start;
    while (json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    return at;
  }

  private int number(int start, int end) {
    return Integer.parseInt(new String(json, start, end - start, ISO_8859_1));
  }

  /**
   * The values of content.
   *
   * @param elements of its JSON array, each as JSON
   */
  private record Values(List<byte[]> elements, List<String> originals) {

    /** Reads content; there is no whitespace between the tokens of its JSON. */
    static Values of(byte[] content) {
      List<byte[]> elements = new ArrayList<>();
      int depth = 0;
      int from = 1;
      int at = 1;
      while (depth >= 0) {
        byte token = content[at];
        if (token == '"') {
          at = afterText(content, at);
          continue;
        }
        boolean isEnd = depth == 0 && (token == ',' || token == ']');
        if (isEnd && at > from) {
          elements.add(Arrays.copyOfRange(content, from, at));
          from = at + 1;
        }
        depth += token == '{' || token == '[' ? 1 : token == '}' || token == ']' ? -1 : 0;
        at++;
      }
      return new Values(elements, originals(ByteBuffer.wrap(content, at, content.length - at)));
    }

    private static List<String> originals(ByteBuffer rest) {
      List<String> originals = new ArrayList<>();
      while (rest.hasRemaining()) {
        byte[] utf8 = new byte[rest.getInt()];
        rest.get(utf8);
        originals.add(new String(utf8, UTF_8));
      }
      return originals;
    }

    byte[] json(int number, boolean isOriginal) {
      return isOriginal ? quoted(originals.get(number)) : elements.get(number);
    }

    private static byte[] quoted(String text) {
      StringBuilder json = new StringBuilder(text.length() + 2).append('"');
      JsonStringEncoder.getInstance().quoteAsString(text, json);
      return json.append('"').toString().getBytes(UTF_8);
    }
  }

  /** The place after a text that begins here. */
  private static int afterText(byte[] json, int quote) {
    int at = quote + 1;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }
}
