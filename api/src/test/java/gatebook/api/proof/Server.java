package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/** {@code ./gatebook serve} in a process of its own, as its users start it. */
final class Server implements AutoCloseable {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final String callers;
  private final String admin;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;
  private final String token;

  private Server(Process process, Path data, String callers, String admin) {
    this.process = process;
    this.data = data;
    this.token = text(data.resolve("operator.token")).strip();
    this.callers = callers;
    this.admin = admin;
  }

  /**
   * How it is started.
   *
   * @param through a command that starts it in turn
   * @param arguments after those that every server of a test gets
   */
  record How(List<String> through, List<String> arguments, Map<String, String> environment) {
    static final How PLAINLY = new How(List.of(), List.of(), Map.of());
  }

  /**
   * Returns when it serves.
   *
   * @param directory where {@code gatebook.yaml} lies, and {@code data} will
   */
  static Server start(Path directory, How how) {
    try {
      Path out = directory.resolve("out");
      Files.deleteIfExists(out);
      ProcessBuilder builder = new ProcessBuilder(command(how)).directory(directory.toFile());
      builder.environment().putAll(how.environment());
      Process process =
          builder
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err").toFile()))
              .start();
      List<String> doors = doors(process, directory);
      Path data = how.through().isEmpty() ? directory.resolve("data") : seen(process, directory);
      return new Server(process, data, url(doors.getFirst()), url(doors.get(1)));
    } catch (IOException e) {
      throw new UncheckedIOException("the launcher does not start", e);
    }
  }

  /** Its data as the process itself sees it, which may have mounted something there. */
  private static Path seen(Process process, Path directory) {
    return Path.of("/proc/%d/root%s/data".formatted(process.pid(), directory.toAbsolutePath()));
  }

  private static List<String> command(How how) {
    List<String> command = new ArrayList<>(how.through());
    command.addAll(
        List.of(
            LAUNCHER.toString(),
            "serve",
            "--config",
            "gatebook.yaml",
            "--data",
            "data",
            "--port",
            "0",
            "--admin-port",
            "0"));
    command.addAll(how.arguments());
    return command;
  }

  private static List<String> doors(Process process, Path directory) {
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

  URI mcp() {
    return URI.create(callers + "/mcp");
  }

  /** The data directory as it sees it itself. */
  Path data() {
    return data;
  }

  /** It stands still. */
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
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

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL; returns when it is gone. */
  void kill() {
    process.destroyForcibly();
    assertGone();
  }

  /** SIGTERM; returns when it is gone. */
  void stop() {
    process.destroy();
    assertGone();
  }

  private void assertGone() {
    try {
      assertThat(process.waitFor(120, SECONDS)).as("it is gone").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a probe says: its status and its body. */
  Probe probe(String path) {
    HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(admin + path)).build());
    return new Probe(answer.statusCode(), answer.body());
  }

  record Probe(int status, String body) {}

  /** What operators are told of an id, as of now: everything stored before is in it. */
  JsonNode lookup(String id) {
    return ask("audit.lookup", "{\"id\":\"%s\"}".formatted(id)).get("calls");
  }

  /** What {@link #lookup} calls how a call stands. */
  String status(String marker) {
    return lookup(marker).path(0).path("status").asText();
  }

  /**
   * Every call that a filter lets through.
   *
   * @param filter members of the params of {@code audit.calls}
   */
  List<JsonNode> calls(String filter) {
    List<JsonNode> calls = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ask("audit.calls", "{\"limit\":1000,%s%s}".formatted(filter, cursor));
      page.get("calls").forEach(calls::add);
      cursor = page.has("cursor") ? ",\"cursor\":" + page.get("cursor") : "";
    } while (!cursor.isEmpty());
    return calls;
  }

  JsonNode ask(String method, String params) {
    String question =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(admin + "/operator"))
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
