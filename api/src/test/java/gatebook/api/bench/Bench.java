package gatebook.api.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.bench.Subject.Kind;
import gatebook.events.journal.bench.Machine;
import gatebook.events.journal.bench.Spread;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The benchmark of the gateway: prints tables and asserts no speed.
 *
 * <p>{@code mvn -q verify -Pbench-border -DskipTests -pl api -am} takes about a quarter of an hour;
 * with {@code -Dbench.quick} about a minute, but its figures then mean nothing. It needs {@code
 * wrk} and {@code nginx}.
 */
public final class Bench {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256);
  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s",\
      "arguments":%s}}\
      """;
  private static final String STOCK =
      """
      {"sku":"A-102934","warehouse":"north","amount":12}\
      """;
  private static final String PAYMENT =
      """
      {"amount":40,"currency":"EUR","country":"DE","iban":"DE02120300000000202051",\
      "urgent":false,"reference":"order %s","tags":["stock","north"],\
      "payee":{"name":"Hansen","known":true}}\
      """;
  private static final String RESULT = "12 in stock";
  private static final int BUSY_CONNECTIONS = 64;

  private final BenchPlan plan = BenchPlan.fromProperties();
  private final Path target;
  private final Path root;
  private final Path directory;

  private Bench(Path target, Path root) {
    this.target = target;
    this.root = root;
    this.directory = target.resolve("bench");
  }

  /**
   * Measures everything.
   *
   * @param args the build directory of the module, and the directory of the launcher
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    new Bench(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath()).measure();
  }

  private void measure() throws IOException, InterruptedException {
    BenchSetup.begin(target, directory);
    try (PeerProcess echo =
            PeerProcess.start(root, target, Files.createDirectory(directory.resolve("echo")));
        PeerProcess stub =
            PeerProcess.start(root, target, Files.createDirectory(directory.resolve("stub")))) {
      configure(stub);
      print("%nfrom the start of the process to ready: %s ms", startMillis().text(0));
      int port = FreePorts.free();
      try (Nginx _ = Nginx.before(stub.resolve("/mcp"), port, directory);
          GatebookProcess gatebook = GatebookProcess.start(root, directory, "measured")) {
        measure(gatebook, subjects(echo, stub, port, gatebook));
      }
    }
    print("load at the end %.1f", Machine.load());
    BenchSetup.recreate(directory);
  }

  private void measure(GatebookProcess gatebook, List<Subject> subjects)
      throws IOException, InterruptedException {
    double idleMebibytes = gatebook.residentMebibytes();
    BenchRun benchRun = new BenchRun(plan, CONNECTIONS, new Wrk(directory), gatebook, subjects);
    benchRun.measure();
    Rounds rounds = benchRun.rounds();
    print("%n%s%n%n%s%n", rounds.perSecond(subjects), rounds.latencies(subjects));
    Subject echo = subjects.getFirst();
    Subject denied = subjects.get(1);
    Subject forwarded = subjects.get(2);
    Subject direct = subjects.get(3);
    printCosts(gatebook, denied);
    printCosts(gatebook, subjects.get(5)); // arguments vary
    printCosts(gatebook, subjects.get(6)); // the same, equal arguments
    print(
        "a denied call at 64 connections: %.2f of the bare echo; at 16: %,.0f a second",
        rounds.median(denied, BUSY_CONNECTIONS, Sample::perSecond)
            / rounds.median(echo, BUSY_CONNECTIONS, Sample::perSecond),
        rounds.median(denied, 16, Sample::perSecond));
    print(
        "forwarding adds %.2f ms at the median over direct at 16 connections",
        rounds.median(forwarded, 16, Sample::p50Millis)
            - rounds.median(direct, 16, Sample::p50Millis));
    print(
        "resident: %,.0f MiB idle after the start, at most %,.0f MiB under load",
        idleMebibytes, benchRun.maxResidentMebibytes());
    print("views were at most %,.0f events behind when a round ended", benchRun.maxLag());
    print("not answered, or answered with a status of 400 and above: %d", rounds.failures());
  }

  private void printCosts(GatebookProcess gatebook, Subject subject)
      throws IOException, InterruptedException {
    ThreadTimes before = ThreadTimes.of(gatebook.pid());
    Sample sample =
        new Wrk(directory)
            .run(subject.url(), subject.body(), BUSY_CONNECTIONS, 4 * plan.roundSeconds());
    gatebook.awaitIdle();
    ThreadTimes times = ThreadTimes.of(gatebook.pid()).since(before);
    print(
        "%s, %d connections: %.1f us of processor time%n%n%s%n",
        subject.name(),
        BUSY_CONNECTIONS,
        times.total() * 1e6 / sample.answers(),
        times.perCall(sample.answers()));
  }

  /** The subjects; {@link #measure} relies on their order, the baseline first. */
  private static List<Subject> subjects(
      PeerProcess echo, PeerProcess stub, int nginxPort, GatebookProcess gatebook) {
    String stock = CALL.formatted("get_stock", STOCK);
    String varying = CALL.formatted("pay", PAYMENT.formatted("%n"));
    String equal = CALL.formatted("pay", PAYMENT.formatted("4711"));
    return List.of(
        new Subject("bare Micronaut echo", echo.resolve("/echo"), stock, stock, Kind.FOREIGN),
        new Subject(
            "denied by governance",
            gatebook.mcp(),
            CALL.formatted("delete_stock", STOCK),
            "\"code\":-32014",
            Kind.DENIED),
        new Subject("forwarded to a stub", gatebook.mcp(), stock, RESULT, Kind.FORWARDED),
        new Subject("the stub itself", stub.resolve("/mcp"), stock, RESULT, Kind.FOREIGN),
        new Subject(
            "the stub behind nginx",
            URI.create("http://127.0.0.1:%d/mcp".formatted(nginxPort)),
            stock,
            RESULT,
            Kind.FOREIGN),
        new Subject(
            "forwarded by ten policies, arguments vary",
            gatebook.mcp(),
            varying,
            RESULT,
            Kind.FORWARDED),
        new Subject(
            "forwarded by ten policies, equal arguments",
            gatebook.mcp(),
            equal,
            RESULT,
            Kind.FORWARDED));
  }

  private void configure(PeerProcess stub) throws IOException {
    write(
        "gatebook.yaml",
        resource("gatebook.yaml").replace("@stub@", stub.resolve("/mcp").toString()));
    write("payments.cedar", resource("payments.cedar"));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Bench.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private Spread startMillis() throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int start = 0; start < plan.starts(); start++) {
      try (GatebookProcess gatebook = GatebookProcess.start(root, directory, "start" + start)) {
        millis.add(gatebook.readyMillis());
      }
    }
    return Spread.of(millis);
  }

  @SuppressWarnings("SystemOut") // this is what it is for
  static void print(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }
}
