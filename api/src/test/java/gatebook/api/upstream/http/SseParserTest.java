package gatebook.api.upstream.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SseParserTest {

  private static final byte[] STREAM =
      "\uFEFF: hello\r\n\r\ndata: a\r\rid: 7\n\nretry: 5\r\ndata:b\rdata\n\r\n\rdata: cut\n"
          .getBytes(UTF_8);

  private final List<String> events = new ArrayList<>();
  private final SseParser sseParser =
      new SseParser(it ->
          events.add(
              "%s %s %s".formatted(it.id(), it.retryMillis(), new String(it.data(), UTF_8))));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 1_000})
  void theSizeOfThePiecesHasNoEffect(int size) {
    for (int from = 0; from < STREAM.length; from += size) {
      sseParser.feed(Arrays.copyOfRange(STREAM, from, Math.min(STREAM.length, from + size)));
    }

    assertThat(events).containsExactly("null null a", "7 null ", "7 5 b\n");
    assertThat(sseParser.keptBytes()).isEqualTo("cut".length());
  }
}
