package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Table;
import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The bytes on disk of a denied and of an answered call, with arguments of 200 and 1,000 bytes, and
 * those of a content key, in three minutes.
 */
final class SizingBench {
  private static final int CALLS = Bench.QUICK ? 3_000 : 60_000;
  private static final int CALLS_IN_TABLES = Bench.QUICK ? 1_000 : 20_000;
  private static final int DENIED_EVENTS = 3;
  private static final int ANSWERED_EVENTS = 4;

  private final Bench bench;
  private final Table table =
      new Table(
          "bytes on disk",
          "segments as written",
          "segments compressed",
          "index and stamp",
          "views",
          "leaves",
          "PostgreSQL",
          "a key in the file",
          "a key in a table");

  private SizingBench(Bench bench) {
    this.bench = bench;
  }

  static void measure(Bench bench) throws Exception {
    Files.writeString(
        bench.directory().resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: deny}}
        """);
    SizingBench sizing = new SizingBench(bench);
    try (PostgresServer server = PostgresServer.start()) {
      for (boolean isDenied : new boolean[] {true, false}) {
        for (int chars : new int[] {200, 1_000}) {
          sizing.measure(server, isDenied, chars);
        }
      }
    }
    print("%n%s", sizing.table);
  }

  private void measure(PostgresServer server, boolean isDenied, int chars) throws Exception {
    String name = (isDenied ? "denied" : "answered") + chars;
    int eventsOfCall = isDenied ? DENIED_EVENTS : ANSWERED_EVENTS;
    Path data = bench.directory().resolve(name);
    GatebookProcess.start(bench.root(), bench.directory(), name).close(); // makes the directory
    DataFiles journal = new DataFiles(data.resolve("journal"));
    SampleCalls.Kept kept = SampleCalls.kept(chars);
    new SyntheticYear(data, SyntheticYear.inSegments(data), kept, CALLS)
        .append(0, CALLS, _ -> isDenied, journal::awaitCompressed);
    Path active = active(data.resolve("journal"));
    double sealed = Long.parseLong(active.getFileName().toString().replaceAll("\\D", "")) - 1;
    double head;
    double keys;
    try (GatebookProcess gatebook = GatebookProcess.start(bench.root(), bench.directory(), name)) {
      gatebook.awaitIdle();
      head = gatebook.metric("gatebook_journal_head");
      keys = gatebook.metric("gatebook_content_keys");
    }
    SharedLocation tables = Journals.freshSchema(server.location());
    Path beside = Files.createDirectory(bench.directory().resolve(name + "-tables"));
    new SyntheticYear(beside, tables, kept, CALLS_IN_TABLES)
        .append(0, CALLS_IN_TABLES, _ -> isDenied, () -> {});
    table.add(
        "%s, arguments of %,d bytes".formatted(isDenied ? "denied" : "answered", chars),
        bytes(Files.size(active) / (head - sealed) * eventsOfCall),
        bytes(journal.bytes(".segment.z") / sealed * eventsOfCall),
        bytes(journal.bytes(".index", ".stamp") / sealed * eventsOfCall),
        bytes(new DataFiles(data.resolve("views.mv.db")).bytes("") / CALLS),
        bytes(32 * eventsOfCall),
        bytes(rowBytes(tables, "relname LIKE 'journal%'") / CALLS_IN_TABLES),
        bytes(new DataFiles(data.resolve("keys")).bytes("") / keys),
        bytes(rowBytes(tables, "relname = 'content_key'") / count(tables)));
    print("%s", table);
  }

  private static Path active(Path journal) throws IOException {
    try (Stream<Path> files = Files.list(journal)) {
      return files
          .filter(file -> file.toString().endsWith(".segment"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static double rowBytes(SharedLocation location, String which) throws SQLException {
    return number(
        location,
        """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND %s\
        """
            .formatted(which));
  }

  private static double count(SharedLocation location) throws SQLException {
    return number(location, "SELECT count(*) FROM content_key");
  }

  private static double number(SharedLocation location, String sql) throws SQLException {
    try (Connection administrator = Journals.administrator(location);
        ResultSet row = administrator.createStatement().executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }

  private static String bytes(double bytes) {
    return "%,.0f".formatted(bytes);
  }
}
