package gatebook.events.journal;

import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.SubjectProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Measures appends: how many a second, and how long one takes. Every subject runs in a process of
 * its own, one after the other in every round, so that all have the same conditions.
 */
final class AppendMeasurement implements AutoCloseable {
  private enum Engine {
    SEGMENTS("segments", "segment, once per batch"),
    /** Only of the peers. */
    H2("H2", "nothing: WRITE_DELAY=0 only"),
    POSTGRESQL("PostgreSQL", "commit (fsync on)");

    private final String label;
    private final String forces;

    Engine(String label, String forces) {
      this.label = label;
      this.forces = forces;
    }
  }

  private record Row(String name, Engine engine, RemoteSubject remote) {}

  private static final List<Integer> CALLERS = List.of(1, 16, 64, 256);
  private static final String AXON = "(a) journal through Axon, ";
  private static final String ALONE = "    journal without Axon, ";
  private static final String BARE = "(b) bare loop, same batches, ";
  private static final String JPA = "(c) Axon 5.0.1 JPA engine, H2";
  private static final String JDBC = "(d) Axon 4.13.0 JDBC engine, ";

  private final JournalBenchPlan plan;
  private final Path directory;
  private final Path peers;
  private final List<Row> rows = new ArrayList<>();
  private final Rounds<AppendSample> rounds = new Rounds<>(CALLERS);

  /**
   * Starts all subjects.
   *
   * @param peers the directory with the sources of the subjects that have class paths of their own
   */
  AppendMeasurement(JournalBenchPlan plan, Path directory, Path peers) throws IOException {
    this.plan = plan;
    this.directory = directory;
    this.peers = peers;
    if (!plan.onlyPostgres()) {
      addOurs(Engine.SEGMENTS);
      rows.add(new Row(JPA, Engine.H2, peer("axon5", "Axon5Jpa", Engine.H2)));
      addAxon4(Engine.H2);
    }
    addOurs(Engine.POSTGRESQL);
    addAxon4(Engine.POSTGRESQL);
  }

  private void addOurs(Engine engine) throws IOException {
    rows.add(new Row(AXON + engine.label, engine, ours("axon", engine)));
    rows.add(new Row(ALONE + engine.label, engine, ours("alone", engine)));
    rows.add(new Row(BARE + engine.label, engine, ours("bare", engine)));
  }

  private void addAxon4(Engine engine) throws IOException {
    rows.add(new Row(JDBC + engine.label, engine, peer("axon4", "Axon4Jdbc", engine)));
  }

  private RemoteSubject ours(String subject, Engine engine) throws IOException {
    Path own = Files.createDirectory(directory.resolve(subject + "-" + engine));
    String storage = engine == Engine.SEGMENTS ? "segments" : Journals.freshSchema().url();
    String classPath = System.getProperty("java.class.path");
    return RemoteSubject.start(
        classPath,
        log(subject, engine),
        SubjectProcess.class.getName(),
        subject,
        own + "",
        storage);
  }

  private RemoteSubject peer(String name, String source, Engine engine) throws IOException {
    SharedLocation shared = Journals.freshSchema();
    String url =
        engine == Engine.POSTGRESQL
            ? shared.url()
            : "jdbc:h2:" + directory.resolve(name).toAbsolutePath() + ";WRITE_DELAY=0";
    String classPath =
        String.join(
            File.pathSeparator,
            directory.resolveSibling("test-classes").toString(),
            directory.resolveSibling("peers").resolve(name) + "/*");
    String file = peers.resolve(name).resolve(source + ".java").toString();
    return RemoteSubject.start(classPath, log(name, engine), file, url);
  }

  private Path log(String name, Engine engine) {
    return directory.resolve(name + "-" + engine + ".log");
  }

  void measure() throws Exception {
    for (Row row : rows) {
      row.remote().measure(64, 32, plan.warmUpMillis());
    }
    rounds.run(plan.rounds(), rows, Row::name, this::measure);
  }

  private AppendSample measure(Row row, int callers) throws IOException {
    double batch = row.name().startsWith(BARE) ? batchOf(row.engine(), callers) : 0;
    return row.remote().measure(callers, batch, plan.roundMillis());
  }

  private double batchOf(Engine engine, int callers) {
    return rounds.of(AXON + engine.label, callers).getLast().eventsPerBatch();
  }

  Table table() {
    Table table =
        new Table(
            "callers",
            "what",
            "forced by",
            "appends/s (min-max)",
            "p50 ms",
            "p99 ms",
            "max ms",
            "events/commit",
            "CPU us/event");
    for (int callers : CALLERS) {
      for (Row row : rows) {
        table.add(
            callers + "",
            row.name(),
            row.engine().forces,
            spread(row, callers, AppendSample::perSecond).text(0),
            number(spread(row, callers, AppendSample::p50Micros).median() / 1e3, 2),
            number(spread(row, callers, AppendSample::p99Micros).median() / 1e3, 1),
            number(spread(row, callers, AppendSample::maxMicros).max() / 1e3, 0),
            batch(spread(row, callers, AppendSample::eventsPerBatch).median()),
            number(spread(row, callers, AppendSample::cpuMicros).median(), 0));
      }
    }
    return table;
  }

  private Spread spread(Row row, int callers, ToDoubleFunction<AppendSample> figure) {
    return rounds.spread(row.name(), callers, figure);
  }

  private static String number(double value, int digits) {
    return String.format("%,." + digits + "f", value);
  }

  private static String batch(double events) {
    return events == 0 ? "1" : number(events, 1);
  }

  Table ratios() {
    Table table =
        new Table(
            "callers",
            "(a)/(b) segments",
            "(a) segments/(c) H2",
            "(a) segments/(d) H2",
            "(a)/(b) PG",
            "(a)/(d) PG");
    for (int callers : CALLERS) {
      table.add(
          callers + "",
          ratio(AXON + "segments", BARE + "segments", callers, 2),
          ratio(AXON + "segments", JPA, callers, 1),
          ratio(AXON + "segments", JDBC + "H2", callers, 1),
          ratio(AXON + "PostgreSQL", BARE + "PostgreSQL", callers, 2),
          ratio(AXON + "PostgreSQL", JDBC + "PostgreSQL", callers, 1));
    }
    return table;
  }

  private String ratio(String row, String toRow, int callers, int digits) {
    return rounds.of(row, callers).isEmpty()
        ? ""
        : rounds.ratios(row, toRow, callers, AppendSample::perSecond).text(digits);
  }

  @Override
  public void close() throws IOException {
    for (Row row : rows) {
      row.remote().close();
    }
  }
}
