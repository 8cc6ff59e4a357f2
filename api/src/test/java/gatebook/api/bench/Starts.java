package gatebook.api.bench;

import gatebook.api.stdio.Daemon;
import gatebook.events.journal.bench.Machine;
import gatebook.events.journal.bench.Spread;
import gatebook.events.journal.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Measures start times: of a server until it is ready, of a daemon until its first response, of
 * each operator command until its end. All are started with the launcher, as users do. The first
 * row is the very first start, without class caches. Then servers with and without a class cache
 * are compared under load.
 */
public final class Starts {

  private static final int ROUNDS = 15;
  private static final long CACHE_SECONDS_MAX = 120;
  private static final List<String> CACHES = List.of("serve.aot", "local.aot", "commands.aot");

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("lookup", "nothing"),
          List.of("tree", "nothing"),
          List.of("calls"),
          List.of("denials"),
          List.of("errors"),
          List.of("approvals"),
          List.of("projections"),
          List.of("parked", "--projection", "calls"),
          List.of("verify"),
          List.of("--help"),
          List.of("--version"));

  private final Path root;
  private final Path directory;
  private final Table table = new Table("what", "ms: median (lowest-highest)");

  private Starts(Path root, Path directory) {
    this.root = root;
    this.directory = directory;
  }

  /** Runs in a data directory; the launcher is at the root of the repository. */
  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[0]);
    Path directory = Files.createTempDirectory(target, "starts");
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}, rules: [{match: denied, action: deny}]}
        """);
    print(Machine.describe(directory));
    Starts starts = new Starts(Path.of(System.getProperty("gatebook.root")), directory);
    starts.firstStart(target);
    starts.servers();
    starts.daemons();
    starts.commands();
    print(starts.table.toString());
    print(CacheComparison.measure(starts.root, directory));
    print("load at the end %.1f".formatted(Machine.load()));
  }

  private void firstStart(Path target) throws Exception {
    for (String cache : CACHES) {
      Files.deleteIfExists(target.resolve(cache));
    }
    add("server until ready, no cache", List.of(serverMillis(0)));
    long from = System.nanoTime();
    while (!CACHES.stream().map(target::resolve).allMatch(Files::exists)) {
      if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from) > CACHE_SECONDS_MAX) {
        throw new IllegalStateException("no cache was created");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private void servers() throws Exception {
    List<Double> millis = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      millis.add(serverMillis(round));
    }
    add("server until ready", millis);
  }

  private double serverMillis(int round) throws IOException, InterruptedException {
    try (GatebookProcess server = GatebookProcess.start(root, directory, "server" + round)) {
      return server.readyMillis();
    }
  }

  private void daemons() throws Exception {
    add("daemon until its first answer", measure(this::firstAnswerMillis));
    try (Daemon owner = Daemon.start(directory)) {
      owner.request(1, "initialize", "{}");
      var _ = owner.receive();
      add("the same beside another", measure(this::firstAnswerMillis));
    }
  }

  private double firstAnswerMillis() {
    long from = System.nanoTime();
    try (Daemon daemon = Daemon.start(directory)) {
      daemon.request(1, "initialize", "{}");
      var _ = daemon.receive().orElseThrow();
      double millis = millisSince(from);
      daemon.end();
      return millis;
    }
  }

  private void commands() throws Exception {
    try (GatebookProcess _ = GatebookProcess.start(root, directory, "asked")) {
      for (List<String> command : COMMANDS) {
        add(String.join(" ", command), measure(() -> commandMillis(command)));
      }
    }
  }

  private double commandMillis(List<String> command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(root.resolve("gatebook").toString()));
    line.addAll(command);
    ProcessBuilder process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    process.environment().put("GATEBOOK_DATA", directory.resolve("asked").toString());
    long from = System.nanoTime();
    process.start().waitFor();
    return millisSince(from);
  }

  private static List<Double> measure(Callable<Double> start) throws Exception {
    List<Double> millis = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      millis.add(start.call());
    }
    return millis;
  }

  private static double millisSince(long from) {
    return (System.nanoTime() - from) / 1e6;
  }

  private void add(String what, List<Double> millis) {
    table.add(what, Spread.of(millis).text(0));
  }

  @SuppressWarnings("SystemOut") // a benchmark's figures are its result
  private static void print(String line) {
    System.out.println(line);
  }
}
