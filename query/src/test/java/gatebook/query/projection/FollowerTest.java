package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowerTest {
  @TempDir private Path directory;

  private Journal journal;
  private ViewFile views;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.embedded(directory));
    views = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
  }

  @AfterEach
  void close() {
    views.close();
    journal.close();
  }

  @Test
  void everyEventIsProjectedOnceAndInOrder() throws Exception {
    List<String> expected = append(0, 1_000);
    try (Follower follower = Follower.start(views, journal, new Payloads())) {
      expected = new ArrayList<>(expected);
      expected.addAll(append(1_000, 1_500));

      assertThat(follower.await(1_500, 20_000)).isTrue();
      assertThat(payloads(follower)).isEqualTo(expected);
    }
  }

  @Test
  void aBatchThatFailsLeavesNothingBehindAndIsTriedAgain() throws Exception {
    Payloads payloads = new Payloads();
    payloads.poison = "e7";
    List<String> expected = append(0, 10);
    try (Follower follower = Follower.start(views, journal, payloads)) {
      await().until(() -> follower.standing().state() == Standing.State.FAILING);
      assertThat(payloads(follower))
          .isEqualTo(expected.subList(0, (int) follower.standing().position()));

      payloads.poison = "";

      assertThat(follower.await(10, 20_000)).isTrue();
      assertThat(payloads(follower)).isEqualTo(expected);
      assertThat(follower.standing())
          .isEqualTo(new Standing("payloads", 10, 0, Standing.State.UP_TO_DATE));
    }
  }

  @Test
  void aViewGoesOnAfterTheEngineClosedItsFile() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 10));
    try (Follower follower = Follower.start(views, journal, new Payloads())) {
      assertThat(follower.await(10, 20_000)).isTrue();
      try (Connection connection = views.connect()) {
        connection.createStatement().execute("SHUTDOWN IMMEDIATELY"); // as after a failed write
      }

      expected.addAll(append(10, 20));

      assertThat(follower.await(20, 20_000)).isTrue();
      assertThat(payloads(follower)).isEqualTo(expected);
      assertThat(follower.standing())
          .isEqualTo(new Standing("payloads", 20, 0, Standing.State.UP_TO_DATE));
    }
  }

  @Test
  void waitingEndsWithoutWhatNeverComes() throws Exception {
    try (Follower follower = Follower.start(views, journal, new Payloads())) {
      long before = System.nanoTime();

      assertThat(follower.await(1, 50)).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(49));
    }
  }

  private List<String> append(int from, int to) {
    List<String> payloads = IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
    payloads.forEach(payload -> Journals.append(journal, Journals.draft(payload)));
    return payloads;
  }

  private static List<String> payloads(Follower follower) throws SQLException {
    List<String> payloads = new ArrayList<>();
    try (Connection view = follower.reader();
        ResultSet row =
            view.createStatement().executeQuery("SELECT payload FROM payloads ORDER BY number")) {
      while (row.next()) {
        payloads.add(row.getString(1));
      }
    }
    return payloads;
  }

  /** Remembers every payload; one may be poison. */
  private static final class Payloads implements Projection {
    private volatile String poison = "";

    @Override
    public String name() {
      return "payloads";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public List<String> tables() {
      return List.of(
          "CREATE TABLE payloads (number BIGINT GENERATED ALWAYS AS IDENTITY, payload VARCHAR)");
    }

    @Override
    public void project(Connection view, List<Entry> events) throws SQLException {
      for (Entry event : events) {
        project(view, new String(event.payload(), StandardCharsets.UTF_8));
      }
    }

    private void project(Connection view, String payload) throws SQLException {
      try (PreparedStatement insert =
          view.prepareStatement("INSERT INTO payloads (payload) VALUES (?)")) {
        insert.setString(1, payload);
        insert.executeUpdate();
      }
      if (payload.equals(poison)) {
        throw new SQLException("poison");
      }
    }
  }
}
