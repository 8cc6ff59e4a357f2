package gatebook.api.operator.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ServerClientTest {

  /** More than a parser takes by default: the largest case file has four times as much. */
  private static final int LARGE_CHARS = 22_000_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 100\r\n\r\n{\"jsonrpc\":\"2.0\"",
        "Transfer-Encoding: chunked\r\n\r\n11\r\n{\"jsonrpc\":\"2.0\"",
      })
  void answerThatIsCutOffSaysSo(String cut) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:%d".formatted(server.getLocalPort());
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(() -> answer(server, "HTTP/1.1 200 OK\r\n" + cut));

      Answer answer =
          ServerClient.of(url, Optional.of("token"), Optional.empty())
              .orElseThrow()
              .call("audit.case", new JsonMapper().createObjectNode());

      assertThat(answer)
          .isEqualTo(
              new Answer.Failed(
                  "the answer of the server at %s/operator was cut off: try again".formatted(url)));
      answered.join();
    }
  }

  /** Reads a request, so that no reset overtakes the answer, and closes after the answer. */
  private static void answer(ServerSocket server, String answer) {
    try (Socket socket = server.accept()) {
      StringBuilder request = new StringBuilder();
      while (!request.toString().endsWith("}}")) {
        request.append((char) socket.getInputStream().read());
      }
      socket.getOutputStream().write(answer.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void answerWithALargeTextIsRead() {
    String body = "{\"result\":{\"file\":\"" + "A".repeat(LARGE_CHARS) + "\"}}";

    assertThat(OperatorClient.parseAnswer(body).orElseThrow())
        .isInstanceOfSatisfying(
            Answer.Result.class,
            result -> assertThat(result.json().path("file").textValue()).hasSize(LARGE_CHARS));
  }
}
