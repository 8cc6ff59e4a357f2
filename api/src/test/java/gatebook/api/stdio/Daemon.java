package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the daemon, {@code ./gatebook stdio}, in a process of its own, as an editor does. */
public final class Daemon implements AutoCloseable {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long GONE_SECONDS_MAX = 120;

  /** The limit for waiting for answers and closing together. */
  private static final long STOP_MILLIS_MAX = 2_000;

  private static final int TRIES_MAX = 10;

  private final Process process;
  private final Path err;
  private final OutputStream in;
  private final InputStream out;

  private Daemon(Process process, Path err) {
    this.process = process;
    this.err = err;
    this.in = process.getOutputStream();
    this.out = new BufferedInputStream(process.getInputStream());
  }

  /** A build in the background ignores some signals, and its child processes inherit that. */
  private static final List<String> DEFAULT_SIGNALS = List.of("env", "--default-signal=INT,HUP");

  /** Starts a daemon with its data and its standard error in a directory. */
  public static Daemon start(Path directory, String... arguments) {
    return start(directory, Map.of(), arguments);
  }

  static Daemon start(Path directory, Map<String, String> environment, String... arguments) {
    try {
      Path err = Files.createTempFile(directory, "err", ".log");
      ProcessBuilder builder = new ProcessBuilder(command(directory, arguments));
      builder.command().addAll(0, DEFAULT_SIGNALS);
      builder.environment().keySet().removeAll(List.of("GATEBOOK_TOKEN", "DUET_RPC_LOG"));
      builder.environment().putAll(environment);
      return new Daemon(
          builder.directory(directory.toFile()).redirectError(err.toFile()).start(), err);
    } catch (IOException e) {
      throw new UncheckedIOException("the launcher does not start", e);
    }
  }

  /** Starts a daemon whose standard error is never read. */
  static Daemon startUnread(Path directory) {
    try {
      return new Daemon(
          new ProcessBuilder(command(directory)).directory(directory.toFile()).start(),
          Files.createTempFile(directory, "err", ".log"));
    } catch (IOException e) {
      throw new UncheckedIOException("the launcher does not start", e);
    }
  }

  /** The command that an editor starts. */
  static List<String> command(Path directory, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(LAUNCHER.toString(), "stdio", "--data", directory.resolve("data").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** The operator's token of the data in a directory. */
  public static String token(Path directory) {
    try {
      return Files.readString(directory.resolve("data/operator.token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a request. */
  public void request(int id, String method, String params) {
    send(
        """
        {"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\
        """
            .formatted(id, method, params));
  }

  /** Sends a request and returns the response. */
  JsonNode ask(String method, String params) {
    request(1, method, params);
    return receive().orElseThrow();
  }

  /** Sends a request and returns the text of the response. */
  String askText(String method, String params) {
    request(1, method, params);
    return receiveText().orElseThrow();
  }

  /** Calls a tool and returns the result. */
  JsonNode call(String tool, String arguments) {
    return ask(
        "tools/call",
        """
        {"name":"%s","arguments":%s}\
        """
            .formatted(tool, arguments));
  }

  public void send(String body) {
    write(frame(body));
  }

  static byte[] frame(String body) {
    byte[] bytes = body.getBytes(UTF_8);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes("Content-Length: %d\r\n\r\n".formatted(bytes.length).getBytes(US_ASCII));
    frame.writeBytes(bytes);
    return frame.toByteArray();
  }

  public void write(byte[] bytes) {
    try {
      in.write(bytes);
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("it takes nothing any more: " + err(), e);
    }
  }

  /** The body of the next frame; empty at the end. Fails on anything but a frame. */
  public Optional<JsonNode> receive() {
    return receiveText().map(Daemon::json);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("no JSON: " + text, e);
    }
  }

  private Optional<String> receiveText() {
    try {
      return body().map(body -> new String(body, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("no frame: " + err(), e);
    }
  }

  private Optional<byte[]> body() throws IOException {
    String header = header();
    if (header.isEmpty()) {
      return Optional.empty();
    }
    assertThat(header).matches("Content-Length: [0-9]+\r\n\r\n").hasSizeLessThan(100);
    int length = Integer.parseInt(header.strip().substring("Content-Length: ".length()));
    byte[] body = out.readNBytes(length);
    return body.length == length ? Optional.of(body) : Optional.empty();
  }

  private String header() throws IOException {
    StringBuilder header = new StringBuilder();
    while (header.indexOf("\r\n\r\n") < 0) {
      int next = out.read();
      if (next < 0) {
        return "";
      }
      header.append((char) next);
      assertThat(header.length()).as(header.toString()).isLessThan(100);
    }
    return header.toString();
  }

  /** Closes the input and expects a clean exit. */
  public void end() {
    endInput();
    int _ = exitCode();
  }

  /** Closes the input. */
  public void endInput() {
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(name, pid()))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills it with SIGKILL and waits for its exit. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Waits for its exit. */
  public int exitCode() {
    try {
      assertThat(process.waitFor(GONE_SECONDS_MAX, SECONDS)).as("it is gone").isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** How long its exit takes. */
  long millisUntilGone() {
    long from = System.nanoTime();
    int _ = exitCode();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
  }

  /** Ends a daemon in a directory; returns how long that took. */
  interface End {
    long millis(Path directory) throws IOException;
  }

  /** Expects an end in time. Retries in other directories, since a busy machine may be slow. */
  static void expectInTime(Path directory, End end) throws IOException {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < TRIES_MAX && best > STOP_MILLIS_MAX + 200; i++) {
      best = Math.min(best, end.millis(Files.createDirectory(directory.resolve("try" + i))));
    }
    assertThat(best).isLessThan(STOP_MILLIS_MAX + 200);
  }

  public String err() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    int _ = exitCode();
  }
}
