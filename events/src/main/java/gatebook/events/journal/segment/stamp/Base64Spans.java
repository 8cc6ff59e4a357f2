package gatebook.events.journal.segment.stamp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.events.journal.segment.file.RandomSpan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds spans of Base64 in a text: digests, and contents that are sealed. They must look random and
 * occur once, since DEFLATE is better at repetitions.
 */
public final class Base64Spans {
  /** A digest of 32 bytes is a little longer. */
  private static final int BYTES_MIN = 40;

  /** The number of first characters that are checked. */
  private static final int SAMPLE = 64;

  /**
   * The fewest different characters among 40 random ones; hexadecimal digits have 16, a text in
   * small letters few more.
   */
  private static final int DIFFERENT_MIN = 22;

  private static final BitSet ALPHABET = new BitSet();

  static {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        .chars()
        .forEach(ALPHABET::set);
  }

  private final byte[] text;
  private final long textAt;
  private final List<RandomSpan> found = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();

  private Base64Spans(byte[] text, long textAt) {
    this.text = text;
    this.textAt = textAt;
  }

  /**
   * The spans of a text: those that are known, and those of Base64 between them.
   *
   * @param textAt where the text begins in its segment
   */
  public static List<RandomSpan> with(List<RandomSpan> known, byte[] text, long textAt) {
    Base64Spans base64 = new Base64Spans(text, textAt);
    int at = 0;
    for (RandomSpan span : known) {
      base64.find(at, (int) (span.at() - textAt));
      base64.found.add(span);
      at = (int) (span.end() - textAt);
    }
    base64.find(at, text.length);
    return base64.found.stream().filter(base64::isAlone).toList();
  }

  private boolean isAlone(RandomSpan span) {
    return span.kind() != RandomSpan.Kind.BASE64 || counts.getOrDefault(text(span), 0) == 1;
  }

  private String text(RandomSpan span) {
    return new String(text, (int) (span.at() - textAt), span.bytes(), ISO_8859_1);
  }

  private void find(int from, int to) {
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && ALPHABET.get(text[end] & 0xff)) {
        end++;
      }
      int bytes = (end - at) / RandomSpan.GROUP_TEXT_BYTES * RandomSpan.GROUP_TEXT_BYTES;
      if (bytes >= BYTES_MIN && isRandom(at, Math.min(bytes, SAMPLE))) {
        RandomSpan span = new RandomSpan(textAt + at, bytes, RandomSpan.Kind.BASE64);
        found.add(span);
        counts.merge(text(span), 1, Integer::sum);
      }
      at = end + 1;
    }
  }

  private boolean isRandom(int at, int length) {
    BitSet different = new BitSet();
    for (int i = at; i < at + length; i++) {
      different.set(text[i]);
    }
    return different.cardinality() >= DIFFERENT_MIN;
  }
}
