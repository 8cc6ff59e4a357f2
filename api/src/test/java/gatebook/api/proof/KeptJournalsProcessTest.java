package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.api.proof.ServerProcess.StartOptions;
import gatebook.events.journal.PostgresServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The journals that earlier versions left: this one reads them, tells the same, and goes on. */
@Timeout(900)
final class KeptJournalsProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> PROJECTIONS = List.of("calls", "denials", "approvals", "trees");

  @TempDir private Path temp;

  static List<Path> versions() throws IOException {
    return Kept.all();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void aKeptDataDirectoryTellsTheSameAndGoesOn(Path version) throws Exception {
    JsonNode told = JSON.readTree(version.resolve("segments.json").toFile());
    Path directory = Kept.unpack(version.resolve("segments.zip"), temp);
    ServerDirectory.verify(directory.resolve("data"));

    goOn(directory, StartOptions.DEFAULTS, told);
    ServerDirectory.verify(directory.resolve("data"));

    Files.delete(directory.resolve("data/views.mv.db"));
    try (ServerProcess server = ServerProcess.start(directory, StartOptions.DEFAULTS)) {
      assertToldAgain(server, told);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void keptRowsTellTheSameAndGoOn(Path version) throws Exception {
    JsonNode told = JSON.readTree(version.resolve("rows.json").toFile());
    Path directory = Kept.unpack(version.resolve("rows.zip"), temp);
    try (PostgresServer database = PostgresServer.start()) {
      SchemaDump.restore(Files.readString(directory.resolve("rows.sql")), database.location());
      goOn(directory, Kept.inDatabase(database.location()), told);
    }
  }

  private void goOn(Path directory, StartOptions options, JsonNode told) throws Exception {
    try (ServerProcess server = ServerProcess.start(directory, options)) {
      await().until(server::isReady);
      assertToldAgain(server, told);
      for (String projection : PROJECTIONS) {
        JsonNode _ =
            server.request("audit.replay", "{\"projection\":\"%s\"}".formatted(projection));
        await().until(() -> isUpToDate(server));
      }
      assertToldAgain(server, told);

      call(server, "after-the-upgrade");
      assertThat(server.status("after-the-upgrade")).isEqualTo("answered");
      assertThat(server.request("audit.verify", "{\"all\":true}").get("clean").asBoolean())
          .isTrue();
      server.stop();
    }
  }

  private static boolean isUpToDate(ServerProcess server) {
    for (JsonNode projection : server.request("audit.projections", "{}").get("projections")) {
      if (!projection.get("state").asText().equals("up-to-date")) {
        return false;
      }
    }
    return true;
  }

  /** A call that was held then may have ended since: its time is over. */
  private static void assertToldAgain(ServerProcess server, JsonNode told) {
    for (JsonNode call : told.get("lookups")) {
      JsonNode now = Kept.summary(server.lookup(call.get("callId").asText()).get(0));
      if (call.get("status").asText().equals("held")) {
        assertThat(now.get("events")).startsWith(array(call.get("events")));
      } else {
        assertThat(now).isEqualTo(call);
      }
    }
    assertThat(Kept.denials(server).get("governance")).isEqualTo(told.at("/denials/governance"));
  }

  private static JsonNode[] array(JsonNode events) {
    return StreamSupport.stream(events.spliterator(), false).toArray(JsonNode[]::new);
  }

  private static void call(ServerProcess server, String correlationId)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.mcp())
              .header("Content-Type", "application/json")
              .header("Authorization", "Bearer joe-token-0123456789abcdef")
              .header("X-Correlation-Id", correlationId)
              .POST(
                  BodyPublishers.ofString(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
                      {"name":"echo","arguments":{"note":"said"}}}\
                      """))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("said");
    }
  }
}
