package gatebook.api.bench;

import static gatebook.api.bench.Bench.print;

import gatebook.api.bench.Subject.Kind;
import gatebook.events.journal.bench.Machine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The benchmark of agents: prints tables and asserts no speed.
 *
 * <p>A message that nobody waits for and a read of a task go to an agent directly, behind nginx,
 * and through Gatebook. {@code mvn -q verify -Pbench-agents -DskipTests -pl api -am} takes about
 * ten minutes; with {@code -Dbench.quick} about a minute, but its figures then mean nothing. It
 * needs {@code wrk} and {@code nginx}.
 */
public final class AgentBench {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64);
  private static final String SEND =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER",\
      "messageId":"m-%n","parts":[{"text":"12 pieces of A-102934 to the north warehouse"}]},\
      "configuration":{"returnImmediately":true}}}\
      """;
  private static final String WORKING = "TASK_STATE_WORKING";
  private static final Pattern TASK_ID = Pattern.compile("\"id\":\"(task-\\d+)\"");

  private final BenchPlan plan = BenchPlan.fromProperties();
  private final Path target;
  private final Path root;
  private final Path directory;

  private AgentBench(Path target, Path root) {
    this.target = target;
    this.root = root;
    this.directory = target.resolve("bench-agents");
  }

  /**
   * Measures everything.
   *
   * @param args the build directory of the module, and the directory of the launcher
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    new AgentBench(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath()).measure();
  }

  private void measure() throws IOException, InterruptedException {
    BenchSetup.begin(target, directory);
    try (PeerProcess agent =
        PeerProcess.start(root, target, Files.createDirectory(directory.resolve("agent")))) {
      Files.writeString(directory.resolve("gatebook.yaml"), rules(agent.resolve("/agent")));
      int port = FreePorts.free();
      try (Nginx _ = Nginx.before(agent.resolve("/agent"), port, directory);
          GatebookProcess gatebook = GatebookProcess.start(root, directory, "measured")) {
        URI nginx = URI.create("http://127.0.0.1:%d/agent".formatted(port));
        measure(gatebook, subjects(agent.resolve("/agent"), nginx, gatebook));
      }
    }
    print("load at the end %.1f", Machine.load());
    BenchSetup.recreate(directory);
  }

  private static String rules(URI agent) {
    return """
    schema: 1
    sources: [{id: agent, kind: a2a, url: "%s"}]
    governance: {defaults: {action: forward}}
    """
        .formatted(agent);
  }

  private void measure(GatebookProcess gatebook, List<Subject> subjects)
      throws IOException, InterruptedException {
    BenchRun benchRun = new BenchRun(plan, CONNECTIONS, new Wrk(directory), gatebook, subjects);
    benchRun.measure();
    Rounds rounds = benchRun.rounds();
    print("%n%s%n%n%s%n", rounds.perSecond(subjects), rounds.latencies(subjects));
    print("resident: at most %,.0f MiB under load", benchRun.maxResidentMebibytes());
    print("not answered, or answered with a status of 400 and above: %d", rounds.failures());
  }

  private static List<Subject> subjects(URI agent, URI nginx, GatebookProcess gatebook) {
    URI through = gatebook.resolve("/a2a/agent/v1");
    String get =
        """
        {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"%s"}}\
        """
            .formatted(taskMadeThrough(through));
    return List.of(
        new Subject("send, to the agent", agent, SEND, WORKING, Kind.FOREIGN),
        new Subject("send, behind nginx", nginx, SEND, WORKING, Kind.FOREIGN),
        new Subject("send, through Gatebook", through, SEND, WORKING, Kind.FORWARDED),
        new Subject("get, from the agent", agent, get, WORKING, Kind.FOREIGN),
        new Subject("get, behind nginx", nginx, get, WORKING, Kind.FOREIGN),
        new Subject("get, through Gatebook", through, get, WORKING, Kind.FORWARDED));
  }

  /** The id of a task that the caller of the benchmark may read. */
  private static String taskMadeThrough(URI gatebook) {
    String answer = BenchRun.answer(gatebook, SEND.replace("%n", "first"));
    Matcher id = TASK_ID.matcher(answer);
    if (!id.find()) {
      throw new IllegalStateException("no task is made: " + answer);
    }
    return id.group(1);
  }
}
