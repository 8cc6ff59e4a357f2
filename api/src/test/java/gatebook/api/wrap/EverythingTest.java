package gatebook.api.wrap;

import static gatebook.api.wrap.Client.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.proof.NpmPeers;
import gatebook.api.rules.RulesFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The MCP reference server "everything" answers the same when wrapped, where it is installed. */
class EverythingTest {

  private static final String SERVER =
      "node_modules/@modelcontextprotocol/server-everything/dist/index.js";

  private static final List<String> REQUESTS =
      List.of(
          """
          "initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}\
          """,
          "\"ping\"",
          "\"tools/list\"",
          "\"prompts/list\"",
          "\"resources/list\"",
          """
          "resources/templates/list","params":{}\
          """,
          "\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"message\":\"h\u00e4llo"
              + " \u2028 🙂\"}}",
          """
          "tools/call","params":{"name":"get-sum","arguments":{"a":1,"b":2.5}}\
          """,
          """
          "tools/call","params":{"name":"no-such-tool","arguments":{}}\
          """,
          """
          "prompts/get","params":{"name":"simple-prompt"}\
          """,
          """
          "resources/read","params":{"uri":"demo://resource/static/document/architecture.md"}\
          """,
          """
          "completion/complete","params":{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"department","value":"E"}}\
          """);

  @TempDir private Path directory;

  @Test
  void resultsAreTheSameWithAndWithoutGatebook() throws Exception {
    List<String> command = NpmPeers.node(SERVER, "stdio");
    List<JsonNode> through;
    try (Client client = Client.of(directory, RulesFiles.forwardingAll(), command)) {
      through = answers(client::send, client::receive);
    }

    assertThat(through).isEqualTo(directly(command));
  }

  private static List<JsonNode> directly(List<String> command) throws IOException {
    Process server = new ProcessBuilder(command).start();
    try (BufferedReader out = server.inputReader(UTF_8);
        OutputStream in = server.getOutputStream()) {
      return answers(line -> write(in, line), () -> read(out));
    } finally {
      server.destroyForcibly();
    }
  }

  private static List<JsonNode> answers(Consumer<String> send, Supplier<String> receive) {
    List<JsonNode> answers = new ArrayList<>();
    for (int id = 0; id < REQUESTS.size(); id++) {
      send.accept(
          """
          {"jsonrpc":"2.0","id":%d,"method":%s}\
          """
              .formatted(id, REQUESTS.get(id)));
      JsonNode response = json(receive.get());
      while (response.path("id").asInt(-1) != id || response.has("method")) {
        response = json(receive.get());
      }
      answers.add(response);
      if (id == 0) {
        send.accept(
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """);
      }
    }
    return answers;
  }

  private static void write(OutputStream in, String line) {
    try {
      in.write((line + "\n").getBytes(UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(BufferedReader out) {
    try {
      return String.valueOf(out.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
