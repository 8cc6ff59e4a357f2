package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A server process, {@code ./gatebook serve}, started as users start it. */
public final class ServerProcess implements AutoCloseable {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JAVA_OPTIONS = "GATEBOOK_JAVA_OPTS";
  private static final String ADMIN_PORT = "--admin-port";

  private final Process process;
  private final String callersUrl;
  private final String adminUrl;
  private final Optional<SSLContext> tls;
  private final HttpClient http;
  private final Path data;
  private final String token;

  private ServerProcess(
      Process process, Path data, String callers, String admin, Optional<SSLContext> tls) {
    this.tls = tls;
    this.http =
        tls.map(it -> HttpClient.newBuilder().sslContext(it).build())
            .orElseGet(HttpClient::newHttpClient);
    this.process = process;
    this.data = data;
    this.token = text(data.resolve("operator.token")).strip();
    this.callersUrl = callers;
    this.adminUrl = admin;
  }

  /**
   * The options of a start.
   *
   * @param wrapper a command that starts the server; empty to start it directly
   * @param arguments added to those that every server of a test gets
   */
  public record StartOptions(
      List<String> wrapper, List<String> arguments, Map<String, String> environment) {
    public static final StartOptions DEFAULTS = new StartOptions(List.of(), List.of(), Map.of());

    /** A server with a small heap, whose leaks show soon. */
    static final StartOptions SMALL =
        new StartOptions(
            List.of(),
            List.of(),
            Map.of(JAVA_OPTIONS, System.getenv().getOrDefault(JAVA_OPTIONS, "") + " -Xmx256m"));

    /** The same options with more arguments. */
    StartOptions with(String... more) {
      return new StartOptions(
          wrapper, Stream.concat(arguments.stream(), Stream.of(more)).toList(), environment);
    }

    /** A server whose port for operators is that of one before. */
    static StartOptions withAdminPort(int port) {
      return new StartOptions(List.of(), List.of(ADMIN_PORT, Integer.toString(port)), Map.of());
    }
  }

  /**
   * Starts a server and returns once it serves.
   *
   * @param directory contains {@code gatebook.yaml}, if any, and later {@code data}
   */
  public static ServerProcess start(Path directory, StartOptions startOptions) {
    return start(directory, startOptions, Optional.empty());
  }

  /**
   * The same for a server that speaks TLS.
   *
   * @param tls with which it is spoken to
   */
  static ServerProcess start(Path directory, StartOptions startOptions, Optional<SSLContext> tls) {
    try {
      Path out = directory.resolve("out");
      Files.deleteIfExists(out);
      ProcessBuilder builder =
          new ProcessBuilder(command(startOptions)).directory(directory.toFile());
      builder.environment().putAll(startOptions.environment());
      Process process =
          builder
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err").toFile()))
              .start();
      List<String> lines = awaitPrintedLines(process, directory);
      Path data =
          startOptions.wrapper().isEmpty()
              ? directory.resolve("data")
              : dataInProcess(process, directory);
      return new ServerProcess(process, data, url(lines.getFirst()), url(lines.get(1)), tls);
    } catch (IOException e) {
      throw new UncheckedIOException("the launcher does not start", e);
    }
  }

  /** The data directory as the process sees it; the wrapper may have mounted something there. */
  private static Path dataInProcess(Process process, Path directory) {
    return Path.of("/proc/%d/root%s/data".formatted(process.pid(), directory.toAbsolutePath()));
  }

  private static List<String> command(StartOptions startOptions) {
    List<String> command = new ArrayList<>(startOptions.wrapper());
    command.addAll(List.of(LAUNCHER.toString(), "serve", "--data", "data", "--port", "0"));
    if (!startOptions.arguments().contains(ADMIN_PORT)) {
      command.addAll(List.of(ADMIN_PORT, "0"));
    }
    command.addAll(startOptions.arguments());
    return command;
  }

  private static List<String> awaitPrintedLines(Process process, Path directory) {
    return await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError("it ended: " + text(directory.resolve("err")));
              }
              return text(directory.resolve("out")).lines().toList();
            },
            lines -> lines.size() >= 2);
  }

  private static String url(String line) {
    return line.substring(line.indexOf("http"));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI mcp() {
    return URI.create(callersUrl + "/mcp");
  }

  public URI flow() {
    return URI.create(callersUrl + "/flow");
  }

  /** A connection to the port for callers, by TLS where the server speaks it. */
  Socket connect() throws IOException {
    URI to = mcp();
    if (tls.isEmpty()) {
      return new Socket(to.getHost(), to.getPort());
    }
    SSLSocket socket =
        (SSLSocket) tls.get().getSocketFactory().createSocket(to.getHost(), to.getPort());
    socket.startHandshake();
    return socket;
  }

  /** The address of the port for operators. */
  public URI admin() {
    return URI.create(adminUrl);
  }

  /** The data directory as the process sees it. */
  public Path data() {
    return data;
  }

  /** Suspends the process. */
  void suspend() {
    signal("-STOP");
  }

  void resume() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      String pid = Long.toString(pid());
      assertThat(
              new ProcessBuilder("sh", "-c", "kill %s %s".formatted(signal, pid))
                  .inheritIO()
                  .start()
                  .waitFor())
          .isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGKILL and waits until the process has exited. */
  public void kill() {
    process.destroyForcibly();
    assertGone();
  }

  /** Sends SIGTERM and waits until the process has exited. */
  public void stop() {
    signalToStop();
    assertGone();
  }

  /** Sends SIGTERM. */
  void signalToStop() {
    process.destroy();
  }

  /** The exit code, once the process has exited. */
  int exitCode() {
    assertGone();
    return process.exitValue();
  }

  private void assertGone() {
    try {
      assertThat(process.waitFor(120, SECONDS)).as("it is gone").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The status and the body of a probe. */
  ProbeResult probe(String path) {
    HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(adminUrl + path)).build());
    return new ProbeResult(answer.statusCode(), answer.body());
  }

  record ProbeResult(int status, String body) {}

  /** Whether the probe says that it is ready; a process that has exited is not. */
  boolean isReady() {
    try {
      return probe("/ready").status() == 200;
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  /** The version of the server. */
  String version() {
    return json(probe("/health").body()).get("version").asText();
  }

  /** Looks up an id as an operator. The result contains everything stored before. */
  JsonNode lookup(String id) {
    return request("audit.lookup", "{\"id\":\"%s\"}".formatted(id)).get("calls");
  }

  /** The status of a call, from {@link #lookup}. */
  String status(String marker) {
    return lookup(marker).path(0).path("status").asText();
  }

  /**
   * All calls that match a filter.
   *
   * @param filter members of the params of {@code audit.calls}
   */
  List<JsonNode> calls(String filter) {
    List<JsonNode> calls = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = request("audit.calls", "{\"limit\":1000,%s%s}".formatted(filter, cursor));
      page.get("calls").forEach(calls::add);
      cursor = page.has("cursor") ? ",\"cursor\":" + page.get("cursor") : "";
    } while (!cursor.isEmpty());
    return calls;
  }

  JsonNode request(String method, String params) {
    String question =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(adminUrl + "/operator"))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(question))
            .build();
    String answer = send(request).body();
    JsonNode result = json(answer).get("result");
    assertThat(result).as("%s is answered with a result: %s", method, answer).isNotNull();
    return result;
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to an operator", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON: " + text, e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    http.shutdownNow();
  }
}
