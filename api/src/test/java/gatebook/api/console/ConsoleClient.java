package gatebook.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of a node's console, which keeps its cookie and sends the headers that a browser does.
 */
final class ConsoleClient {
  static final String HEADER = "X-Gatebook-Console";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern COOKIE = Pattern.compile("gatebook_session=([^;]*)(;.*)");

  private final OperatorTestNode node;
  private final String origin;
  private @Nullable String sessionKey;

  ConsoleClient(OperatorTestNode node) {
    this.node = node;
    this.origin = node.url(Port.ADMIN);
  }

  /** A client that is signed in with a token. */
  static ConsoleClient signedIn(OperatorTestNode node, String token) throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    assertThat(client.signIn(token).statusCode()).isEqualTo(200);
    return client;
  }

  /** The key of the session; null when the client has none. */
  @Nullable String sessionKey() {
    return sessionKey;
  }

  HttpResponse<String> signIn(String token) throws Exception {
    return session("POST", BodyPublishers.noBody(), "Authorization", "Bearer " + token);
  }

  HttpResponse<String> signInWithCode(String code) throws Exception {
    return session(
        "POST",
        BodyPublishers.ofString(JSON.writeValueAsString(Map.of("code", code)), UTF_8),
        "Content-Type",
        "application/json");
  }

  HttpResponse<String> signOut() throws Exception {
    return session("DELETE", BodyPublishers.noBody());
  }

  private HttpResponse<String> session(String method, BodyPublisher body, String... headers)
      throws Exception {
    return send(
        method,
        "/console/session",
        body,
        Stream.concat(Stream.of(HEADER, "1", "Origin", origin), Stream.of(headers))
            .toArray(String[]::new));
  }

  /** Calls a method of operators. */
  HttpResponse<String> call(String method, String params) throws Exception {
    return send("POST", "/operator", message(method, params), HEADER, "1", "Origin", origin);
  }

  static BodyPublisher message(String method, String params) {
    return BodyPublishers.ofString(
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params));
  }

  /** The status with which a method is answered that every operator may call. */
  int status() throws Exception {
    return call("operator.whoami", "{}").statusCode();
  }

  /** The beginning of the tail's response. */
  int tailStatus(String... headers) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status =
          client
              .send(
                  request("/operator/tail", headers).build(),
                  HttpResponse.BodyHandlers.ofInputStream())
              .statusCode();
      client.shutdownNow();
      return status;
    }
  }

  /**
   * The lines of the tail's response.
   *
   * @param query with its question mark
   */
  BufferedReader tail(HttpClient client, String query) throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            request("/operator/tail" + query, HEADER, "1").build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** Sends a request with the cookie and with these headers only. */
  HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        OperatorTestNode.HTTP.send(
            request(path, headers).method(method, body).build(),
            HttpResponse.BodyHandlers.ofString());
    response.headers().firstValue("Set-Cookie").ifPresent(this::keep);
    return response;
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return sessionKey == null
        ? request
        : request.header("Cookie", "gatebook_session=" + sessionKey);
  }

  private void keep(String setCookie) {
    Matcher cookie = COOKIE.matcher(setCookie);
    assertThat(cookie.matches()).isTrue();
    sessionKey = cookie.group(2).contains("Max-Age=0") ? null : cookie.group(1);
  }

  /** Keeps another key, as if it was set before. */
  void keepKey(@Nullable String key) {
    sessionKey = key;
  }

  /** A code for the operator with this token. */
  String code(String token) throws Exception {
    HttpResponse<String> response =
        new ConsoleClient(node)
            .send(
                "POST",
                "/operator",
                message("operator.consoleLink", "{}"),
                "Authorization",
                "Bearer " + token);
    return json(response).at("/result/code").asText();
  }

  static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  static List<String> cookies(HttpResponse<String> response) {
    return response.headers().allValues("Set-Cookie");
  }
}
