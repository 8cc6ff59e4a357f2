package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.tree.LeafHasher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/** Opens real journals for tests, on a file or a PostgreSQL schema of their own. */
public final class Journals {
  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static @Nullable PostgresServer server;

  private Journals() {}

  /** One server for all tests of a run, where there can be one. */
  private static synchronized PostgresServer server() {
    if (server == null) {
      server = PostgresServer.start();
    }
    return server;
  }

  public static JournalSettings inSegments(Path directory) {
    return settings(directory, new SegmentLocation(directory.resolve("journal")));
  }

  public static JournalSettings shared(Path directory) {
    return settings(directory, freshSchema());
  }

  /** A new schema in the database of the run. */
  public static SharedLocation freshSchema() {
    return freshSchema(server().location());
  }

  /** A new schema in a database. */
  public static SharedLocation freshSchema(SharedLocation database) {
    String name = "journal" + SCHEMAS.incrementAndGet();
    try (Connection connection = administrator(database)) {
      connection.createStatement().execute("CREATE SCHEMA " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("no schema for this test", e);
    }
    return new SharedLocation(
        database.url() + "&currentSchema=" + name, database.user(), database.password());
  }

  public static JournalSettings settings(Path directory, JournalSettings.Location location) {
    return new JournalSettings(
        location,
        Durability.POWER,
        "node-1",
        directory.resolve("checkpoint.key"),
        directory.resolve("checkpoint"),
        JournalLimits.DEFAULT);
  }

  public static Journal opened(JournalSettings settings) {
    Journal.OpenResult openResult = Journal.open(settings);
    assertThat(openResult).isInstanceOf(Journal.OpenResult.Opened.class);
    return ((Journal.OpenResult.Opened) openResult).journal();
  }

  /** A snapshot of a journal, whether or not this process has it open. */
  public static JournalSnapshot snapshot(JournalSettings settings) {
    JournalSnapshot.TakeResult takeResult = JournalSnapshot.take(settings);
    assertThat(takeResult).isInstanceOf(JournalSnapshot.TakeResult.Taken.class);
    return ((JournalSnapshot.TakeResult.Taken) takeResult).snapshot();
  }

  /** Edits a closed journal as an administrator of its storage could. */
  public static JournalEditor editor(JournalSettings.Location location) {
    return location instanceof SegmentLocation segments
        ? new SegmentEditor(segments.directory())
        : new RowEditor((SharedLocation) location);
  }

  /** A connection beside the journal, as an administrator would have it. */
  public static Connection administrator(SharedLocation location) throws SQLException {
    return DriverManager.getConnection(location.url(), location.user(), location.password());
  }

  public static DraftEvent draft(String payload, Tag... tags) {
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        "test.Happened",
        "1",
        Instant.now(),
        Set.of(tags),
        payload.getBytes(StandardCharsets.UTF_8),
        "{}".getBytes(StandardCharsets.UTF_8));
  }

  public static Append append(Journal journal, DraftEvent... drafts) {
    return journal.append(ConflictCondition.none(), List.of(drafts)).join();
  }

  static JournalSettings with(JournalSettings settings, JournalLimits limits) {
    return new JournalSettings(
        settings.location(),
        settings.durability(),
        settings.node(),
        settings.keyFile(),
        settings.checkpointFile(),
        limits);
  }

  /** The same limits, but for those of these names. */
  public static JournalLimits with(JournalLimits limits, Map<String, ? extends Number> others) {
    ObjectNode all = JSON.valueToTree(limits);
    return JSON.convertValue(all.setAll(JSON.<ObjectNode>valueToTree(others)), JournalLimits.class);
  }

  /** The same settings of a journal in segments, with another compression. */
  public static JournalSettings withCompression(
      JournalSettings settings, SegmentCompression compression) {
    return at(((SegmentLocation) settings.location()).with(compression), settings);
  }

  /** The same settings, with another location. */
  public static JournalSettings at(JournalSettings.Location location, JournalSettings settings) {
    return new JournalSettings(
        location,
        settings.durability(),
        settings.node(),
        settings.keyFile(),
        settings.checkpointFile(),
        settings.limits());
  }

  /** The same settings, with segments of another size. */
  public static JournalSettings withSegments(JournalSettings settings, long segmentBytesMax) {
    return with(settings, with(settings.limits(), Map.of("segmentBytesMax", segmentBytesMax)));
  }

  /** The same settings, with other limits of checkpoints. */
  public static JournalSettings withCheckpoints(
      JournalSettings settings, int checkpointEventsMax, long checkpointMillisMax) {
    return with(
        settings,
        with(
            settings.limits(),
            Map.of(
                "checkpointEventsMax", checkpointEventsMax,
                "checkpointMillisMax", checkpointMillisMax)));
  }

  static void assertSame(Entry entry, DraftEvent given, long position, String node) {
    assertThat(entry)
        .usingRecursiveComparison()
        .ignoringFields("leaf")
        .isEqualTo(given.toEntry(position, node));
    assertThat(entry.tagSet()).isEqualTo(given.tags());
    assertThat(entry.leaf()).isEqualTo(new LeafHasher().leaf(entry));
  }
}
