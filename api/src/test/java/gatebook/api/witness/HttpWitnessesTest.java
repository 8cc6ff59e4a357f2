package gatebook.api.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.WebhookReceiver;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.witness.WitnessConnection.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class HttpWitnessesTest {
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT
          .with(Limit.WITNESS_ANSWER_MILLIS_MAX, 60_000)
          .with(Limit.WITNESS_ANSWER_BYTES_MAX, 1_024);

  private final HttpWitnesses witnesses = new HttpWitnesses(() -> LIMITS);
  private final WebhookReceiver receiver = new WebhookReceiver();

  @AfterEach
  void stop() {
    witnesses.close();
    receiver.close();
  }

  private Response post() {
    return witnesses.post(URI.create(receiver.url("/add-checkpoint")), "old 0\n".getBytes(UTF_8));
  }

  private static String body(Response response) {
    assertThat(response).isInstanceOf(Response.Answered.class);
    return new String(((Response.Answered) response).body(), UTF_8);
  }

  @Test
  void theBodyIsPostedAndTheAnswerIsWhole() {
    receiver.respond(409, Map.of("Content-Type", "text/x.tlog.size"), "7\n");

    Response response = post();

    assertThat(body(response)).isEqualTo("7\n");
    assertThat(((Response.Answered) response).status()).isEqualTo(409);
    assertThat(((Response.Answered) response).type()).isEqualTo("text/x.tlog.size");
    WebhookReceiver.Received received = receiver.next();
    assertThat(received.line()).isEqualTo("POST /add-checkpoint");
    assertThat(received.body()).isEqualTo("old 0\n");
  }

  @Test
  void aCheckpointIsGot() {
    receiver.respond(200, Map.of(), "a note");

    assertThat(body(witnesses.get(URI.create(receiver.url("/00/checkpoint"))))).isEqualTo("a note");
    assertThat(receiver.next().line()).isEqualTo("GET /00/checkpoint");
  }

  @Test
  void aRedirectIsNotFollowed() {
    receiver.respond(307, Map.of("Location", receiver.url("/other")));

    assertThat(((Response.Answered) post()).status()).isEqualTo(307);
    assertThat(receiver.next().line()).isEqualTo("POST /add-checkpoint");
    assertThat(receiver.received()).isZero();
  }

  @Test
  void anAnswerHasALimit() {
    receiver.respond(200, Map.of(), "x".repeat(1_024));
    assertThat(body(post())).hasSize(1_024);
    receiver.respond(200, Map.of(), "x".repeat(1_025));
    assertThat(post()).isEqualTo(new Response.Failed("the answer is too large"));
  }

  @Test
  void noAnswerIsWaitedForLongerThanTheLimit() {
    receiver.hold("");
    GatewayLimits fewSeconds = LIMITS.with(Limit.WITNESS_ANSWER_MILLIS_MAX, 5_000);
    try (HttpWitnesses hasty = new HttpWitnesses(() -> fewSeconds)) {
      assertThat(hasty.get(URI.create(receiver.url("/00/checkpoint"))))
          .isEqualTo(new Response.Failed("it did not answer within 5000 ms"));
    }
    receiver.release();
  }

  @Test
  void nobodyWaitsForAnAnswerAfterTheEnd() {
    receiver.hold("");
    CompletableFuture<Response> asked = CompletableFuture.supplyAsync(this::post);
    receiver.next();

    witnesses.close();

    assertThat(asked.join()).isEqualTo(new Response.Failed("this node stops"));
    receiver.release();
  }

  @Test
  void nobodyAtTheAddressIsAFailure() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    assertThat(witnesses.get(URI.create("http://127.0.0.1:%d/a".formatted(port))))
        .isInstanceOf(Response.Failed.class);
  }
}
