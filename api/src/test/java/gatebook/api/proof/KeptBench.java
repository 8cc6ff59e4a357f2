package gatebook.api.proof;

import static gatebook.events.bench.Bench.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.proof.ServerProcess.StartOptions;
import gatebook.events.bench.Bench;
import gatebook.events.journal.PostgresServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Keeps a small journal of this version, and what it tells, for the tests of later versions.
 *
 * <p>It is run once for each release: {@code mvn -q verify -Pbench -Dbench=kept -DskipTests}. The
 * files are committed, and never made again.
 */
final class KeptBench {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";
  private static final String ECHO =
      """
      {"name":"echo","arguments":{"note":"said","password":"hidden-0123456789"}}\
      """;

  /** The answered calls are those of joe and ann to echo, that of the tree, and of the agent. */
  private static final int ANSWERED_BEFORE_ROTATION = 3;

  /** So many that the tree of one in the middle is stamped. */
  private static final int SEGMENTS = 3;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ServerProcess server;

  private KeptBench(ServerProcess server) {
    this.server = server;
  }

  static void measure(Bench bench) throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    Path directory = bench.directory().resolve("one");
    Path place;
    ObjectNode told;
    Kept.writeRules(directory);
    try (ServerProcess server = ServerProcess.start(directory, StartOptions.DEFAULTS)) {
      KeptBench maker = new KeptBench(server);
      place = Kept.place(bench.root(), server.version());
      Files.createDirectories(place);
      maker.callEverything();
      maker.sealASegment(directory);
      maker.backUp(directory);
      told = maker.told();
      server.stop();
    }
    keep(place, "segments", directory, told);
    keepRows(bench.directory().resolve("rows"), place);
    print("%s\n".formatted(place));
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.sorted().toList()) {
        print("%8d %s\n".formatted(Files.size(file), file.getFileName()));
      }
    }
  }

  private static void keepRows(Path directory, Path place) throws Exception {
    Kept.writeRules(directory);
    try (PostgresServer database = PostgresServer.start()) {
      ObjectNode told;
      try (ServerProcess server =
          ServerProcess.start(directory, Kept.inDatabase(database.location()))) {
        KeptBench maker = new KeptBench(server);
        maker.callEverything();
        told = maker.told();
        server.stop();
      }
      Files.writeString(directory.resolve("rows.sql"), SchemaDump.of(database.location()));
      keep(place, "rows", directory, told);
    }
  }

  private static void keep(Path place, String name, Path directory, ObjectNode told)
      throws IOException {
    Kept.pack(directory, place.resolve(name + ".zip"));
    Files.writeString(
        place.resolve(name + ".json"),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(told) + "\n");
  }

  /** Calls in every dialect: answered, denied, held, in a tree, erased, under replaced keys. */
  private void callEverything() throws IOException, InterruptedException {
    call(JOE, "/mcp", "tools/call", ECHO);
    call(JOE, "/mcp", "tools/call", "{\"name\":\"delete_all\"}");
    call(JOE, "/rpc", "audit.unknown", "{\"note\":\"said\"}");
    String root =
        call(
                JOE,
                "/flow",
                "tasks.execute",
                """
                {"tasks":[{"id":"3f2a8c1e-0000-4000-8000-000000000001","name":"echo",\
                "schemas":{"method":"echo"},"inputs":{"n":1}}]}\
                """)
            .at("/result/root_task_id")
            .asText();
    assertThat(root).isNotEmpty();
    A2aWireVersion agents = A2aWireVersion.V1;
    call(JOE, agents.path(), agents.send, agents.skillMessage("echo", "{\"note\":\"said\"}"));
    JsonNode held =
        call(
            JOE,
            agents.path(),
            agents.send,
            agents.skillMessage("deploy", "{\"version\":\"1\"}", false));
    assertThat(held.has("result")).as(held.toString()).isTrue();
    call(ANN, "/mcp", "tools/call", ECHO);
    await().until(() -> server.calls("\"status\":\"answered\"").size() > ANSWERED_BEFORE_ROTATION);
    JsonNode _ = server.request("keys.rotate", "{\"key\":\"checkpoint\"}");
    JsonNode _ = server.request("keys.rotate", "{\"key\":\"wrapping\"}");
    call(JOE, "/mcp", "tools/call", ECHO);
    JsonNode _ = server.request("content.forget", "{\"principal\":\"ann\",\"reason\":\"asked\"}");
  }

  private JsonNode call(String token, String path, String method, String params)
      throws IOException, InterruptedException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    HttpRequest request =
        HttpRequest.newBuilder(server.mcp().resolve(path))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body))
            .build();
    return ServerProcess.json(http.send(request, BodyHandlers.ofString()).body());
  }

  /** Fills a segment, and waits until it is stamped and compressed. */
  private void sealASegment(Path directory) throws IOException, InterruptedException {
    Path journal = directory.resolve("data/journal");
    while (count(journal, ".*\\.segment(\\.z)?") < SEGMENTS) {
      call(JOE, "/mcp", "tools/call", "{\"name\":\"delete_all\"}");
    }
    await().until(() -> count(journal, ".*\\.segment\\.z") > 0);
  }

  private static long count(Path directory, String name) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).count();
    }
  }

  private void backUp(Path directory) throws IOException {
    Path backup = Files.createDirectories(directory.resolve("backup")).toRealPath();
    JsonNode _ = server.request("backup.start", "{\"target\":\"%s\"}".formatted(backup));
    await().until(() -> hasBackup(backup));
  }

  private static boolean hasBackup(Path backup) throws IOException {
    try (Stream<Path> files = Files.walk(backup)) {
      return files.anyMatch(file -> file.toString().endsWith(".json"));
    }
  }

  /** What this version tells of the journal. */
  private ObjectNode told() {
    ObjectNode told = JSON.createObjectNode();
    List<JsonNode> calls =
        server.calls("\"principal\":\"joe\"").stream()
            .filter(call -> !call.path("status").asText().equals("denied"))
            .toList();
    ArrayNode lookups = told.putArray("lookups");
    calls.forEach(
        call -> lookups.add(Kept.summary(server.lookup(call.get("callId").asText()).get(0))));
    told.set("denials", Kept.denials(server));
    return told;
  }
}
