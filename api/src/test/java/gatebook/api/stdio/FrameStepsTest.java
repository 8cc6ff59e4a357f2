package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.Proof;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random frames with random bytes between them, split at random. The reader has to report each
 * frame, and exactly one fault wherever the generator put other bytes between them.
 */
final class FrameStepsTest {

  private static final long STREAMS = Proof.rounds(2_000, 100_000);
  private static final int FRAMES_MAX = 6;
  private static final int BODY_BYTES_MAX = 200;
  private static final int HEADER_BYTES_MAX = 256;
  private static final String FAULT = "a fault";

  /** Whole headers, and characters that matter to a parser of headers. */
  private static final List<String> PIECES =
      List.of(
          "\r\n",
          "\n",
          "\r",
          "\n\n",
          "\r\n\n",
          "{}",
          "}",
          "]",
          "\"",
          "{\"a\":",
          "true",
          "null",
          "17",
          "-1",
          "x",
          "-x",
          " ",
          "\t",
          "\u0000",
          "\u00e9",
          "\u007f",
          "abc",
          "Content-Le",
          "Content-Type",
          "content-length",
          "Content-Length 5",
          "no header",
          """
          {"b":"Content-Length: 5"}\
          """);

  /** What would be a header with a line end, so that only a frame may follow. */
  private static final List<String> LAST_PIECES =
      List.of("", "", "", "ab:c", "Content-Length: 5", "X: 1\r\nab");

  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT
          .with(Limit.BODY_BYTES_MAX, BODY_BYTES_MAX)
          .with(Limit.HEADER_BYTES_MAX, HEADER_BYTES_MAX);

  static LongStream streams() {
    return LongStream.range(0, STREAMS / 100);
  }

  @ParameterizedTest
  @MethodSource("streams")
  void everyFrameIsReadAndEachFaultReportedOnce(long seed) {
    for (int stream = 0; stream < 100; stream++) {
      Random random = new Random(seed * 100 + stream);
      Sample truth = Sample.of(random);

      assertThat(events(truth.bytes(), random))
          .as("stream %d: %s", seed * 100 + stream, new String(truth.bytes(), ISO_8859_1))
          .isEqualTo(truth.events());
    }
  }

  /** Bytes and the expected events. */
  @SuppressWarnings("ArrayRecordComponent") // read once
  private record Sample(byte[] bytes, List<String> events) {

    static Sample of(Random random) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      List<String> events = new ArrayList<>();
      for (int i = random.nextInt(FRAMES_MAX); i >= 0; i--) {
        if (random.nextInt(3) > 0) {
          bytes.writeBytes(disturbance(random).getBytes(ISO_8859_1));
          events.add(FAULT);
        }
        String body = "{\"n\":%s}".formatted("1".repeat(1 + random.nextInt(BODY_BYTES_MAX - 6)));
        bytes.writeBytes(frame(body, random).getBytes(ISO_8859_1));
        events.add(body);
      }
      return new Sample(bytes.toByteArray(), events);
    }

    private static String frame(String body, Random random) {
      return "Content-Length: %s%d\r\n\r\n%s"
          .formatted("0".repeat(random.nextInt(4) * random.nextInt(9)), body.length(), body);
    }

    private static String disturbance(Random random) {
      return switch (random.nextInt(6)) {
        case 0 -> "Content-Length: 9%s\r\n\r\n{\"cut".formatted("9".repeat(2 + random.nextInt(20)));
        case 1 -> "Content-Length: 2\r\n\n{}";
        case 2 -> "Content-Length: 2\r\nno header\r\n\r\n{}";
        case 3 -> "y".repeat((random.nextInt(3) + 1) * (1 + random.nextInt(2)) * 60);
        default -> excess(random);
      };
    }

    private static String excess(Random random) {
      StringBuilder excess = new StringBuilder();
      for (int i = random.nextInt(8); i >= 0; i--) {
        excess.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      return excess.append(LAST_PIECES.get(random.nextInt(LAST_PIECES.size()))).toString();
    }
  }

  private static List<String> events(byte[] bytes, Random random) {
    FrameReader reader = new FrameReader(() -> LIMITS, () -> 0);
    List<String> events = new ArrayList<>();
    for (int from = 0, to; from < bytes.length; from = to) {
      to = Math.min(bytes.length, from + 1 + random.nextInt(40));
      ByteBuffer part = ByteBuffer.wrap(bytes, from, to - from);
      while (part.hasRemaining()) {
        switch (reader.next(part)) {
          case null -> {}
          case FrameEvent.Whole(var body) -> events.add(new String(body, ISO_8859_1));
          case FrameEvent.Refused _, FrameEvent.Dropped _ -> events.add(FAULT);
        }
      }
    }
    return events;
  }
}
