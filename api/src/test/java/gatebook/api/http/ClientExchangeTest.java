package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.LosableConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.command.rules.GatewayLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream that a response becomes, in any protocol. */
final class ClientExchangeTest {
  private static final Reply ANSWER = new Reply("", 200, bytes("{}"));

  private final OpenStreams streams = new OpenStreams(() -> GatewayLimits.DEFAULT);
  private final OpenStreams silentStreams =
      new OpenStreams(new ImmediateTimer(), () -> GatewayLimits.DEFAULT);
  private final LosableConnection connection = new LosableConnection();

  @AfterEach
  void stop() {
    streams.close();
    silentStreams.close();
  }

  @Test
  void firstEventOpensTheStream() {
    TestExchange exchange = new TestExchange(streams, false);
    assertThat(exchange.openedEarly()).isNotDone();

    assertThat(exchange.sendEarly(bytes("a"))).isCompletedWithValue(true);
    assertThat(exchange.sendEarly(bytes("b"))).isCompletedWithValue(true);
    TestReader reader = read(exchange);
    exchange.end();

    assertThat(reader.text()).isEqualTo("ab");
    assertThat(reader.isEnded()).isTrue();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void nothingIsSentAfterTheEnd() {
    TestExchange exchange = new TestExchange(streams, false);
    exchange.end();

    assertThat(exchange.sendEarly(bytes("a"))).isCompletedWithValue(false);
    exchange.openWhenSilent();
    assertThat(exchange.openedEarly()).isNotDone();
    assertThat(exchange.endings).isZero();
  }

  @Test
  void silentStreamBeginsWithAComment() {
    TestExchange exchange = new TestExchange(silentStreams, false);
    exchange.openWhenSilent();

    assertThat(read(exchange).text()).isEqualTo(": open\n\n");
    assertThat(connection.isWatched()).isTrue();
  }

  @Test
  void streamWithEventsHasNoHeadOfItsOwn() {
    TestExchange exchange = new TestExchange(silentStreams, false);
    CompletableFuture<Boolean> _ = exchange.sendEarly(bytes("a"));
    exchange.openWhenSilent();

    assertThat(read(exchange).text()).isEqualTo("a");
  }

  @Test
  void readerThatDisconnectsEndsTheStreamOnce() {
    TestExchange exchange = new TestExchange(streams, false);
    CompletableFuture<Boolean> _ = exchange.sendEarly(bytes("a"));

    connection.lose();
    exchange.end();

    assertThat(exchange.sendEarly(bytes("b"))).isCompletedWithValue(false);
    assertThat(read(exchange).text()).isEmpty();
    assertThat(exchange.endings).isEqualTo(1);
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void processThatStopsEndsStreamsWhoseRequestsAreAnswered() {
    TestExchange answered = new TestExchange(streams, false);
    CompletableFuture<Boolean> _ = answered.sendEarly(bytes("a"));
    Optional<SsePublisher> _ = answered.answer(ANSWER);
    TestExchange pending = new TestExchange(streams, false);
    CompletableFuture<Boolean> _ = pending.sendEarly(bytes("b"));
    TestReader reader = read(answered);
    TestReader lateReader = read(pending);

    streams.endStreams();
    assertThat(reader.isEnded()).isTrue();
    assertThat(lateReader.isEnded()).isFalse();

    Optional<SsePublisher> _ = pending.answer(ANSWER);
    assertThat(reader.text()).isEqualTo("a!");
    assertThat(lateReader.text()).isEqualTo("b!");
    assertThat(lateReader.isEnded()).isTrue();
    assertThat(connection.isWatched()).isFalse();
  }

  @Test
  void streamMayGoOnWithoutItsReader() {
    TestExchange exchange = new TestExchange(streams, true);
    CompletableFuture<Boolean> _ = exchange.sendEarly(bytes("a"));

    assertThat(connection.isWatched()).isFalse();
    streams.endStreams();
    assertThat(exchange.sendEarly(bytes("b"))).isCompletedWithValue(true);
    assertThat(read(exchange).text()).isEqualTo("ab");
  }

  private static TestReader read(ClientExchange exchange) {
    return new TestReader(exchange.openedEarly().join(), Long.MAX_VALUE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private final class TestExchange extends ClientExchange {
    private final boolean goesOn;
    private int endings;

    TestExchange(OpenStreams streams, boolean goesOn) {
      super(streams, connection);
      this.goesOn = goesOn;
    }

    @Override
    protected StreamKind kind() {
      return StreamKind.limitedBySenders(Duration.ofHours(1));
    }

    @Override
    protected boolean goesOnWithoutReader() {
      return goesOn;
    }

    @Override
    protected void onEnd() {
      endings++;
    }

    @Override
    protected Optional<SsePublisher> respond(Reply reply) {
      CompletableFuture<Boolean> _ = send(bytes("!"));
      return stream();
    }
  }
}
