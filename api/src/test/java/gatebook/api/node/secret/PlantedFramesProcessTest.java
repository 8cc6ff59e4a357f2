package gatebook.api.node.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.stdio.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants secrets in every text that a client of the daemon can set. None may occur in a response,
 * on standard error or in a file of the data directory. Ids are returned by contract, and results
 * pass unchanged.
 */
final class PlantedFramesProcessTest {

  private static final long SEED = 20_260_103;

  private static final List<String> HEADERS =
      List.of(
          "Content-Type: text/%s\r\n",
          "Content-Type: application/json; charset=%s\r\n",
          "Content-Type: application/json; charset=utf-8; %s\r\n",
          "X-Api-Key: %s\r\n",
          "%s: x\r\n",
          "no header %s\r\n");

  private static final List<String> BODIES =
      List.of(
          "%s",
          "[%s]",
          "{%s:1}",
          """
          {"jsonrpc":%s,"id":1,"method":"version"}\
          """,
          """
          {"jsonrpc":"2.0","id":[%s],"method":"version"}\
          """,
          """
          {"jsonrpc":"2.0","id":%s,"method":"no/such"}\
          """,
          """
          {"jsonrpc":"2.0","id":1,"method":%s,"params":{%s:%s}}\
          """,
          """
          {"jsonrpc":"2.0","id":1,"method":"version","params":%s}\
          """,
          """
          {"jsonrpc":"2.0","id":1,"method":"version","params":{%s:%s}}\
          """,
          """
          {"jsonrpc":"2.0","id":1,"method":"version"} %s\
          """);

  private static final List<String> METHODS =
      List.of(
          "listMethods",
          "describeMethods",
          "version",
          "setLogLevel",
          "tools/list",
          "audit.lookup",
          "audit.calls",
          "audit.denials",
          "audit.errors",
          "audit.trees",
          "audit.projections",
          "node.status",
          "approvals.approve");

  private static final List<String> TOOLS = List.of("delete_all", "process", "transfer", "no_such");

  private final PlantedSecrets secrets = new PlantedSecrets(SEED);
  private final List<String> responses = new ArrayList<>();

  @TempDir private Path temp;

  @Test
  void noSecretInAFrameIsReturnedLoggedOrStored() throws IOException {
    List<String> logs = new ArrayList<>();
    try (Daemon daemon = Daemon.start(temp, "--token", secrets.webToken())) {
      plant(daemon);
      logs.add(ended(daemon));
    }
    try (Daemon daemon = Daemon.start(temp, "--token", Daemon.token(temp))) {
      plant(daemon);
      logs.add(ended(daemon));
    }

    expectNone("a response", responses);
    expectNone("standard error", logs);
    expectNone("a file", files());
    assertThat(logs).allMatch(log -> log.contains("[token]"));
    assertThat(files()).anyMatch(file -> file.contains("[token]"));
  }

  private void plant(Daemon daemon) {
    for (String header : HEADERS) {
      String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}";
      daemon.write(
          "%sContent-Length: %d\r\n\r\n%s"
              .formatted(header.formatted(secrets.credential()), body.length(), body)
              .getBytes(UTF_8));
      receive(daemon);
    }
    for (String body : BODIES) {
      daemon.send(secrets.filled(body));
      receive(daemon);
    }
    for (String method : METHODS) {
      for (String params : List.of("{\"level\":%s,\"id\":%s,%s:1}", "{\"id\":%s}", "[%s]", "{}")) {
        daemon.request(1, method, secrets.filled(params));
        receive(daemon);
      }
    }
    plantInTools(daemon);
  }

  private void plantInTools(Daemon daemon) {
    for (String tool : TOOLS) {
      String arguments = "{\"a\":%s,%s:[%s],\"amount\":500}";
      daemon.request(
          1,
          "tools/call",
          secrets.filled("{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}"));
      receive(daemon);
      String name = JsonStrings.quoted(tool + " " + secrets.credential());
      daemon.request(1, "tools/call", "{\"name\":" + name + "}");
      receive(daemon);
    }
  }

  private void receive(Daemon daemon) {
    JsonNode response = daemon.receive().orElseThrow();
    ((ObjectNode) response).remove("id");
    responses.add(response.toString());
  }

  private static String ended(Daemon daemon) {
    daemon.endInput();
    assertThat(daemon.exitCode()).isZero();
    return daemon.err();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(temp.resolve("data"))) {
      List<String> texts = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.add(Files.readString(file, ISO_8859_1));
      }
      return texts;
    }
  }

  private void expectNone(String where, List<String> texts) {
    TextSearch search = secrets.search();
    assertThat(texts.stream().flatMap(text -> search.foundIn(text).stream())).as(where).isEmpty();
  }
}
