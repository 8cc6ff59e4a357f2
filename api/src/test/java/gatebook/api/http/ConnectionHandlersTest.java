package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.RawHttp.Answer;
import gatebook.api.log.CapturedLogLines;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConnectionHandlersTest {

  private static final long READ_MILLIS_MAX = 300;
  private static final long DRIP_MILLIS = 20;
  private static final int SILENT_MILLIS_MAX = 20_000;
  private static final String BODY_PATH = "/test-callers/body";

  private HttpServers httpServers;

  @BeforeAll
  void open() {
    ListenAddress anyPort = new ListenAddress("127.0.0.1", 0);
    HttpServers.StartResult result =
        HttpServers.open(
            anyPort,
            anyPort,
            Optional.empty(),
            "1.2.3",
            () -> new Readiness.Status(Map.of(), null, "power"),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            context ->
                context.registerSingleton(
                    CurrentLimits.class,
                    () -> GatewayLimits.DEFAULT.with(Limit.READ_MILLIS_MAX, READ_MILLIS_MAX)));
    httpServers = ((HttpServers.StartResult.Started) result).servers();
  }

  @AfterAll
  void close() {
    httpServers.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CALLERS|gzip",
        "CALLERS|gzip, chunked",
        "CALLERS|identity",
        "CALLERS|chunked, identity",
        "CALLERS|chunked, chunked",
        "ADMIN|gzip, chunked",
        "ADMIN|xchunked"
      })
  void otherTransferEncodingIsRefusedAndNothingAfterItAnswered(Port port, String encoding)
      throws IOException {
    String next = head(port, "GET", "/health", "");
    String request =
        head(port, "POST", "/health", "Transfer-Encoding: " + encoding + "\r\n")
            + "%x\r\n%s\r\n0\r\n\r\n".formatted(next.length(), next)
            + next;

    Answer answer = RawHttp.send(httpServers.address(port), request);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.headers()).contains("connection: close");
    assertThat(answer.body()).doesNotContain("HTTP/1.1");
  }

  @ParameterizedTest
  @CsvSource({"POST,/nope,elsewhere.example,403", "POST,/nope,,404", "PUT,/test-callers,,405"})
  void unreadableChunkAfterARefusalOnlyClosesTheConnection(
      String method, String path, String host, int status) throws IOException {
    try (CapturedLogLines lines = CapturedLogLines.ofAllThreads("io.micronaut")) {
      String head = head(Port.CALLERS, method, path, "Transfer-Encoding: chunked\r\n");
      String request = host == null ? head : head.replaceFirst("Host: [^\r]+", "Host: " + host);
      try (Socket socket = connect(Port.CALLERS)) {
        write(socket, request);
        assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
            .isEqualTo("HTTP/1.1 " + status);
        write(socket, "zz\r\nno chunk\r\n");
        assertThat(rest(socket)).doesNotContain("HTTP/1.1");
      }

      assertThat(lines.list).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Port.class)
  void drippingHeaderSectionIsClosed(Port port) throws IOException {
    try (Socket socket = connect(port)) {
      write(socket, "GET / HTTP/1.1\r\nX: ");

      assertThat(dripUntilClosed(socket)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Port.class)
  void drippingBodyOfARefusedRequestIsClosed(Port port) throws IOException {
    try (Socket socket = connect(port)) {
      write(socket, head(port, "POST", "/nope", "Content-Length: 1000000\r\n"));

      assertThat(dripUntilClosed(socket)).startsWith("HTTP/1.1 40");
    }
  }

  @Test
  void drippingBodyIsAFaultAndItsConnectionClosed() throws IOException {
    try (Socket socket = connect(Port.CALLERS)) {
      write(socket, head(Port.CALLERS, "POST", BODY_PATH, "Content-Length: 1000000\r\n"));

      assertThat(dripUntilClosed(socket))
          .startsWith("HTTP/1.1 200")
          .contains("ReadTimeout[timeoutMillis=300");
    }
  }

  @Test
  void senderThatWaitsIsToldToContinue() throws IOException {
    try (Socket socket = connect(Port.CALLERS)) {
      String headers = "Expect: 100-continue\r\nContent-Length: 2\r\n";
      write(socket, head(Port.CALLERS, "POST", BODY_PATH, headers + "Connection: close\r\n"));
      assertThat(new String(socket.getInputStream().readNBytes(25), UTF_8))
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      write(socket, "{}");
      assertThat(rest(socket)).startsWith("HTTP/1.1 200").endsWith("null, overload false");
    }
  }

  @Test
  void idleConnectionStaysOpen() throws Exception {
    String request = head(Port.ADMIN, "GET", "/health", "");
    try (Socket socket = connect(Port.ADMIN)) {
      write(socket, request);
      assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8)).endsWith("200");
      Thread.sleep(2 * READ_MILLIS_MAX);
      write(socket, request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      assertThat(rest(socket)).contains("HTTP/1.1 200");
    }
  }

  private Socket connect(Port port) throws IOException {
    ListenAddress at = httpServers.address(port);
    Socket socket = new Socket(at.host(), at.port());
    socket.setSoTimeout(SILENT_MILLIS_MAX);
    return socket;
  }

  private String head(Port port, String method, String path, String headers) {
    return "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n"
        .formatted(method, path, httpServers.address(port).port(), headers);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  /** Sends a byte now and then, and returns what was received until the connection was closed. */
  private static String dripUntilClosed(Socket socket) throws IOException {
    Thread drip =
        Thread.ofVirtual()
            .start(() -> {
              try {
                OutputStream out = socket.getOutputStream();
                while (true) {
                  out.write('x');
                  Thread.sleep(DRIP_MILLIS);
                }
              } catch (IOException | InterruptedException _) {
                // closed
              }
            });
    try {
      return rest(socket);
    } finally {
      drip.interrupt();
    }
  }

  private static String rest(Socket socket) throws IOException {
    StringBuilder received = new StringBuilder();
    try {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        received.append((char) b);
      }
    } catch (SocketException _) {
      // closed while bytes were on their way
    }
    return received.toString();
  }
}
