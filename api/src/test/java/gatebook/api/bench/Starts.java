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
 * How long a person waits for a process to begin: a server until it is ready, a daemon until its
 * first answer, each command of an operator until its end. All begin with the launcher, as users
 * start them. The first row is the first start of all, when there is no cache of classes yet.
 */
public final class Starts {

  private static final int ROUNDS = 15;
  private static final long CACHE_SECONDS_MAX = 120;

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("lookup", "nothing"),
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

  /** In a directory for data, at the root of the repository. */
  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[0]);
    Path directory = Files.createTempDirectory(target, "starts");
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        """);
    say(Machine.describe(directory));
    Starts starts = new Starts(Path.of(System.getProperty("gatebook.root")), directory);
    starts.withoutCache(target);
    starts.servers();
    starts.daemons();
    starts.commands();
    say(starts.table.toString());
    say("load at the end %.1f".formatted(Machine.load()));
  }

  private void withoutCache(Path target) throws Exception {
    Files.deleteIfExists(target.resolve("gatebook.aot"));
    Files.deleteIfExists(target.resolve("commands.aot"));
    add("server until ready, no cache", List.of(serverMillis(0)));
    long from = System.nanoTime();
    while (!Files.exists(target.resolve("gatebook.aot"))
        || !Files.exists(target.resolve("commands.aot"))) {
      if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from) > CACHE_SECONDS_MAX) {
        throw new IllegalStateException("no cache is made");
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
    try (Gatebook server = Gatebook.start(root, directory, "server" + round)) {
      return server.readyMillis();
    }
  }

  private void daemons() throws Exception {
    add("daemon until its first answer", measured(this::firstAnswerMillis));
    try (Daemon owner = Daemon.start(directory)) {
      owner.request(1, "initialize", "{}");
      var _ = owner.receive();
      add("the same beside another", measured(this::firstAnswerMillis));
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
    try (Gatebook _ = Gatebook.start(root, directory, "asked")) {
      for (List<String> command : COMMANDS) {
        add(String.join(" ", command), measured(() -> commandMillis(command)));
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

  private static List<Double> measured(Callable<Double> start) throws Exception {
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
  private static void say(String line) {
    System.out.println(line);
  }
}
