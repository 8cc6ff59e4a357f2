package gatebook.api.mcp.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.SsePublisher;
import gatebook.api.http.Taking;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ResumableStreamTest {

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ResumableStream resumableStream = new ResumableStream("c1");

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void eachEventHasItsPlace() {
    Taking reader = reading(-1);

    var _ = resumableStream.prime();
    say("{\n\"a\":1}");

    assertThat(reader.text())
        .isEqualTo("id: c1-0\ndata: \n\nid: c1-1\ndata: {\ndata: \"a\":1}\n\n");
  }

  @Test
  void whoComesBackHearsWhatHeMissedAndThenWhatComes() {
    Taking first = reading(-1);
    say("1");
    resumableStream.left(first.outbox());
    say("2");
    say("3");

    Taking again = reading(resumableStream.place("c1-0"));
    say("4");

    assertThat(again.text())
        .isEqualTo("id: c1-1\ndata: 2\n\nid: c1-2\ndata: 3\n\nid: c1-3\ndata: 4\n\n");
  }

  @Test
  void ofWhatWasSentTheLastIsKept() {
    for (int i = 0; i <= 256; i++) {
      say(Integer.toString(i));
    }

    assertThat(reading(-1).text()).startsWith("id: c1-1\ndata: 1\n").endsWith("data: 256\n\n");
  }

  @Test
  void ofLargeEventsFewerAreKeptButAlwaysTheLast() {
    String large = "x".repeat(200 << 10);
    say(large);
    say(large);

    assertThat(reading(-1).text()).isEqualTo("id: c1-1\ndata: %s\n\n".formatted(large));
  }

  @Test
  void aPausedReaderIsToldWhenToComeBackAndTheEndReachesHimThen() {
    Taking first = reading(-1);
    var _ = resumableStream.prime();
    resumableStream.pause(70);
    say("answer");
    resumableStream.end();

    assertThat(first.text()).isEqualTo("id: c1-0\ndata: \n\nretry: 70\n\n");
    assertThat(first.isEnded()).isTrue();
    Taking again = reading(0);
    assertThat(again.text()).isEqualTo("id: c1-1\ndata: answer\n\n");
    assertThat(again.isEnded()).isTrue();
  }

  @Test
  void whoComesBackAfterTheEndAndMissedNothingIsSentAway() {
    say("answer");
    resumableStream.end();
    SsePublisher ssePublisher = new SsePublisher(timer, 60_000, () -> {});

    assertThat(resumableStream.read(ssePublisher, 0)).isFalse();
    assertThat(resumableStream.read(ssePublisher, -1)).isTrue();
  }

  @Test
  void placesOfOtherStrandsAreNone() {
    assertThat(resumableStream.place("c1-7")).isEqualTo(7);
    assertThat(resumableStream.place("c11-7")).isEqualTo(-1);
    assertThat(resumableStream.place("c1-")).isEqualTo(-1);
    assertThat(resumableStream.place("c1--7")).isEqualTo(-1);
    assertThat(resumableStream.place("c1-" + "9".repeat(30))).isEqualTo(-1);
  }

  private void say(String data) {
    var _ = resumableStream.send(data.getBytes(UTF_8));
  }

  private Taking reading(long after) {
    SsePublisher ssePublisher = new SsePublisher(timer, 60_000, () -> {});
    Taking reader = new Taking(ssePublisher, Long.MAX_VALUE);
    assertThat(resumableStream.read(ssePublisher, after)).isTrue();
    return reader;
  }
}
