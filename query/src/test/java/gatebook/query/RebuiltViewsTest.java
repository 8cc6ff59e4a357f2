package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.calls.CallQueries;
import gatebook.query.denials.DenialQueries;
import gatebook.query.faults.FaultQueries;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import gatebook.query.trees.TreeQueries;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rebuilt view has the same content as the view it replaced, whether it was rebuilt completely or
 * from any position.
 */
@Timeout(300)
final class RebuiltViewsTest {
  private static final int APPENDS = 400;
  private static final int REBUILDS = 3;

  @TempDir private Path directory;

  private Journal journal;
  private ViewFile file;
  private List<View> views;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.embedded(directory));
    file = opened("views");
    views = follow(file);
  }

  @AfterEach
  void close() {
    views.forEach(View::close);
    file.close();
    journal.close();
  }

  @RepeatedTest(3)
  void aRebuiltViewHasTheSameContent() throws Exception {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    RandomEvents randomEvents = new RandomEvents(random);
    for (int rebuild = 0; rebuild < REBUILDS; rebuild++) {
      append(randomEvents, random.nextInt(APPENDS));
      awaitHead();
      for (View view : views) {
        assertThat(view.startRebuild(random.nextLong(view.position() + 1)))
            .as("seed %d", seed)
            .isInstanceOf(View.RebuildStart.Started.class);
      }
      append(randomEvents, random.nextInt(APPENDS));
      await().until(() -> views.stream().allMatch(view -> view.status().replay() == null));
    }
    awaitHead();

    assertThat(views).as("seed %d", seed).allMatch(view -> view.status().parked() == 0);
    assertThat(contents(views)).as("seed %d", seed).isEqualTo(neverRebuilt());
  }

  private void append(RandomEvents randomEvents, int appends) {
    for (int i = 0; i < appends; i++) {
      assertThat(journal.append(ConflictCondition.none(), randomEvents.next()).join())
          .isInstanceOf(Append.Stored.class);
    }
  }

  private void awaitHead() throws InterruptedException {
    for (View view : views) {
      assertThat(view.await(journal.head(), 20_000)).isTrue();
    }
  }

  /** The content of views that were never rebuilt. */
  private Map<String, List<String>> neverRebuilt() throws InterruptedException {
    ViewFile other = opened("others");
    List<View> others = follow(other);
    try {
      for (View view : others) {
        assertThat(view.await(journal.head(), 20_000)).isTrue();
      }
      return contents(others);
    } finally {
      others.forEach(View::close);
      other.close();
    }
  }

  private ViewFile opened(String name) {
    return ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve(name))).views();
  }

  private List<View> follow(ViewFile in) {
    EventReader reader = new EventReader();
    CallQueries calls = CallQueries.follow(in, journal, reader);
    return List.of(
        calls.view(),
        DenialQueries.follow(in, journal, reader).view(),
        FaultQueries.follow(in, journal, reader).view(),
        ApprovalQueries.follow(in, journal, reader).view(),
        TreeQueries.follow(in, journal, reader, calls.taskCalls()).view());
  }

  private static Map<String, List<String>> contents(List<View> views) {
    Map<String, List<String>> contents = new TreeMap<>();
    views.forEach(view -> contents.putAll(view.read(RebuiltViewsTest::tables)));
    return contents;
  }

  private static Map<String, List<String>> tables(Connection view) throws SQLException {
    Map<String, List<String>> tables = new TreeMap<>();
    try (ResultSet table =
        view.getMetaData().getTables(null, view.getSchema(), "%", new String[] {"BASE TABLE"})) {
      while (table.next()) {
        String name = Objects.requireNonNull(table.getString("TABLE_NAME"));
        if (!name.equals("PROGRESS")) {
          tables.put(name, rows(view, name));
        }
      }
    }
    return tables;
  }

  private static List<String> rows(Connection view, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet row = view.createStatement().executeQuery("SELECT * FROM " + table)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          text.append(row.getString(i)).append(' ');
        }
        rows.add(text.toString());
      }
    }
    Collections.sort(rows);
    return rows;
  }
}
