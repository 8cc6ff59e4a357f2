package gatebook.api.node.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.HttpError;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of HTTP on the callers' port: returned as JSON-RPC, logged and counted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpErrorsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """;

  private @Nullable WatchedNode started;
  private String metricsAtStart = "";

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started = WatchedNode.start(folder, RULES);
    metricsAtStart = node().get("/metrics").body();
  }

  @AfterAll
  void stop() {
    node().close();
  }

  static Stream<Arguments> requests() {
    String host = "Host: localhost:PORT\r\n";
    return Stream.of(
        arguments("GET /mcp?x=%ZZ HTTP/1.1\r\n" + host, 400, "bad-request"),
        arguments("POST /mcp?x=%ZZ HTTP/1.1\r\n" + host, 400, "bad-request"),
        arguments("GET /m|cp HTTP/1.1\r\n" + host, 400, "bad-request"),
        arguments("NONSENSE\r\n", 400, "bad-request"),
        arguments("GET /mcp HTTP/1.1\r\n" + host + "No colon\r\n", 400, "bad-request"),
        arguments("GET /mcp HTTP/1.1\r\nHost: evil.example:PORT\r\n", 403, "foreign-host"),
        arguments(
            "POST /mcp HTTP/1.1\r\n" + host + "Origin: https://evil.example\r\n",
            403,
            "foreign-origin"),
        arguments("GET /none HTTP/1.1\r\n" + host, 404, "not-found"),
        arguments("GET /health HTTP/1.1\r\n" + host, 404, "not-found"),
        arguments("GET /mcp HTTP/1.1\r\n" + host, 405, "method-not-allowed"),
        arguments("PUT /rpc HTTP/1.1\r\n" + host, 405, "method-not-allowed"),
        arguments(
            "GET /mcp HTTP/1.1\r\n" + host + "X-Long: " + "x".repeat(9_000) + "\r\n",
            431,
            "header-too-large"),
        arguments(
            "GET /mcp?" + "x".repeat(9_000) + " HTTP/1.1\r\n" + host, 431, "header-too-large"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"callers", "admin"})
  void everyStatusAndReasonIsCountedFromZero(String port) {
    String counter = "gatebook_http_errors_total{door=\"%s\",".formatted(port);

    assertThat(
            metricsAtStart
                .lines()
                .filter(line -> line.startsWith(counter))
                .map(line -> line.substring(counter.length())))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    "400 bad-request",
                    "401 token-unknown",
                    "401 operator-unknown",
                    "401 sign-in-refused",
                    "429 sign-in-throttled",
                    "403 console-header-missing",
                    "403 origin-missing",
                    "400 tail-refused",
                    "403 tail-refused",
                    "503 tail-refused",
                    "403 client-certificate-missing",
                    "403 foreign-host",
                    "403 foreign-origin",
                    "404 not-found",
                    "404 unknown-session",
                    "405 method-not-allowed",
                    "406 not-acceptable",
                    "431 header-too-large",
                    "500 internal-error",
                    "503 not-recorded",
                    "503 sign-on-keys",
                    "503 overloaded",
                    "502 agent-unreachable",
                    "503 agent-unreachable",
                    "504 agent-unreachable",
                    "406 other",
                    "415 other")
                .map(words -> words.split(" ", -1))
                .map(words -> "reason=\"%s\",status=\"%s\"} 0.0".formatted(words[1], words[0]))
                .toList());
  }

  @ParameterizedTest(name = "{1} {2} {index}")
  @MethodSource("requests")
  void httpErrorIsAJsonRpcErrorLoggedAndCounted(String head, int status, String reason)
      throws IOException {
    double before = counted(status, reason);

    RawHttp.Answer answer = send(head + "Connection: close\r\n\r\n");

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.headers()).contains("content-type: application/json");
    JsonNode error = JSON.readTree(answer.body()).path("error");
    assertThat(JSON.readTree(answer.body()).path("id").isNull()).isTrue();
    assertThat(error.path("code").asInt()).isEqualTo(-32600);
    assertThat(error.path("message").asText()).isEqualTo("Invalid Request");
    assertThat(error.at("/data/reason").asText()).isEqualTo(reason);
    assertThat(error.at("/data/details").asText()).isNotEmpty();
    String correlationId = error.at("/data/correlation_id").asText();
    assertThat(answer.headers()).contains("x-correlation-id: " + correlationId);
    assertThat(lines(correlationId))
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .containsEntry("level", "warn")
                .containsEntry("message", "HTTP request refused")
                .containsEntry("status", status)
                .containsEntry("door", "callers")
                .containsEntry("reason", reason));
    assertThat(counted(status, reason) - before).isEqualTo(1);
    assertThat(node().events(correlationId)).isEmpty();
  }

  @Test
  void operatorsSeeWhichHostAndOriginWereRefused() throws IOException {
    sendLines("GET /mcp HTTP/1.1", "Host: evil.example", "X-Correlation-Id: h");
    sendLines(
        "GET /mcp HTTP/1.1",
        "Host: localhost:PORT",
        "Origin: https://evil.example",
        "X-Correlation-Id: o");

    assertThat(lines("h").getFirst()).containsEntry("host", "evil.example");
    assertThat(lines("o").getFirst()).containsEntry("origin", "https://evil.example");
  }

  @Test
  void logLineIsShortAndContainsNoSecret() throws IOException {
    sendLines(
        "GET /%s?token=AKIAIOSFODNN7EXAMPLE HTTP/1.1".formatted("x".repeat(7_000)),
        "Host: localhost:PORT",
        "X-Correlation-Id: l");

    assertThat(lines("l").getFirst().toString())
        .hasSizeLessThan(1_000)
        .doesNotContain("AKIAIOSFODNN7EXAMPLE");
  }

  /** A path is cut in a line; half a secret is one, too. */
  @Test
  void logLineContainsNoHalfOfASecret() throws IOException {
    sendLines(
        "GET /%s/AKIAIOSFODNN7EXAMPLE HTTP/1.1".formatted("x".repeat(244)),
        "Host: localhost:PORT",
        "X-Correlation-Id: l");

    assertThat(lines("l").getFirst().toString()).doesNotContain("AKIAIOS");
  }

  @Test
  void theReadmeListsEveryReason() throws IOException {
    Path readme =
        Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")))
            .resolve("api/OPERATING.md");

    assertThat(Files.readString(readme).replace('\n', ' '))
        .contains(
            Stream.of(HttpError.values())
                .map(error -> "`" + error.word() + "`")
                .collect(Collectors.joining(", ")));
  }

  private void sendLines(String... lines) throws IOException {
    RawHttp.Answer _ = send(String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n");
  }

  private RawHttp.Answer send(String text) throws IOException {
    ListenAddress at = node().at(Port.CALLERS);
    return RawHttp.send(at, text.replace("PORT", String.valueOf(at.port())));
  }

  private List<Map<String, Object>> lines(String correlationId) {
    return node().lines().stream()
        .map(HttpErrorsTest::parsed)
        .filter(line -> correlationId.equals(line.get("correlation_id")))
        .toList();
  }

  private static Map<String, Object> parsed(String line) {
    try {
      return JSON.readValue(line, new TypeReference<>() {});
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private double counted(int status, String reason) throws IOException {
    String counter =
        "gatebook_http_errors_total{door=\"callers\",reason=\"%s\",status=\"%d\"} "
            .formatted(reason, status);
    return node()
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(counter))
        .mapToDouble(line -> Double.parseDouble(line.substring(counter.length())))
        .sum();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
