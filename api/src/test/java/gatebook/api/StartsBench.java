package gatebook.api;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.stdio.Daemon;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Starts, in thirteen minutes: a server until it is ready, a daemon until its first response, each
 * operator command until its end, and servers with and without a class cache under load.
 *
 * <p>All are started with the launcher, as users do. The first row is the very first start, without
 * class caches. It needs {@code wrk}.
 */
final class StartsBench {
  private static final int ROUNDS = Bench.QUICK ? 2 : 15;
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

  private StartsBench(Path root, Path directory) {
    this.root = root;
    this.directory = directory;
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    Files.writeString(
        bench.directory().resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}, rules: [{match: denied, action: deny}]}
        """);
    StartsBench starts = new StartsBench(bench.root(), bench.directory());
    starts.firstStart(bench.target());
    starts.servers();
    starts.daemons();
    starts.commands();
    print("%s", starts.table);
    print("%s", CacheComparison.measure(bench));
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
}
