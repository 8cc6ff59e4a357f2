package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.RawHttp.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PortsTest {

  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);
  private static final Readiness.Status READY =
      new Readiness.Status(Map.of("journal", "appending"), null, "power");

  private final AtomicReference<Readiness.Status> readiness = new AtomicReference<>(READY);
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private HttpServers httpServers;
  private ListenAddress callers;
  private ListenAddress admin;

  @BeforeAll
  void open() {
    httpServers = opened(open(ANY_PORT, ANY_PORT));
    callers = httpServers.address(Port.CALLERS);
    admin = httpServers.address(Port.ADMIN);
  }

  @AfterAll
  void close() {
    httpServers.close();
  }

  @Test
  void healthHasTheVersionAndTheUptime() throws IOException {
    Answer answer = RawHttp.get(admin, "/health");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).contains("content-type: application/json");
    assertThat(answer.body())
        .matches(
            """
            \\{"status":"ok","version":"1.2.3","uptimeSeconds":\\d+}\
            """);
  }

  @Test
  void readyNodeReturnsEveryField() throws IOException {
    readiness.set(READY);

    Answer answer = RawHttp.get(admin, "/ready");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            """
            {"status":"ready","checks":{"journal":"appending"},"reason":null,"durability":"power"}\
            """);
  }

  @Test
  void unreadyNodeReturnsTheReason() throws IOException {
    readiness.set(
        new Readiness.Status(Map.of("journal", "stopped"), "the disk is full", "process"));

    Answer answer = RawHttp.get(admin, "/ready");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body())
        .isEqualTo(
            """
            {"status":"not_ready","checks":{"journal":"stopped"},"reason":"the disk is full",\
            "durability":"process"}\
            """);
  }

  @Test
  void metricsAreInThePrometheusTextFormat() throws IOException {
    metrics.counter("gatebook.tests").increment(3);

    Answer answer = RawHttp.get(admin, "/metrics");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).contains("content-type: text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body().lines().filter(line -> line.contains("gatebook_tests")))
        .containsExactlyElementsOf(
            """
            # HELP gatebook_tests_total \s
            # TYPE gatebook_tests_total counter
            gatebook_tests_total 3.0
            """
                .lines()
                .toList());
  }

  @ParameterizedTest
  @CsvSource({"GET,/health", "GET,/ready", "GET,/metrics", "POST,/health", "GET,/", "GET,/nope"})
  void callersFindNoneOfTheAdminPaths(String method, String path) throws IOException {
    Answer answer = RawHttp.request(callers, method, path, "Host: localhost:" + callers.port());

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(rpc(answer, "not-found", "not found"));
  }

  @Test
  void callersPathExistsAtTheCallersPortOnly() throws IOException {
    assertThat(RawHttp.get(callers, "/test-callers").body()).isEqualTo("for callers");
    Answer answer = RawHttp.get(admin, "/test-callers");
    assertThat(answer.body()).isEqualTo(plain(answer, "not found"));
  }

  @Test
  void knownPathWithAnotherMethodReturnsTheAllowedMethods() throws IOException {
    Answer answer = RawHttp.request(admin, "POST", "/health", "Host: localhost:" + admin.port());

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.headers()).contains("allow: head,get");
    assertThat(answer.body()).isEqualTo(plain(answer, "method not allowed"));
  }

  @Test
  void unhandledErrorIsNotDisclosed() throws IOException {
    Answer answer = RawHttp.get(callers, "/test-callers/failing");

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error",\
            "data":{"correlation_id":"%s"}}}\
            """
                .formatted(correlation(answer)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost", "127.0.0.1", "[::1]"})
  void requestMayNameAnyHostOfThisMachine(String host) throws IOException {
    String authority = host + ":" + admin.port();

    assertThat(
            RawHttp.request(
                    admin, "GET", "/health", "Host: " + authority, "Origin: http://" + authority)
                .status())
        .isEqualTo(200);
  }

  @Test
  void requestMayNameAConfiguredHost() throws IOException {
    ListenAddress named = new ListenAddress("127.0.0.1", 0, Set.of("gate.example"), TlsMode.OFF);
    try (HttpServers others = opened(open(named, ANY_PORT))) {
      ListenAddress at = others.address(Port.CALLERS);

      assertThat(RawHttp.request(at, "GET", "/nope", "Host: gate.example").status()).isEqualTo(404);
      assertThat(RawHttp.request(at, "GET", "/nope", "Host: other.example").status())
          .isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: attacker.example:PORT",
        "Host: localhost",
        "Host: localhost:OTHER",
        "Host: localhost.attacker.example:PORT",
        "Host: ",
        "Host: localhost:PORT\r\nHost: attacker.example:PORT",
        "X-Forwarded-Host: localhost:PORT",
      })
  void requestForAnotherHostIsRefusedAtBothPorts(String headers) throws IOException {
    String sentence = "the Host header must name this server and its port";

    assertRefused(admin, callers, headers, "foreign-host", sentence);
    assertRefused(callers, admin, headers, "foreign-host", sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://attacker.example",
        "http://attacker.example:PORT",
        "http://localhost:OTHER",
        "https://localhost:PORT",
        "null",
        "http://localhost:PORT\r\nOrigin: http://attacker.example",
      })
  void requestOfAnotherOriginIsRefusedAtBothPorts(String origin) throws IOException {
    String headers = "Host: localhost:PORT\r\nOrigin: " + origin;

    String sentence = "requests of other origins are refused";

    assertRefused(admin, callers, headers, "foreign-origin", sentence);
    assertRefused(callers, admin, headers, "foreign-origin", sentence);
  }

  @ParameterizedTest
  @CsvSource({"CALLERS,--port", "ADMIN,--admin-port"})
  void aPortInUseIsRefusedByName(Port taken, String option) throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress inUse = new ListenAddress("127.0.0.1", other.getLocalPort());

      HttpServers.StartResult startResult =
          taken == Port.CALLERS ? open(inUse, ANY_PORT) : open(ANY_PORT, inUse);

      assertThat(startResult)
          .isEqualTo(
              new HttpServers.StartResult.Refused(
                  "port %d on 127.0.0.1 is in use: stop what listens there, or choose another with %s"
                      .formatted(inUse.port(), option)));
    }
  }

  @Test
  void addressOfAnotherMachineIsRefused() {
    assertThat(open(new ListenAddress("192.0.2.1", 0), ANY_PORT))
        .isEqualTo(
            new HttpServers.StartResult.Refused(
                "cannot listen on port 0 of 192.0.2.1 (cannot assign requested address):"
                    + " choose another with --port"));
  }

  @Test
  void closedServersReleaseTheirPorts() {
    HttpServers first = opened(open(ANY_PORT, ANY_PORT));
    ListenAddress port = first.address(Port.CALLERS);
    first.close();

    // the system takes a moment to release a closed socket
    opened(
            await()
                .until(
                    () -> open(port, ANY_PORT), HttpServers.StartResult.Started.class::isInstance))
        .close();
  }

  @Test
  void closingWaitsForOpenRequestsOfCallersOnly() throws IOException {
    CallersTestPaths.HeldAnswer held = new CallersTestPaths.HeldAnswer();
    HttpServers closing =
        opened(open(ANY_PORT, ANY_PORT, context -> context.registerSingleton(held)));
    ListenAddress at = closing.address(Port.CALLERS);
    try (Socket idle = new Socket(at.host(), at.port());
        Socket open = new Socket(at.host(), at.port())) {
      open.getOutputStream()
          .write(
              "GET /test-callers/held HTTP/1.1\r\nHost: localhost:%d\r\n\r\n"
                  .formatted(at.port())
                  .getBytes(UTF_8));
      held.asked().join();

      CompletableFuture<Void> closed = CompletableFuture.runAsync(closing::close);

      assertThat(idle.getInputStream().read()).isEqualTo(-1);
      assertThatThrownBy(() -> new Socket(at.host(), at.port()).close())
          .isInstanceOf(ConnectException.class);
      assertThat(closed).isNotDone();
      held.text().complete("answered");
      assertThat(new String(open.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 200 OK")
          .endsWith("answered");
      closed.join();
    }
  }

  private HttpServers.StartResult open(ListenAddress forCallers, ListenAddress forAdmin) {
    return open(forCallers, forAdmin, _ -> {});
  }

  private HttpServers.StartResult open(
      ListenAddress forCallers, ListenAddress forAdmin, Consumer<ApplicationContext> beans) {
    return HttpServers.open(
        forCallers, forAdmin, Optional.empty(), "1.2.3", readiness::get, metrics, beans);
  }

  private static HttpServers opened(HttpServers.StartResult startResult) {
    return switch (startResult) {
      case HttpServers.StartResult.Started(var httpServers) -> httpServers;
      case HttpServers.StartResult.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  /** Operators get one sentence, callers JSON-RPC; both are counted. */
  private void assertRefused(
      ListenAddress at, ListenAddress other, String headers, String reason, String sentence)
      throws IOException {
    double before = counted(at, reason);

    Answer answer = withHeaders(at, other, headers);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body())
        .isEqualTo(at.equals(callers) ? rpc(answer, reason, sentence) : plain(answer, sentence));
    assertThat(correlation(answer)).hasSize(36);
    assertThat(counted(at, reason) - before).isEqualTo(1);
  }

  private double counted(ListenAddress at, String reason) {
    return metrics
        .find("gatebook.http.errors")
        .tags("door", at.equals(callers) ? "callers" : "admin", "status", "403", "reason", reason)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private static Answer withHeaders(ListenAddress at, ListenAddress other, String headers)
      throws IOException {
    return RawHttp.request(
        at,
        "GET",
        "/health",
        headers
            .replace("PORT", String.valueOf(at.port()))
            .replace("OTHER", String.valueOf(other.port())));
  }

  private static String plain(Answer answer, String sentence) {
    return """
    {"error":"%s","correlation_id":"%s"}\
    """
        .formatted(sentence, correlation(answer));
  }

  private static String rpc(Answer answer, String reason, String sentence) {
    return """
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request",\
    "data":{"correlation_id":"%s","details":"%s","reason":"%s"}}}\
    """
        .formatted(correlation(answer), sentence, reason);
  }

  private static String correlation(Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.startsWith("x-correlation-id: "))
        .map(header -> header.substring(18))
        .findFirst()
        .orElseThrow();
  }
}
