package gatebook.api.wrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.JoinedNode;
import gatebook.api.rules.RulesFiles;
import gatebook.api.upstream.process.StdioTestServer;
import gatebook.command.rules.file.RulesFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client of a wrapped server, in this process. */
final class Client implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();
  private static final long SECONDS_MAX = 120;

  private final Path data;
  private final OutputStream toServer;
  private final BufferedReader fromServer;
  private final CompletableFuture<Integer> exit;

  private Client(
      Path data,
      OutputStream toServer,
      BufferedReader fromServer,
      CompletableFuture<Integer> exit) {
    this.data = data;
    this.toServer = toServer;
    this.fromServer = fromServer;
    this.exit = exit;
  }

  /** Wraps a server without a configuration. */
  static Client of(Path directory, StdioTestServer.Mode mode) {
    return of(directory, RulesFiles.forwardingAll(), StdioTestServer.command(mode));
  }

  /** Wraps a server under rules; the source is of kind mcp, and its command does not matter. */
  static Client of(Path directory, StdioTestServer.Mode mode, String rules) {
    try {
      Path file = Files.writeString(directory.resolve("gatebook.yaml"), rules);
      return of(
          directory, RulesFiles.of(Optional.of(file), Map.of()), StdioTestServer.command(mode));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Client of(Path directory, RulesFile rules, List<String> command) {
    try {
      Pipe in = Pipe.open();
      Pipe out = Pipe.open();
      WrapProcess wrapProcess =
          new WrapProcess(Channels.newOutputStream(out.sink()), command, () -> {});
      WrappedSource wrappedSource = wrapProcess.wrappedSource(Optional.empty());
      Path data = directory.resolve("data");
      JoinedNode node =
          switch (JoinedNode.start(data, Optional.empty(), rules, wrappedSource::snapshot)) {
            case JoinedNode.Start.Serving(var serving) -> serving;
            case JoinedNode.Start.Refused(var sentence) -> throw new AssertionError(sentence);
          };
      CompletableFuture<Integer> exit = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try (wrapProcess) {
              exit.complete(
                  wrapProcess.run(node, wrappedSource, Channels.newInputStream(in.source())));
            } catch (InterruptedException e) {
              exit.completeExceptionally(e);
            }
          });
      return new Client(
          data,
          Channels.newOutputStream(in.sink()),
          new BufferedReader(new InputStreamReader(Channels.newInputStream(out.source()), UTF_8)),
          exit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path data() {
    return data;
  }

  void send(String line) {
    try {
      toServer.write((line + "\n").getBytes(UTF_8));
      toServer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the next line. */
  String receive() {
    return CompletableFuture.supplyAsync(this::line, Client::inBackground)
        .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
        .join();
  }

  /** Runs work on a daemon thread, so that it cannot block the test. */
  private static void inBackground(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private String line() {
    try {
      return String.valueOf(fromServer.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a line and returns the next one. */
  String ask(String line) {
    send(line);
    return receive();
  }

  /** Calls a tool and returns the response. */
  String call(int id, String tool) {
    return ask(call(id, tool, ""));
  }

  /** The line that calls a tool, with {@code more} members of its params. */
  static String call(int id, String tool, String more) {
    return """
    {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s"%s}}\
    """
        .formatted(id, tool, more);
  }

  static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON: " + line, e);
    }
  }

  static int code(String line) {
    return json(line).path("error").path("code").asInt();
  }

  /** Closes the input and returns the exit code. */
  int disconnect() {
    try {
      toServer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return exitCode();
  }

  int exitCode() {
    return exit.orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    assertThat(disconnect()).isNotNegative();
  }
}
