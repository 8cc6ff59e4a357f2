package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.Requires;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Clients that begin TLS and do not mean it: each connection ends soon, and others are served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileTlsTest {
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT.with(Limit.READ_MILLIS_MAX, Limit.READ_MILLIS_MAX.lowest());

  /** Far less than the default of the handshake, and than a client would wait. */
  private static final int CLOSED_MILLIS_MAX = 8_000;

  private static final int CONNECTIONS = 200;

  private HttpServers servers;
  private HttpClient client;
  private ListAppender<ILoggingEvent> lines;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    Requires.program("openssl");
    TestCertificates certificates = TestCertificates.in(folder);
    lines = new ListAppender<>();
    lines.start();
    root().addAppender(lines);
    servers =
        TlsServers.open(
            TestCertificates.files(certificates.make("server"), Optional.empty()), LIMITS);
    client = certificates.http(Optional.empty());
  }

  @AfterAll
  void close() {
    client.close();
    servers.close();
    root().detachAppender(lines);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** What a client sends instead of a handshake. */
  enum Beginning {
    NOTHING(""),
    HALF_A_RECORD("\u0016\u0003\u0001"),
    A_RECORD_THAT_IS_TOO_LONG("\u0016\u0003\u0001\u00ff\u00ff" + "x".repeat(40_000)),
    AN_ALERT("\u0015\u0003\u0001\u0000\u0002\u0002\u0028"),
    A_HELLO_THAT_IS_NONE("\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001x"),
    DATA_BEFORE_A_HANDSHAKE("\u0017\u0003\u0003\u0000\u0004data"),
    PLAIN_HTTP("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    HTTP2_PREFACE("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    GARBAGE(garbage());

    private final byte[] bytes;

    Beginning(String bytes) {
      this.bytes = bytes.getBytes(ISO_8859_1);
    }

    private static String garbage() {
      byte[] bytes = new byte[70_000];
      new SplittableRandom(7).nextBytes(bytes);
      return new String(bytes, ISO_8859_1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachConnectionIsClosedAndOthersAreServed(Beginning beginning) throws Exception {
    for (Port port : Port.values()) {
      List<Socket> sockets = new ArrayList<>();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          sockets.add(begun(servers.address(port), beginning));
        }
        assertThat(status(port)).isEqualTo(port == Port.ADMIN ? 200 : 404);
        for (Socket socket : sockets) {
          assertClosedByServer(socket);
        }
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
    assertThat(lines.list)
        .filteredOn(it -> it.getThrowableProxy() != null)
        .extracting(it -> it.getLoggerName() + ": " + it.getFormattedMessage())
        .isEmpty();
  }

  private static Socket begun(ListenAddress at, Beginning beginning) throws IOException {
    Socket socket = new Socket(at.host(), at.port());
    socket.setSoTimeout(CLOSED_MILLIS_MAX);
    try {
      socket.getOutputStream().write(beginning.bytes);
    } catch (IOException _) {
      // the server has closed it already
    }
    return socket;
  }

  /** At most an alert comes before the end. */
  private static void assertClosedByServer(Socket socket) {
    try {
      assertThat(socket.getInputStream().readAllBytes().length).isLessThan(64);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection is still open", e);
    } catch (IOException _) {
      // a reset is an end, too
    }
  }

  private int status(Port port) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(servers.address(port).url() + "/health")).build(),
            BodyHandlers.discarding())
        .statusCode();
  }
}
