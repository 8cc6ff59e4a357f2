package gatebook.api.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that begin TLS and do not mean it: each connection ends soon, and others are served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileTlsTest {
  /** Long enough for the handshake of an honest client on a busy machine. */
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT.with(Limit.READ_MILLIS_MAX, 3_000);

  /** Without the limit a connection without a handshake stays open. */
  private static final int CLOSED_MILLIS_MAX = 60_000;

  private static final int CONNECTIONS = 50;

  private HttpServers servers;
  private HttpClient client;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    Requires.program("openssl");
    TestCertificates certificates = TestCertificates.in(folder);
    servers =
        TlsServers.open(
            TestCertificates.files(certificates.make("server"), Optional.empty()), LIMITS);
    client = certificates.http(Optional.empty());
  }

  @AfterAll
  void close() {
    client.close();
    servers.close();
  }

  @ParameterizedTest
  @EnumSource
  void eachConnectionIsClosedAndOthersAreServed(HostileBeginning beginning) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    double failedBefore = failedHandshakes();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        for (Port port : Port.values()) {
          sockets.add(begun(servers.address(port), beginning));
        }
      }
      // on a busy machine a handshake of this client may be late, too
      await()
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> status(Port.ADMIN) == 200 && status(Port.CALLERS) == 404);
      for (Socket socket : sockets) {
        assertClosedByServer(socket);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    await()
        .untilAsserted(() ->
            assertThat(failedHandshakes() - failedBefore).isGreaterThanOrEqualTo(sockets.size()));
  }

  /** At both ports. */
  private double failedHandshakes() throws IOException, InterruptedException {
    return get(Port.ADMIN, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("gatebook_tls_handshakes_failed_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static Socket begun(ListenAddress at, HostileBeginning beginning) throws IOException {
    Socket socket = new Socket(at.host(), at.port());
    socket.setSoTimeout(CLOSED_MILLIS_MAX);
    try {
      socket.getOutputStream().write(beginning.bytes());
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
    return get(port, "/health").statusCode();
  }

  private HttpResponse<String> get(Port port, String path)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(servers.address(port).url() + path)).build(),
        BodyHandlers.ofString());
  }
}
