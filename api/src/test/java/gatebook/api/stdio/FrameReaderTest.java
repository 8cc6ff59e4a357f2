package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.memory.InFlightMemory;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BadCharset;
import gatebook.events.fault.Malformed.HeaderMalformed;
import gatebook.events.fault.Malformed.HeaderTooLarge;
import gatebook.events.fault.Malformed.LengthMismatch;
import gatebook.events.fault.Malformed.LengthMissing;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ReadTimeout;
import gatebook.events.fault.Malformed.UnsupportedContentType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameReaderTest {

  private static final String ONE = frame("{\"n\":1}");
  private static final String TWO = frame("{\"n\":\"é😀\"}");
  private static final String TYPE = "Content-Type: application/vscode-jsonrpc";

  private final AtomicLong now = new AtomicLong();
  private final FrameReader reader = new FrameReader(() -> GatewayLimits.DEFAULT, now::get);

  @Test
  void consecutiveFramesAreRead() {
    assertThat(read(ONE + TWO + ONE)).containsExactly("{\"n\":1}", "{\"n\":\"é😀\"}", "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 19, 20, 21, 22, 23})
  void framesMayBeSplitAnywhere(int size) {
    assertThat(readInPieces(ONE + TWO + ONE, size))
        .containsExactly("{\"n\":1}", "{\"n\":\"é😀\"}", "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 2",
        "content-length:2",
        "CONTENT-LENGTH: \t2 \t",
        "Content-Length: 0002",
        "X-Other: any; thing=\"at all\" \u00e9\r\nContent-Length: 2",
        "Content-Length: 2\r\nX-Content-Length: 9",
        "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2",
        "content-type: Application/VSCode-JSONRPC;CHARSET=\"UTF-8\"\r\nContent-Length: 2",
        "Content-Type: application/vscode-jsonrpc; x=y; charset=Utf-8; z=\"w\"\r\n"
            + "Content-Length: 2",
        "Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2",
      })
  void headersComeInAnyCaseAndOrder(String headers) {
    assertThat(read(headers + "\r\n\r\n{}" + ONE)).containsExactly("{}", "{\"n\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "application/json",
        "application/vscode-jsonrpc+json",
        "text/plain; charset=utf-8",
        "application/vscode-jsonrpc x",
      })
  void otherMediaTypeIsRefusedWithItsBody(String type) {
    assertThat(take("Content-Type: " + type + "\r\nContent-Length: 2\r\n\r\n{}" + ONE))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new FrameEvent.Refused(
                new UnsupportedContentType(type.split(";", 2)[0]), bytes("{}"), 2),
            new FrameEvent.Whole(bytes("{\"n\":1}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"utf-16", "iso-8859-1", "utf8", "\"utf8\"", "", "utf-8x"})
  void otherCharsetIsRefused(String charset) {
    assertThat(faults(TYPE + "; charset=" + charset + "\r\nContent-Length: 2\r\n\r\n{}"))
        .containsExactly(new BadCharset(charset.replace("\"", "")));
  }

  @Test
  void lengthCountsBytesNotCharacters() {
    assertThat(read("Content-Length: 8\r\n\r\n\"é😀\"" + ONE))
        .containsExactly("\"é😀\"", "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: 1",
        "Content-Length:",
        "Content-Length: x",
        "Content-Length: -2",
        "Content-Length: 2.0",
        "Content-Length: 2 2",
        "Content-Length: +2",
        "Content-Length: 0x2"
      })
  void frameWithoutLengthIsRefusedAndTheNextRead(String header) {
    assertThat(events(header + "\r\n\r\n{\"lost\":true}" + ONE))
        .containsExactly(new LengthMissing(), "{\"n\":1}");
  }

  @Test
  void duplicateLengthIsRefused() {
    assertThat(events("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + ONE))
        .containsExactly(new HeaderMalformed(2), "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no header\r\n",
        "Name : value\r\n",
        ": value\r\n",
        " folded: x\r\n",
        "a\u0001: b\r\n",
        "a: b\u0001\r\n",
        "a: b\n",
        "a: b\rc\r\n",
        "{\"n\":1}\r\n",
        "\r\n",
        "\n"
      })
  void whatBeginsAsNoHeaderIsToldOnceAndTheNextFrameIsRead(String line) {
    assertThat(events(line + ONE)).containsExactly(new HeaderMalformed(1), "{\"n\":1}");
  }

  @Test
  void frameWithAMalformedHeaderIsSkippedWhole() {
    assertThat(
            events(
                "X: 1\r\nno header\r\nnone\r\nContent-Length: 22\r\n\r\n"
                    + ONE.replace('n', 'm').substring(0, 22)
                    + ONE))
        .containsExactly(new HeaderMalformed(2), "{\"n\":1}");
  }

  @Test
  void bytesAfterABodyAreALengthMismatch() {
    assertThat(events("Content-Length: 2\r\n\r\n{}}}" + ONE + ONE))
        .containsExactly("{}", new LengthMismatch(2, 3), "{\"n\":1}", "{\"n\":1}");
  }

  @Test
  void restOfABodyDoesNotHideTheNextHeader() {
    assertThat(
            events(
                """
                Content-Length: 5\r\n\r\n{"text":"Content-Length: 2"}\
                """
                    + ONE))
        .containsExactly("{\"tex", new LengthMismatch(5, 7), "{\"n\":1}");
  }

  @Test
  void longStrayBytesAreSkippedWithoutBuffering() {
    assertThat(
            events(
                "x".repeat(100_000)
                    + " "
                    + "{}".repeat(100_000)
                    + TYPE
                    + "; charset=utf-8\r\n"
                    + ONE))
        .containsExactly(new HeaderTooLarge(8192), "{\"n\":1}");
  }

  @Test
  void longStrayWordIsSkippedAndTheNextFrameRead() {
    assertThat(events("x".repeat(100_000) + ONE + ONE))
        .containsExactly(new HeaderTooLarge(8192), "{\"n\":1}", "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "123",
        "null",
        "x",
        "Content-Le",
        "ab:c",
        "X: 1\r\nab",
        "Content-Length: 5"
      })
  void strayBytesThatCouldBeginANameAreAMismatch(String rest) {
    assertThat(events("Content-Length: 2\r\n\r\n{}" + rest + ONE + ONE))
        .containsExactly("{}", new LengthMismatch(2, 2 + rest.length()), "{\"n\":1}", "{\"n\":1}");
  }

  @Test
  void strayBytesBeforeAContentTypeAreALengthMismatch() {
    assertThat(events(ONE + "true" + TYPE + "\r\n" + ONE + "1Content-Type: text/plain\r\n" + ONE))
        .containsExactly(
            "{\"n\":1}",
            new LengthMismatch(7, 11),
            "{\"n\":1}",
            new LengthMismatch(7, 8),
            new UnsupportedContentType("text/plain"));
  }

  static IntStream strayWordsUpToTheLimit() {
    return IntStream.rangeClosed(8_192 - 40, 8_192);
  }

  @ParameterizedTest
  @MethodSource("strayWordsUpToTheLimit")
  void frameAfterAStrayWordAtTheLimitIsRead(int bytes) {
    assertThat(events("x".repeat(bytes) + ONE + ONE)).hasSize(3).endsWith("{\"n\":1}", "{\"n\":1}");
  }

  @ParameterizedTest
  @MethodSource("strayWordsUpToTheLimit")
  void frameOfTwoHeadersAfterAStrayWordIsRead(int bytes) {
    String typed = ONE.replace("\r\n\r\n", "\r\n" + TYPE + "\r\n\r\n");

    assertThat(events("x".repeat(bytes) + typed + ONE))
        .hasSize(3)
        .endsWith("{\"n\":1}", "{\"n\":1}");
  }

  @Test
  void firstFrameAfterAStrayWordIsRead() {
    assertThat(events("abc" + ONE)).containsExactly(new HeaderMalformed(1), "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Content-Length: 9\r\n", "XContent-Length: 9\r\n"})
  void headerThatEndsLikeALengthIsNone(String header) {
    assertThat(events(header + ONE + "nonsense\r\n" + header + ONE))
        .containsExactly("{\"n\":1}", new LengthMismatch(7, 16), "{\"n\":1}");
  }

  @Test
  void headerThatEndsLikeALengthWithoutBodyIsSkipped() {
    assertThat(events("nonsense\r\nX-Content-Length: 9\r\n\r\n" + ONE))
        .containsExactly(new HeaderMalformed(1), "{\"n\":1}");
    assertThat(events("X-Content-Length: 9\r\n\r\n" + ONE))
        .containsExactly(new LengthMismatch(7, 9), "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(ints = {18, 19, 30, 120})
  void lengthMayHaveLeadingZeros(int zeros) {
    String frame = "Content-Length: " + "0".repeat(zeros) + "2\r\n\r\n{}";
    assertThat(events(frame + ONE)).containsExactly("{}", "{\"n\":1}");
    assertThat(events("}" + frame + ONE))
        .containsExactly(new LengthMismatch(7, 8), "{}", "{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r\n\n", "\n\n", "\r"})
  void lineEndsAfterABodyAreOneLengthMismatch(String ends) {
    assertThat(events(ONE + ends + ONE))
        .hasSize(3)
        .startsWith("{\"n\":1}")
        .endsWith("{\"n\":1}")
        .element(1)
        .isInstanceOf(LengthMismatch.class);
  }

  @Test
  void bareLineFeedIsRefusedAndTheBodySkipped() {
    assertThat(events("Content-Length: 2\r\n\n{}" + ONE))
        .containsExactly(new HeaderMalformed(2), "{\"n\":1}");
  }

  @Test
  void malformedEmptyLineIsRefusedAndTheNextFrameRead() {
    assertThat(events("Content-Length: 2\r\n\r\r\n{}" + ONE))
        .containsExactly(new HeaderMalformed(2), "{\"n\":1}");
  }

  @Test
  void nextFrameIsReadWhenARefusedBodyStops() {
    assertThat(events("Content-Length: 99999999\r\n\r\n{\"text\":\"abc" + ONE + ONE))
        .containsExactly(
            new Oversize(GatewayLimits.DEFAULT.get(Limit.BODY_BYTES_MAX), 99_999_999L),
            "{\"n\":1}",
            "{\"n\":1}");
    assertThat(events("Content-Length: 99999999\r\n\r\n" + TYPE + "\r\n" + ONE))
        .containsExactly(
            new Oversize(GatewayLimits.DEFAULT.get(Limit.BODY_BYTES_MAX), 99_999_999L),
            "{\"n\":1}");
  }

  @Test
  void bodyThatExceedsTheHeapLimitIsTooLarge() {
    FrameReader small =
        new FrameReader(
            () -> GatewayLimits.DEFAULT, now::get, 10, InFlightMemory.OF_PROCESS.open());
    assertThat(events(small, "Content-Length: 10\r\n\r\n{\"abcd\":1}Content-Length: 11\r\n\r\n"))
        .containsExactly("{\"abcd\":1}", new Oversize(10, 11L));
  }

  @Test
  void frameWithoutMemoryIsDroppedAndItsIdFound() {
    InFlightMemory small = new InFlightMemory(1 << 20, 50);
    FrameReader full =
        new FrameReader(() -> GatewayLimits.DEFAULT, now::get, 1 << 20, small.open());
    String large =
        "{\"id\":\"a-7\",\"method\":\"m\",\"params\":[\"%s\"]}".formatted("x".repeat(100_000));

    assertThat(events(full, "Content-Length: %d\r\n\r\n%s%s".formatted(large.length(), large, ONE)))
        .containsExactly(new FrameEvent.Dropped("\"a-7\""), "{\"n\":1}");
  }

  @Test
  void headerSectionOverTheLimitIsRefused() {
    String rest = "Content-Length: 2\r\n\r\n";
    String padding = "X: " + "x".repeat(8192 - rest.length() - 5) + "\r\n";
    assertThat(events(padding + rest + "{}" + "X: x" + padding.substring(3) + rest + "{}" + ONE))
        .containsExactly("{}", new HeaderTooLarge(8192), "{\"n\":1}");
  }

  @Test
  void hugeHeaderSectionIsRefusedOnceAndItsBodySkipped() {
    String padding = "X: " + "x".repeat(100) + "\r\n";
    assertThat(events("Content-Length: 2\r\n" + padding.repeat(1000) + "\r\n{}" + ONE))
        .containsExactly(new HeaderTooLarge(8192), "{\"n\":1}");
  }

  @Test
  void bodyOverTheLimitIsRefusedEarlyAndSkipped() {
    int limit = (int) GatewayLimits.DEFAULT.get(Limit.BODY_BYTES_MAX);
    assertThat(read("Content-Length: " + limit + "\r\n\r\n" + " ".repeat(limit)))
        .extracting(String::length)
        .containsExactly(limit);
    assertThat(events("Content-Length: " + (limit + 1) + "\r\n\r\n"))
        .containsExactly(new Oversize(limit, limit + 1L));
    assertThat(events(" ".repeat(limit + 1) + ONE)).containsExactly("{\"n\":1}");
  }

  @Test
  void lengthWithTooManyDigitsIsTooLarge() {
    assertThat(events("Content-Length: 99999999999999999999\r\n\r\n"))
        .containsExactly(
            new Oversize(GatewayLimits.DEFAULT.get(Limit.BODY_BYTES_MAX), Long.MAX_VALUE));
  }

  @Test
  void emptyBodyIsAFrame() {
    assertThat(read("Content-Length: 0\r\n\r\n" + ONE)).containsExactly("", "{\"n\":1}");
  }

  @Test
  void frameIsLateAfterItsTimeout() {
    assertThat(reader.nanosLeft()).isEmpty();
    assertThat(events("Content-Length: 20\r\n\r\n{\"a")).isEmpty();
    now.addAndGet(Duration.ofSeconds(29).toNanos());
    assertThat(events("\"")).isEmpty();
    assertThat(reader.nanosLeft()).isEqualTo(OptionalLong.of(Duration.ofSeconds(1).toNanos()));

    assertThat(reader.timedOut())
        .isEqualTo(new FrameEvent.Refused(new ReadTimeout(30_000, 4), null, 4));

    assertThat(reader.nanosLeft()).isEmpty();
    assertThat(events(ONE)).containsExactly("{\"n\":1}");
  }

  @Test
  void restOfALateFrameIsSkipped() {
    assertThat(events("Content-Length: 20\r\n\r\n{\"a")).isEmpty();
    assertThat(reader.timedOut()).isNotNull();
    assertThat(events("\":\"0123456789abc\"}" + ONE)).containsExactly("{\"n\":1}");
  }

  @Test
  void headerTimeoutReportsTheReceivedBytes() {
    assertThat(events("Content-Le")).isEmpty();
    assertThat(reader.timedOut())
        .isEqualTo(new FrameEvent.Refused(new ReadTimeout(30_000, 10), null, 10));
    assertThat(events("ngth: 2\r\n\r\n{}" + ONE)).containsExactly("{\"n\":1}");
  }

  @Test
  void missingOversizeBodyTimesOutWithoutASecondFault() {
    assertThat(events("Content-Length: 999999999999\r\n\r\nxx")).hasSize(1);
    assertThat(reader.nanosLeft()).isPresent();
    assertThat(reader.timedOut()).isNull();
    assertThat(events(ONE)).containsExactly("{\"n\":1}");
  }

  @Test
  void endOfInputInABodyIsALengthMismatch() {
    assertThat(events("Content-Length: 20\r\n\r\n{\"a")).isEmpty();
    assertThat(reader.ended())
        .isEqualTo(new FrameEvent.Refused(new LengthMismatch(20, 3), null, 3));
  }

  @Test
  void endOfInputInAHeaderIsRefused() {
    assertThat(events(ONE + "Content-Length: 20\r\nX")).hasSize(1);
    assertThat(reader.ended()).isEqualTo(new FrameEvent.Refused(new HeaderMalformed(2), null, 21));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Content-Length: 2\r\n\r\n{}",
        "Content-Length: 99999999\r\n\r\n{}",
        "no header\r\nContent",
        "Content-Length: 2\r\nno header\r\n"
      })
  void endOfInputBetweenFramesIsNoFault(String before) {
    var _ = events(before);
    assertThat(reader.ended()).isNull();
  }

  private static String frame(String body) {
    return "Content-Length: " + bytes(body).length + "\r\n\r\n" + body;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private List<String> read(String text) {
    return texts(take(text));
  }

  private List<String> readInPieces(String text, int size) {
    byte[] bytes = bytes(text);
    List<FrameEvent> frameEvents = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      frameEvents.addAll(take(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from))));
    }
    return texts(frameEvents);
  }

  private static List<String> texts(List<FrameEvent> frameEvents) {
    return frameEvents.stream()
        .map(it -> new String(((FrameEvent.Whole) it).body(), UTF_8))
        .toList();
  }

  private List<Malformed> faults(String text) {
    return take(text).stream().map(it -> ((FrameEvent.Refused) it).fault()).toList();
  }

  /** The bodies and faults that the reader reports, in order. */
  private List<Object> events(String text) {
    return events(reader, text);
  }

  private static List<Object> events(FrameReader reader, String text) {
    return take(reader, ByteBuffer.wrap(bytes(text))).stream()
        .map(it ->
            switch (it) {
              case FrameEvent.Whole(var body) -> (Object) new String(body, UTF_8);
              case FrameEvent.Refused(var fault, _, _) -> fault;
              case FrameEvent.Dropped dropped -> dropped;
            })
        .toList();
  }

  private List<FrameEvent> take(String text) {
    return take(ByteBuffer.wrap(bytes(text)));
  }

  private List<FrameEvent> take(ByteBuffer bytes) {
    return take(reader, bytes);
  }

  private static List<FrameEvent> take(FrameReader reader, ByteBuffer bytes) {
    List<FrameEvent> frameEvents = new ArrayList<>();
    while (bytes.hasRemaining()) {
      FrameEvent frameEvent = reader.next(bytes);
      if (frameEvent != null) {
        frameEvents.add(frameEvent);
      }
    }
    return frameEvents;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 4\r\n\r\n{  }"})
  void cutHeaderDoesNotCostTheNextFrame(String before) {
    String length = "Content-Length: 7\r\n";
    String type = TYPE + "; charset=utf-8\r\n";
    List<String> headers = List.of(length + "\r\n", type + length + "\r\n", length + type + "\r\n");
    List<String> lost = new ArrayList<>();
    for (String header : headers) {
      for (int end : endsInValues(header)) {
        for (String next : headers) {
          String text = header.substring(0, end) + next;
          List<Object> events = events(before + text + "{\"n\":2}" + ONE);
          if (!events.containsAll(List.of("{\"n\":2}", "{\"n\":1}"))) {
            lost.add(text.replace("\r\n", "/") + events);
          }
        }
      }
    }
    assertThat(lost).isEmpty();
  }

  /** Before, in and right after each value. */
  private static List<Integer> endsInValues(String header) {
    return IntStream.range(1, header.length())
        .filter(end -> header.substring(header.lastIndexOf('\n', end - 1) + 1, end).contains(":"))
        .boxed()
        .toList();
  }
}
