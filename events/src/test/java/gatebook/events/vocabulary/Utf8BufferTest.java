package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts in UTF-8, however they are cut. */
final class Utf8BufferTest {
  private static final String CHARS = "aaaaaa?\u0000äß€\u2028\ud83d\ude00\ud83d\ude00";

  private final Utf8Buffer buffer = new Utf8Buffer();

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theBytesAreThoseOfTheWholeText(int seed) {
    Random random = new Random(seed);
    for (int texts = 0; texts < 20; texts++) {
      String text = randomText(random);
      buffer.clear();
      addInParts(text + ".", random);

      assertThat(buffer.toArray()).isEqualTo((text + ".").getBytes(UTF_8));
      assertThat(buffer.isLossless())
          .isEqualTo(text.equals(new String(text.getBytes(UTF_8), UTF_8)));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTextWithItsLengthIsWhole(int seed) {
    String text = randomText(new Random(seed)).repeat(60);
    byte[] utf8 = text.getBytes(UTF_8);

    buffer.addWithLength(text);

    assertThat(buffer.toArray())
        .isEqualTo(
            ByteBuffer.allocate(Integer.BYTES + utf8.length).putInt(utf8.length).put(utf8).array());
    assertThat(buffer.isLossless()).isEqualTo(text.equals(new String(utf8, UTF_8)));
  }

  /** Each length up to where the array grows, and beyond. */
  @Test
  void base64IsWrittenOverItsBytes() {
    Random random = new Random(1);
    for (int length = 0; length < 1_000; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      buffer.clear();
      buffer.addAscii("before");

      int at = buffer.base64Source(length);
      System.arraycopy(bytes, 0, buffer.array(), at, length);
      buffer.addBase64(length);

      assertThat(buffer.toArray())
          .asString(UTF_8)
          .isEqualTo("before" + Base64.getEncoder().encodeToString(bytes));
    }
  }

  /** 64 KiB stay, so that a long text is paid for by itself only. */
  @Test
  void aLongArrayIsNotKept() {
    buffer.base64Source(40_000);
    byte[] kept = buffer.array();
    buffer.clear();
    assertThat(buffer.array()).isSameAs(kept).hasSizeBetween(40_000, 65_536);

    buffer.base64Source(60_000);
    buffer.clear();
    assertThat(buffer.array()).hasSizeLessThan(kept.length);
  }

  @Test
  void aHalfPairAtTheEndIsLost() {
    buffer.add("a\ud83d".toCharArray(), 0, 2);

    assertThat(buffer.isLossless()).isFalse();
  }

  private static String randomText(Random random) {
    return random
        .ints(random.nextInt(60), 0, CHARS.length())
        .mapToObj(at -> CHARS.substring(at, at + 1))
        .reduce("", String::concat);
  }

  private void addInParts(String text, Random random) {
    char[] chars = text.toCharArray();
    int from = 0;
    while (from < chars.length) {
      int length = Math.min(chars.length - from, random.nextInt(5));
      buffer.add(chars, from, length);
      from += length;
    }
  }
}
