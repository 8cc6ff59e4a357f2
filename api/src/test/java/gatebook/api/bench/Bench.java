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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The border's benchmark: prints tables, asserts no speed.
 *
 * <p>{@code mvn -q verify -Pbench-border -DskipTests -pl api -am} takes about a quarter of an hour;
 * with {@code -Dbench.quick} about a minute, and its figures then mean nothing. It needs {@code
 * wrk} and {@code nginx}.
 */
public final class Bench {
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
          + "\"arguments\":%s}}";
  private static final String STOCK =
      "{\"sku\":\"A-102934\",\"warehouse\":\"north\",\"amount\":12}";
  private static final String PAYMENT =
      "{\"amount\":40,\"currency\":\"EUR\",\"country\":\"DE\",\"iban\":\"DE02120300000000202051\","
          + "\"urgent\":false,\"reference\":\"order %s\",\"tags\":[\"stock\",\"north\"],"
          + "\"payee\":{\"name\":\"Hansen\",\"known\":true}}";
  private static final String RESULT = "12 in stock";

  private final Plan plan = Plan.chosen();
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
    require("wrk");
    require("nginx");
    new Bench(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]).toAbsolutePath()).measure();
  }

  private static void require(String tool) throws InterruptedException {
    try {
      new ProcessBuilder(tool, "-v")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException _) {
      say(
          "the benchmark needs %s, which is not here: install it (Debian: apt install wrk nginx)",
          tool);
      System.exit(1);
    }
  }

  private void measure() throws IOException, InterruptedException {
    emptied(directory);
    say("%s", Machine.describe(directory));
    say("%s", versions());
    try (PeerProcess echo =
            PeerProcess.start(root, target, Files.createDirectory(directory.resolve("echo")));
        PeerProcess stub =
            PeerProcess.start(root, target, Files.createDirectory(directory.resolve("stub")))) {
      configure(stub);
      say("%nfrom the start of the process to ready: %s ms", startMillis().text(0));
      int port = Ports.free();
      try (Nginx _ = Nginx.before(stub.at("/mcp"), port, directory);
          Gatebook gatebook = Gatebook.start(root, directory, "measured")) {
        measure(gatebook, subjects(echo, stub, port, gatebook));
      }
    }
    say("load at the end %.1f", Machine.load());
    emptied(directory);
  }

  private void measure(Gatebook gatebook, List<Subject> subjects)
      throws IOException, InterruptedException {
    double idleMebibytes = gatebook.residentMebibytes();
    Side side = new Side(plan, new Wrk(directory), gatebook, subjects);
    side.measure();
    Rounds rounds = side.rounds();
    say("%n%s%n%n%s%n", rounds.perSecond(subjects), rounds.latencies(subjects));
    Subject echo = subjects.getFirst();
    Subject denied = subjects.get(1);
    Subject forwarded = subjects.get(2);
    Subject direct = subjects.get(3);
    say(
        "a denied call at 64 connections: %.2f of the bare echo; at 16: %,.0f a second",
        rounds.median(denied, 64, Sample::perSecond) / rounds.median(echo, 64, Sample::perSecond),
        rounds.median(denied, 16, Sample::perSecond));
    say(
        "forwarding adds %.2f ms at the median over direct at 16 connections",
        rounds.median(forwarded, 16, Sample::p50Millis)
            - rounds.median(direct, 16, Sample::p50Millis));
    say(
        "resident: %,.0f MiB idle after the start, at most %,.0f MiB under load",
        idleMebibytes, side.residentMebibytes());
    say("views were at most %,.0f events behind when a round ended", side.behind());
    say("not answered, or answered with a status of 400 and above: %d", rounds.failures());
  }

  /** The one that is measured against comes first; {@link #measure} knows the order. */
  private static List<Subject> subjects(
      PeerProcess echo, PeerProcess stub, int nginxPort, Gatebook gatebook) {
    String stock = CALL.formatted("get_stock", STOCK);
    String varying = CALL.formatted("pay", PAYMENT.formatted("%n"));
    String equal = CALL.formatted("pay", PAYMENT.formatted("4711"));
    return List.of(
        new Subject("bare Micronaut echo", echo.at("/echo"), stock, stock, Kind.FOREIGN),
        new Subject(
            "denied by governance",
            gatebook.mcp(),
            CALL.formatted("delete_stock", STOCK),
            "\"code\":-32014",
            Kind.DENIED),
        new Subject("forwarded to a stub", gatebook.mcp(), stock, RESULT, Kind.FORWARDED),
        new Subject("the stub itself", stub.at("/mcp"), stock, RESULT, Kind.FOREIGN),
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
    write("gatebook.yaml", resource("gatebook.yaml").replace("@stub@", stub.at("/mcp").toString()));
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
      try (Gatebook gatebook = Gatebook.start(root, directory, "start" + start)) {
        millis.add(gatebook.readyMillis());
      }
    }
    return Spread.of(millis);
  }

  private String versions() throws IOException, InterruptedException {
    return "Micronaut %s, Netty %s, Axon %s, H2 %s, Cedar %s; %s; %s"
        .formatted(
            version("micronaut-http-server-netty"),
            version("netty-codec-http"),
            version("axon-messaging"),
            version("h2"),
            version("cedar-java"),
            said("wrk", "-v"),
            said("nginx", "-v"));
  }

  /** As the name of the library's file has it. */
  private String version(String library) throws IOException {
    Pattern name = Pattern.compile(Pattern.quote(library) + "-([0-9][^-]*).*\\.jar");
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      return jars.map(jar -> name.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElse("(none)");
    }
  }

  /** The first line of what a program says of itself. */
  private static String said(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return text.lines()
        .findFirst()
        .orElse("")
        .replace("nginx version: ", "")
        .replaceAll(" Copyright.*", "");
  }

  @SuppressWarnings("SystemOut") // this is what it is for
  static void say(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }

  private static void emptied(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(directory);
  }
}
