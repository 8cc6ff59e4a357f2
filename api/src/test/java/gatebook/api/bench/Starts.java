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
 * row is the very first start, without a class cache. Then it compares a server that was started
 * with the cache with one that was started without it, when both have been under load for long.
 */
public final class Starts {

  private static final int ROUNDS = 15;
  private static final long CACHE_SECONDS_MAX = 120;
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_SECONDS = 60;
  private static final int LOADED_SECONDS = 6;
  private static final String DENIED_CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"denied","arguments":{}}}
      """;

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
    starts.compareUnderLoad();
    print("load at the end %.1f".formatted(Machine.load()));
  }

  private void firstStart(Path target) throws Exception {
    Files.deleteIfExists(target.resolve("gatebook.aot"));
    Files.deleteIfExists(target.resolve("commands.aot"));
    add("server until ready, no cache", List.of(serverMillis(0)));
    long from = System.nanoTime();
    while (!Files.exists(target.resolve("gatebook.aot"))
        || !Files.exists(target.resolve("commands.aot"))) {
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

  /** Both servers run side by side and are loaded in turns: the machine's speed changes. */
  private void compareUnderLoad() throws IOException, InterruptedException {
    try (GatebookProcess cached = GatebookProcess.start(root, directory, "cached");
        GatebookProcess uncached =
            GatebookProcess.start(root, directory, "uncached", "-XX:AOTMode=off")) {
      answersPerSecond(cached, WARM_UP_SECONDS);
      answersPerSecond(uncached, WARM_UP_SECONDS);
      List<Double> with = new ArrayList<>();
      List<Double> without = new ArrayList<>();
      List<Double> shares = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        with.add(answersPerSecond(cached, LOADED_SECONDS));
        without.add(answersPerSecond(uncached, LOADED_SECONDS));
        shares.add(with.getLast() / without.getLast());
      }
      print(
          "denied calls a second at %d connections, after %d s of load: %s with the cache, %s without; the share is %s"
              .formatted(
                  CONNECTIONS,
                  WARM_UP_SECONDS,
                  Spread.of(with).text(0),
                  Spread.of(without).text(0),
                  Spread.of(shares).text(2)));
    }
  }

  private double answersPerSecond(GatebookProcess server, int seconds)
      throws IOException, InterruptedException {
    double perSecond =
        new Wrk(directory).run(server.mcp(), DENIED_CALL, CONNECTIONS, seconds).perSecond();
    server.awaitIdle();
    return perSecond;
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
