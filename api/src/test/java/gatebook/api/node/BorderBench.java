package gatebook.api.node;

import static gatebook.events.bench.Bench.print;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.Nginx;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.Subject;
import gatebook.api.load.Subject.Kind;
import gatebook.api.load.SubjectRounds;
import gatebook.api.load.ThreadTimes;
import gatebook.api.load.Wrk;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Spread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The gateway, in a quarter of an hour: denied and forwarded calls beside a bare server, the source
 * alone, and the source behind nginx. It needs {@code wrk} and {@code nginx}.
 */
final class BorderBench {
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

  private static final int STARTS = Bench.QUICK ? 2 : 5;

  private final Bench bench;
  private final Wrk wrk;

  private BorderBench(Bench bench) {
    this.bench = bench;
    this.wrk = new Wrk(bench.directory());
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk", "nginx");
    new BorderBench(bench).measure();
  }

  private void measure() throws Exception {
    try (PeerProcess echo = PeerProcess.start(bench, "echo");
        PeerProcess stub = PeerProcess.start(bench, "stub")) {
      configure(stub);
      print("%nfrom the start of the process to ready: %s ms", startMillis().text(0));
      try (Nginx nginx = Nginx.before(stub.resolve("/mcp"), bench.directory());
          GatebookProcess gatebook =
              GatebookProcess.start(bench.root(), bench.directory(), "measured")) {
        measure(gatebook, stub, subjects(echo, stub, nginx, gatebook));
      }
    }
  }

  private void measure(GatebookProcess gatebook, PeerProcess stub, List<Subject> subjects)
      throws Exception {
    print("resident: %,.0f MiB idle after the start", gatebook.residentMebibytes());
    SubjectRounds rounds = new SubjectRounds(CONNECTIONS, wrk, gatebook, stub, subjects);
    rounds.measure();
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
  }

  private void printCosts(GatebookProcess gatebook, Subject subject)
      throws IOException, InterruptedException {
    ThreadTimes before = ThreadTimes.of(gatebook.pid());
    Sample sample =
        wrk.run(subject.url(), subject.body(), BUSY_CONNECTIONS, 4 * SubjectRounds.ROUND_SECONDS);
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
      PeerProcess echo, PeerProcess stub, Nginx nginx, GatebookProcess gatebook) {
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
        new Subject("the stub itself", stub.resolve("/mcp"), stock, RESULT, Kind.PROXIED),
        new Subject("the stub behind nginx", nginx.url(), stock, RESULT, Kind.PROXIED),
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
        resource("border.yaml").replace("@stub@", stub.resolve("/mcp").toString()));
    write("payments.cedar", resource("payments.cedar"));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(bench.directory().resolve(name), text);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(BorderBench.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private Spread startMillis() throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int start = 0; start < STARTS; start++) {
      try (GatebookProcess gatebook =
          GatebookProcess.start(bench.root(), bench.directory(), "start" + start)) {
        millis.add(gatebook.readyMillis());
      }
    }
    return Spread.of(millis);
  }
}
