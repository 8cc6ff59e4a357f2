package gatebook.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.operator.rpc.OperatorTestNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages and assets of the console over HTTP, and the headers of every response. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleControllerTest {
  private static final String UPLOT = "/console/assets/vendor/uPlot.esm.js";

  private static final List<String> HEADERS =
      List.of(
          "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';"
              + " img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none';"
              + " form-action 'none'; frame-ancestors 'none'",
          "x-content-type-options: nosniff",
          "x-frame-options: deny",
          "referrer-policy: no-referrer",
          "cross-origin-opener-policy: same-origin",
          "cross-origin-resource-policy: same-origin");

  private @Nullable OperatorTestNode started;

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    started = new OperatorTestNode(data);
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/                       | text/html; charset=utf-8",
        "/?q=a                   | text/html; charset=utf-8",
        "/console/calls?q=a%20b  | text/html; charset=utf-8",
        "/console/call/a         | text/html; charset=utf-8",
        "/console/assets/app.css | text/css; charset=utf-8",
        "/console/assets/app.js  | text/javascript; charset=utf-8",
        UPLOT + "                | text/javascript; charset=utf-8",
      })
  void aFileIsServedToEveryone(String path, String type) throws IOException {
    for (String accept : List.of("Accept: text/html,*/*;q=0.8", "Accept: */*", "X-None: 1")) {
      Answer answer = request("GET", path, accept);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers())
          .contains("content-type: " + type, "cache-control: no-cache", "vary: accept-encoding")
          .containsAll(HEADERS)
          .noneMatch(header -> header.startsWith("content-encoding"));
      assertThat(answer.body()).isNotEmpty();
    }
  }

  @Test
  void headHasTheHeadersOfGet() throws IOException {
    for (String path : List.of("/", "/console/calls", "/console/assets/app.css", UPLOT)) {
      Answer get = request("GET", path);
      Answer head = request("HEAD", path);

      assertThat(head.status()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(undated(head)).containsExactlyInAnyOrderElementsOf(undated(get));
    }
  }

  private static List<String> undated(Answer answer) {
    return answer.headers().stream().filter(header -> !header.startsWith("date: ")).toList();
  }

  @Test
  void clientsThatAcceptGzipGetIt() throws Exception {
    HttpResponse<byte[]> plain = bytes(UPLOT);
    HttpResponse<byte[]> gzip = bytes(UPLOT, "Accept-Encoding", "gzip, deflate, br");

    assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(gzip.headers().firstValue("Content-Length"))
        .contains(String.valueOf(gzip.body().length));
    assertThat(gzip.body().length).isLessThan(plain.body().length / 2);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
        .isEqualTo(plain.body());
    assertThat(bytes(UPLOT, "Accept-Encoding", "gzip;q=0").body()).isEqualTo(plain.body());
  }

  @Test
  void anUnchangedFileIsNotSentAgain() throws IOException {
    for (String encoding : List.of("Accept-Encoding: gzip", "Accept-Encoding: identity")) {
      String tag = tag(request("GET", UPLOT, encoding));

      Answer again = request("GET", UPLOT, encoding, "If-None-Match: " + tag);

      assertThat(again.status()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.headers())
          .contains("etag: " + tag, "cache-control: no-cache", "vary: accept-encoding")
          .containsAll(HEADERS)
          .noneMatch(header -> header.startsWith("content-type"));
      assertThat(request("GET", UPLOT, encoding, "If-None-Match: \"other\"").status())
          .isEqualTo(200);
    }
    assertThat(tag(request("GET", UPLOT, "Accept-Encoding: gzip")))
        .isNotEqualTo(tag(request("GET", UPLOT)));
    assertThat(tag(request("GET", "/"))).isNotEqualTo(tag(request("GET", UPLOT)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/assets/none.js",
        "/console/assets/",
        "/console/assets/../index.html",
        "/console/assets/..%2findex.html",
        "/console/assets/%2e%2e/%2e%2e/operator/methods/rules.show.json",
        "/console/assets/../../../../../../etc/passwd",
        "/console/assets/vendor/../../package.json",
        "/console/assets/ConsoleFiles.class",
        "/console/assets/app.css%00.js",
        "/console/assets/http:%2f%2fevil.example",
        "/console/unknown",
        "/console/call",
        "/console/calls/1",
        "/console/session"
      })
  void whatIsNoPageAndNoAssetIsNotFound(String path) throws IOException {
    Answer answer = request("GET", path);

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.headers()).containsAll(HEADERS).contains("content-type: application/json");
    assertThat(answer.body()).startsWith("{\"error\":\"not found\",\"correlation_id\":\"");
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/,405",
    "PUT,/console/calls,405",
    "DELETE,/console/assets/app.css,405",
    "PUT,/console/session,405",
    "POST,/console/session,403",
    "DELETE,/console/session,403"
  })
  void refusalsHaveTheHeadersToo(String method, String path, int status) throws IOException {
    Answer answer = request(method, path, "Content-Length: 0");

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.headers()).containsAll(HEADERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/console/calls", "/console/assets/app.css"})
  void foreignPagesAreRefusedWithTheHeaders(String path) throws IOException {
    Answer foreignHost = RawHttp.request(node().at(Port.ADMIN), "GET", path, "Host: evil.example");
    Answer foreignOrigin = request("GET", path, "Origin: http://evil.example");

    assertThat(List.of(foreignHost.status(), foreignOrigin.status())).containsOnly(403);
    assertThat(foreignHost.headers()).containsAll(HEADERS);
    assertThat(foreignOrigin.headers()).containsAll(HEADERS);
  }

  @Test
  void signInResponsesHaveTheHeaders() throws Exception {
    ConsoleClient client = new ConsoleClient(node());

    for (HttpResponse<String> response :
        List.of(client.signIn("wrong"), client.signIn(node().token()), client.signOut())) {
      List<String> headers =
          response.headers().map().entrySet().stream()
              .flatMap(
                  header -> header.getValue().stream().map(value -> header.getKey() + ": " + value))
              .map(String::toLowerCase)
              .toList();
      assertThat(headers).containsAll(HEADERS);
    }
  }

  @Test
  void theConsoleDoesNotExistAtTheCallersPort() throws IOException {
    for (String path : List.of("/", "/console/calls", "/console/assets/app.css")) {
      assertThat(RawHttp.get(node().at(Port.CALLERS), path).status()).isEqualTo(404);
    }
  }

  @Test
  void servingFilesIsNotRecorded() throws IOException {
    var _ = request("GET", "/");
    var _ = request("GET", UPLOT);

    assertThat(node().stored()).noneMatch(event -> event.contains("console/assets"));
  }

  private Answer request(String method, String path, String... headers) throws IOException {
    return RawHttp.request(
        node().at(Port.ADMIN),
        method,
        path,
        Stream.concat(
                Stream.of("Host: localhost:" + node().at(Port.ADMIN).port()), Stream.of(headers))
            .toArray(String[]::new));
  }

  private HttpResponse<byte[]> bytes(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node().url(Port.ADMIN) + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return OperatorTestNode.HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String tag(Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.startsWith("etag: "))
        .findFirst()
        .orElseThrow()
        .substring("etag: ".length());
  }

  private OperatorTestNode node() {
    return Objects.requireNonNull(started);
  }
}
