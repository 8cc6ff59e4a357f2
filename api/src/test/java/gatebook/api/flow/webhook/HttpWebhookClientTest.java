package gatebook.api.flow.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.WebhookReceiver;
import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.command.rules.GatewayLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class HttpWebhookClientTest {
  private static final Map<String, String> HEADERS =
      new TreeMap<>(Map.of("X-Key", "k1", "Content-Type", "application/cloudevents+json"));

  private final HttpWebhookClient client = new HttpWebhookClient();
  private final WebhookReceiver receiver = new WebhookReceiver();

  @AfterEach
  void stop() {
    client.close();
    receiver.close();
  }

  @Test
  void methodHeadersAndBodyAreSent() {
    assertThat(status(send("PUT", receiver.url("/a?b=c")))).isEqualTo(204);

    WebhookReceiver.Received received = receiver.next();
    assertThat(received.line()).isEqualTo("PUT /a?b=c");
    assertThat(received.body()).isEqualTo("{\"ä\":1}");
    assertThat(received.header("X-Key")).isEqualTo("k1");
    assertThat(received.header("Content-Type")).isEqualTo("application/cloudevents+json");
  }

  @Test
  void aRedirectIsReturnedAndNotFollowed() {
    receiver.respond(307, Map.of("Location", receiver.url("/other")));

    assertThat(status(send("POST", receiver.url("/a")))).isEqualTo(307);
    assertThat(receiver.next().line()).isEqualTo("POST /a");
    assertThat(receiver.received()).isZero();
  }

  @Test
  void aStreamAsTheResponseIsAccepted() {
    receiver.respond(200, Map.of("Content-Type", "text/event-stream"), "data: {}\n\n");

    assertThat(status(send("POST", receiver.url("/a")))).isEqualTo(200);
  }

  @Test
  void aReceiverThatDoesNotRespondTimesOut() {
    receiver.hold("");

    assertThat(send("POST", receiver.url("/a"))).isEqualTo(new ExchangeResult.TimedOut(1_000));
    receiver.release();
  }

  @Test
  void nobodyAtTheAddressIsNoConnection() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    assertThat(send("POST", "http://127.0.0.1:%d/a".formatted(port)))
        .isInstanceOf(ExchangeResult.NotConnected.class);
  }

  @Test
  void aClosedClientSendsNothing() {
    client.close();

    assertThat(
            client.send(
                new WebhookConfig(receiver.url("/a"), Map.of(), "POST", 1, 0),
                new byte[0],
                GatewayLimits.DEFAULT))
        .isNotDone();
    assertThat(receiver.received()).isZero();
  }

  private ExchangeResult send(String method, String url) {
    return client
        .send(
            new WebhookConfig(url, HEADERS, method, 1, 0),
            "{\"ä\":1}".getBytes(StandardCharsets.UTF_8),
            GatewayLimits.DEFAULT)
        .join();
  }

  private static int status(ExchangeResult result) {
    assertThat(result).isInstanceOf(Answered.class);
    return ((Answered) result).status();
  }
}
