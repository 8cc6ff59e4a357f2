package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.TrustedProxies;
import gatebook.events.MessagesRefused;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal's wiring in a node with a real journal. */
final class JournalWiringTest {

  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  private static final int PARTITION = 20;

  /** The last byte of the version in a segment's header. */
  private static final int VERSION_AT = 11;

  @TempDir private Path data;
  @TempDir private Path folder;

  @Test
  void nodeWithEmbeddedJournalBecomesReady() throws IOException {
    try (Node node = serving(Optional.empty())) {
      RawHttp.Answer ready = RawHttp.get(node.at(Port.ADMIN), "/ready");

      assertThat(ready.status() + " " + ready.body())
          .isEqualTo(
              """
              200 {"status":"ready","checks":{"journal":"appending","rules":"in-force","views":"up-to-date"},\
              "reason":null,"durability":"power"}\
              """);
    }
    assertThat(Files.isRegularFile(data.resolve("journal/0000000000000000001.segment"))).isTrue();
  }

  @Test
  void metricsIncludeTheJournalsFigures() throws IOException {
    try (Node node = serving(Optional.empty())) {
      assertThat(RawHttp.get(node.at(Port.ADMIN), "/metrics").body().lines())
          .contains(
              "gatebook_journal_head 1.0",
              "gatebook_journal_queue_events 0.0",
              "gatebook_journal_events_stored_total 1.0",
              "gatebook_journal_commits_seconds_count 1");
    }
  }

  @Test
  void aJournalOfANewerVersionIsRefused() throws IOException {
    serving(Optional.empty()).close();
    Path segment = data.resolve("journal/0000000000000000001.segment");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[VERSION_AT] = 2;
    Files.write(segment, bytes);

    assertThat(start(Optional.empty()))
        .isEqualTo(
            new Node.Start.Refused(
                "the journal %s has format 2 and this version knows 1: use a newer gatebook"
                    .formatted(data.resolve("journal"))));
  }

  @Test
  void unreachableDatabaseIsRefusedWithoutItsPassword() throws IOException {
    String url = "jdbc:postgresql://127.0.0.1:%d/gatebook".formatted(freePort());

    assertThat(start(Optional.of(url + "?password=secret")))
        .isInstanceOfSatisfying(
            Node.Start.Refused.class,
            refused ->
                assertThat(refused.sentence())
                    .startsWith("the journal %s cannot be opened: ".formatted(url))
                    .doesNotContain("secret")
                    .hasLineCount(1));
  }

  @Test
  void aNodeDropsOldEventsOfItsDatabase() throws IOException, SQLException {
    SharedLocation database = Journals.freshSchema();
    JournalSettings settings =
        new JournalPlace(data, Optional.of(database.url()))
            .settings(JournalSection.DEFAULT, Map.of());
    try (var _ = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
        Journal journal =
            Journals.opened(Journals.at(database.withPartitions(PARTITION), settings))) {
      for (int i = 0; i < PARTITION; i++) {
        Journals.append(journal, old(i), old(i));
      }
      journal.sign().join();
    }
    Path rules = folder.resolve("gatebook.yaml");
    Files.writeString(
        rules,
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        retention: {drop: {days: 400}}
        """);

    try (Node node = serving(Optional.of(rules), Optional.of(database.url()));
        Connection administrator = Journals.administrator(database)) {
      await().until(() -> !isThere(administrator, "SELECT 1 FROM journal WHERE position <= 20"));
      assertThat(isThere(administrator, "SELECT 1 FROM journal_kept WHERE position = 1")).isTrue();
      assertThat(isThere(administrator, "SELECT 1 FROM journal_kept WHERE position = 20"))
          .isFalse();
      assertThat(
              isThere(administrator, "SELECT 1 FROM journal WHERE name = 'gatebook.EventsDropped'"))
          .isTrue();
      assertThat(RawHttp.get(node.at(Port.ADMIN), "/ready").status()).isEqualTo(200);
    }
  }

  private static DraftEvent old(int number) {
    Instant at = Instant.now().minus(Duration.ofDays(500)).plusSeconds(number);
    return new EventVocabulary().draft(new MessagesRefused(at, at, List.of()), at);
  }

  private static boolean isThere(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next();
    }
  }

  @Test
  void anotherKindOfDatabaseIsRefusedWithoutRepeatingItsUrl() {
    assertThat(start(Optional.of("jdbc:mysql://root:secret@db/gatebook")))
        .isEqualTo(
            new Node.Start.Refused(
                "--db takes a URL that begins with jdbc:postgresql:, or is left out for a"
                    + " journal in the data directory"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Node serving(Optional<String> databaseUrl) {
    return serving(Optional.empty(), databaseUrl);
  }

  private Node serving(Optional<Path> rules, Optional<String> databaseUrl) {
    return switch (start(rules, databaseUrl)) {
      case Node.Start.Serving(var node) -> node;
      case Node.Start.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  private Node.Start start(Optional<String> databaseUrl) {
    return start(Optional.empty(), databaseUrl);
  }

  private Node.Start start(Optional<Path> rules, Optional<String> databaseUrl) {
    return Node.start(
        new ServeSettings(
            data, rules, ANY_PORT, ANY_PORT, Optional.empty(), TrustedProxies.NONE, databaseUrl),
        JournalWiring::open);
  }
}
