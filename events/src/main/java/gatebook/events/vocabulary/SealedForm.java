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
 * with the id of the content key, the sealed content and the sealed originals, if there are any, in
 * base64. Events of before originals had a key of their own have them in the sealed content.
 *
 * <p>It is written in one form only, which is recognised by its end, so that nothing else needs to
 * be parsed. No text within JSON ends like it, because quotes are escaped in texts.
 *
 * @param json as it is stored
 * @param plainEnd the place after the last of the other members
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
record SealedForm(
    byte[] json, int plainEnd, String keyId, byte[] content, byte @Nullable [] originals) {
  private static final byte MARK = '~';
  private static final byte[] KEY = ",\"sealed\":{\"key\":\"".getBytes(UTF_8);
  private static final byte[] CONTENT = "\",\"content\":\"".getBytes(UTF_8);
  private static final byte[] ORIGINALS = "\",\"originals\":\"".getBytes(UTF_8);
  private static final byte[] END = "\"}}".getBytes(UTF_8);

  /**
   * Writes what is between the other members and the sealed content, which follows in base64.
   *
   * @param json the other members, at least one
   */
  static void beginContent(Utf8Buffer json, String keyId) {
    json.removeLast();
    json.add(KEY);
    json.addAscii(keyId);
    json.add(CONTENT);
  }

  /** Writes what is between the sealed content and the sealed originals, which follow. */
  static void beginOriginals(Utf8Buffer json) {
    json.add(ORIGINALS);
  }

  /** Ends the JSON after the sealed content, or after the sealed originals. */
  static void end(Utf8Buffer json) {
    json.add(END);
  }

  /** Reads the JSON of an event; null when it has no sealed content. */
  static @Nullable SealedForm read(byte[] json) {
    int originalsEnd = json.length - END.length;
    if (!has(json, originalsEnd, END)) {
      return null;
    }
    int originals = textStart(json, originalsEnd);
    boolean hasOriginals = has(json, originals - ORIGINALS.length, ORIGINALS);
    int end = hasOriginals ? originals - ORIGINALS.length : originalsEnd;
    int start = textStart(json, end);
    int keyEnd = start - CONTENT.length;
    if (!has(json, keyEnd, CONTENT)) {
      return null;
    }
    int key = textStart(json, keyEnd);
    int plainEnd = key - KEY.length;
    if (!has(json, plainEnd, KEY)) {
      return null;
    }
    try {
      return new SealedForm(
          json,
          plainEnd,
          new String(json, key, keyEnd - key, UTF_8),
          decoded(json, start, end),
          hasOriginals ? decoded(json, originals, originalsEnd) : null);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /** The place after the quote before a text that ends here. */
  private static int textStart(byte[] json, int end) {
    int start = end;
    while (start > 0 && json[start - 1] != '"') {
      start--;
    }
    return start;
  }

  private static byte[] decoded(byte[] json, int start, int end) {
    return Base64.getDecoder().decode(new String(json, start, end - start, ISO_8859_1));
  }

  private static boolean has(byte[] json, int at, byte[] part) {
    return at >= 0 && Arrays.equals(json, at, at + part.length, part, 0, part.length);
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
   * @param content opened, as {@link SplitJson} writes it
   * @param originals opened, as it writes them; of no bytes when they are in the content
   * @param withOriginals whether originals get their values, too
   */
  byte @Nullable [] withContent(byte[] content, byte[] originals, boolean withOriginals) {
    try {
      return joined(Values.of(content, originals), withOriginals);
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
    static Values of(byte[] content, byte[] originals) {
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
      boolean isInContent = at < content.length;
      return new Values(
          elements,
          texts(
              isInContent
                  ? ByteBuffer.wrap(content, at, content.length - at)
                  : ByteBuffer.wrap(originals)));
    }

    private static List<String> texts(ByteBuffer rest) {
      List<String> texts = new ArrayList<>();
      while (rest.hasRemaining()) {
        int length = rest.getInt();
        if (length < 0 || length > rest.remaining()) {
          throw new BufferUnderflowException();
        }
        byte[] utf8 = new byte[length];
        rest.get(utf8);
        texts.add(new String(utf8, UTF_8));
      }
      return texts;
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
