package gatebook.events.journal.bench;

import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures appends: how many a second, and how long one takes. Every subject runs in a process of
 * its own, one after the other in every round, so that all have the same conditions.
 */
final class AppendMeasurement implements AutoCloseable {
  private enum Engine {
    SEGMENTS("segments"),
    H2("H2"),
    POSTGRESQL("PostgreSQL");

    private final String label;

    Engine(String label) {
      this.label = label;
    }
  }

  private record Row(String name, Engine engine, String forces, Remote remote) {}

  private record Key(String row, int callers) {}

  private static final String SEGMENT = "segment, once per batch";
  private static final String AHEAD = "log ahead, once per batch";
  private static final String SYNC = "CHECKPOINT SYNC per batch";
  private static final String COMMIT = "commit (fsync on)";
  private static final String NOTHING = "nothing: WRITE_DELAY=0 only";

  private static final String AXON = "(a) journal through Axon, ";
  private static final String ALONE = "    journal without Axon, ";
  private static final String BARE = "(b) bare loop, same batches, ";
  private static final String JPA = "(c) Axon 5.0.1 JPA engine, H2";
  private static final String JDBC = "(d) Axon 4.13.0 JDBC engine, ";

  private final Plan plan;
  private final Path directory;
  private final Path peers;
  private final List<Row> rows = new ArrayList<>();
  private final Map<Key, List<Sample>> samples = new HashMap<>();

  /**
   * Starts all subjects.
   *
   * @param peers the directory with the sources of the subjects that have class paths of their own
   */
  AppendMeasurement(Plan plan, Path directory, Path peers) throws IOException {
    this.plan = plan;
    this.directory = directory;
    this.peers = peers;
    for (Engine engine : Engine.values()) {
      rows.add(new Row(AXON + engine.label, engine, forced(engine), ours("axon", engine)));
      rows.add(new Row(ALONE + engine.label, engine, forced(engine), ours("alone", engine)));
      String bare = engine == Engine.H2 ? SYNC : forced(engine);
      rows.add(new Row(BARE + engine.label, engine, bare, ours("bare", engine)));
      if (engine == Engine.SEGMENTS) {
        continue; // Axon has none
      }
      if (engine == Engine.H2) {
        rows.add(new Row(JPA, Engine.H2, NOTHING, peer("axon5", "Axon5Jpa", Engine.H2)));
      }
      rows.add(
          new Row(
              JDBC + engine.label,
              engine,
              engine == Engine.H2 ? NOTHING : COMMIT,
              peer("axon4", "Axon4Jdbc", engine)));
    }
  }

  private static String forced(Engine engine) {
    return switch (engine) {
      case SEGMENTS -> SEGMENT;
      case H2 -> AHEAD;
      case POSTGRESQL -> COMMIT;
    };
  }

  private Remote ours(String subject, Engine engine) throws IOException {
    Path own = Files.createDirectory(directory.resolve(subject + "-" + engine));
    List<String> arguments =
        new ArrayList<>(List.of(SubjectProcess.class.getName(), subject, own + ""));
    switch (engine) {
      case SEGMENTS -> arguments.add("segments");
      case H2 -> {}
      case POSTGRESQL -> arguments.add(Journals.freshSchema().url());
    }
    String classPath = System.getProperty("java.class.path");
    return Remote.start(classPath, log(subject, engine), arguments.toArray(String[]::new));
  }

  private Remote peer(String name, String source, Engine engine) throws IOException {
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
    return Remote.start(classPath, log(name, engine), file, url);
  }

  private Path log(String name, Engine engine) {
    return directory.resolve(name + "-" + engine + ".log");
  }

  void measure() throws IOException {
    for (Row row : rows) {
      row.remote().measure(64, 32, plan.warmUpMillis());
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      Bench.say("round %d of %d, load %.1f", round, plan.rounds(), Machine.load());
      for (int callers : Plan.CALLERS) {
        measureOnce(callers);
      }
    }
  }

  private void measureOnce(int callers) throws IOException {
    for (Row row : rows) {
      double batch = row.name().startsWith(BARE) ? batchOf(row.engine(), callers) : 0;
      Sample sample = row.remote().measure(callers, batch, plan.roundMillis());
      of(row.name(), callers).add(sample);
    }
  }

  private double batchOf(Engine engine, int callers) {
    return of(AXON + engine.label, callers).getLast().eventsPerBatch();
  }

  private List<Sample> of(String row, int callers) {
    return samples.computeIfAbsent(new Key(row, callers), _ -> new ArrayList<>());
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
    for (int callers : Plan.CALLERS) {
      for (Row row : rows) {
        List<Sample> all = of(row.name(), callers);
        table.add(
            callers + "",
            row.name(),
            row.forces(),
            spread(all, Sample::perSecond).text(0),
            number(spread(all, Sample::p50Micros).median() / 1e3, 2),
            number(spread(all, Sample::p99Micros).median() / 1e3, 1),
            number(spread(all, Sample::maxMicros).max() / 1e3, 0),
            batch(spread(all, Sample::eventsPerBatch).median()),
            number(spread(all, Sample::cpuMicros).median(), 0));
      }
    }
    return table;
  }

  private static Spread spread(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Spread.of(samples.stream().map(figure::applyAsDouble).toList());
  }

  private static String number(double value, int digits) {
    return String.format("%,." + digits + "f", value);
  }

  private static String batch(double events) {
    return events == 0 ? "1" : number(events, 1);
  }

  /** The ratios within each round, because its two measurements were made in the same minute. */
  Table ratios() {
    Table table =
        new Table(
            "callers",
            "(a)/(b) segments",
            "(a) segments/(a) H2",
            "(a)/(b) H2",
            "(a)/(c) H2",
            "(a)/(d) H2",
            "(a)/(b) PG",
            "(a)/(d) PG");
    for (int callers : Plan.CALLERS) {
      table.add(
          callers + "",
          ratio(AXON + "segments", BARE + "segments", callers, 2),
          ratio(AXON + "segments", AXON + "H2", callers, 2),
          ratio(AXON + "H2", BARE + "H2", callers, 2),
          ratio(AXON + "H2", JPA, callers, 1),
          ratio(AXON + "H2", JDBC + "H2", callers, 1),
          ratio(AXON + "PostgreSQL", BARE + "PostgreSQL", callers, 2),
          ratio(AXON + "PostgreSQL", JDBC + "PostgreSQL", callers, 1));
    }
    return table;
  }

  private String ratio(String row, String toRow, int callers, int digits) {
    List<Sample> ones = of(row, callers);
    List<Sample> others = of(toRow, callers);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ones.size(); i++) {
      ratios.add(ones.get(i).perSecond() / others.get(i).perSecond());
    }
    return Spread.of(ratios).text(digits);
  }

  @Override
  public void close() throws IOException {
    for (Row row : rows) {
      row.remote().close();
    }
  }
}
