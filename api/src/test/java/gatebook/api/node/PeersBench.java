package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.BenchRequests;
import gatebook.api.load.FileWrites;
import gatebook.api.load.GatebookProcess;
import gatebook.api.load.Nginx;
import gatebook.api.load.NpmProxy;
import gatebook.api.load.OpenedSessions;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.Subject;
import gatebook.api.load.Subject.Kind;
import gatebook.api.load.SubjectRounds;
import gatebook.api.load.Wrk;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Other proxies beside Gatebook, in ten minutes: the same call of a tool through each of them, to
 * the same server, and what each of them writes. It needs {@code wrk}, {@code nginx}, and the
 * packages that {@code npm} installs before the tests.
 */
final class PeersBench {
  private static final List<Integer> CONNECTIONS = List.of(16, 64);
  private static final int CALLERS = 64;

  private static final String SKU = "A-102934";
  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":%n,"method":"tools/call","params":{"name":"get_stock",\
      "arguments":{"sku":"A-102934","warehouse":"north","amount":12}}}\
      """;
  private static final String RESULT = "\"12 in stock\"";

  private final Wrk wrk;
  private final OperatorRequests operator;

  private PeersBench(Wrk wrk, OperatorRequests operator) {
    this.wrk = wrk;
    this.operator = operator;
  }

  /** A subject that is a process with a directory of its own. */
  private record Proxy(Subject subject, FileWrites writes) {
    Proxy(String name, URI url, Kind kind, long pid, Path directory) {
      this(PeersBench.subject(name, url, kind), new FileWrites(pid, directory));
    }
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk", "nginx");
    NpmProxy.versions().forEach(version -> print("%s", version));
    try (PeerProcess stub = PeerProcess.start(bench, "stub")) {
      measure(bench, stub, stub.resolve("/mcp"));
    }
  }

  private static void measure(Bench bench, PeerProcess stub, URI server) throws Exception {
    Path nginxes = Files.createDirectory(bench.directory().resolve("nginx"));
    Path gatebooks = Files.createDirectory(bench.directory().resolve("gatebook"));
    Path passthroughs = bench.directory().resolve("passthrough");
    Path chains = bench.directory().resolve("chain");
    Path silents = bench.directory().resolve("silent");
    Files.writeString(gatebooks.resolve("gatebook.yaml"), rules(server));
    try (Nginx nginx = Nginx.before(server, nginxes);
        NpmProxy passthrough = NpmProxy.passthrough(stub, passthroughs);
        NpmProxy chain = NpmProxy.overStdio(stub, chains);
        NpmProxy silent = NpmProxy.overStdio(stub, silents, "--logLevel", "none");
        GatebookProcess gatebook = GatebookProcess.start(bench.root(), gatebooks, "measured")) {
      List<Proxy> proxies =
          List.of(
              new Proxy("Gatebook", gatebook.mcp(), Kind.FORWARDED, gatebook.pid(), gatebooks),
              new Proxy("nginx", nginx.url(), Kind.PROXIED, nginx.pid(), nginxes),
              npm("passthrough-mcp-server", passthrough, passthroughs),
              npm("mcp-proxy over supergateway", chain, chains),
              npm("mcp-proxy over supergateway, no log", silent, silents));
      Subject direct = subject("no proxy", server, Kind.PROXIED);
      List<Subject> subjects =
          Stream.concat(Stream.of(direct), proxies.stream().map(Proxy::subject)).toList();
      Wrk wrk = new Wrk(bench.directory());
      SubjectRounds rounds = new SubjectRounds(CONNECTIONS, wrk, gatebook, stub, subjects);
      rounds.measure();
      printRatios(rounds, proxies.stream().map(Proxy::subject).toList());
      new PeersBench(wrk, new OperatorRequests(gatebook, gatebooks.resolve("measured")))
          .printRecords(proxies);
    }
  }

  private static Proxy npm(String name, NpmProxy proxy, Path directory) {
    return new Proxy(name, proxy.url(), Kind.PROXIED, proxy.pid(), directory);
  }

  private static Subject subject(String name, URI url, Kind kind) {
    return new Subject(name, url, CALL, RESULT, kind, OpenedSessions.open(url, CALLERS));
  }

  private static String rules(URI server) {
    return """
    schema: 1
    sources: [{id: stub, kind: mcp, url: "%s", expose: {mode: all}}]
    governance: {defaults: {action: forward}}
    """
        .formatted(server);
  }

  private static void printRatios(SubjectRounds rounds, List<Subject> subjects) {
    Subject first = subjects.getFirst();
    for (Subject other : subjects.subList(1, subjects.size())) {
      for (int connections : CONNECTIONS) {
        print(
            "%s passes on %s calls for each of %s at %d connections",
            first.name(),
            rounds.ratios(first, other, connections, Sample::perSecond).text(2),
            other.name(),
            connections);
      }
    }
  }

  private void printRecords(List<Proxy> proxies) throws Exception {
    Table table = new Table("proxy", "bytes written to files a call", "files after one call");
    for (Proxy proxy : proxies) {
      String files = filesAfterCall(proxy);
      long before = proxy.writes().bytes();
      Sample sample = wrk.run(proxy.subject(), CONNECTIONS.getFirst(), SubjectRounds.ROUND_SECONDS);
      long bytes = proxy.writes().bytes() - before;
      table.add(
          proxy.subject().name(), "%,.0f".formatted((double) bytes / sample.answers()), files);
    }
    print("%n%s", table);
  }

  /** Makes one call that differs from all others, and looks at the files once it is answered. */
  private String filesAfterCall(Proxy proxy) throws Exception {
    Subject subject = proxy.subject();
    String sku = "S-" + System.nanoTime();
    Map<String, String> headers = new TreeMap<>(subject.callers().getFirst());
    headers.put("X-Correlation-Id", sku);
    String body = CALL.replace(SKU, sku).replace("%n", "1");
    long forces = operator.forces();
    Map<Path, BasicFileAttributes> before = proxy.writes().files();
    String answer = BenchRequests.post(subject.url(), headers, body).body();
    List<String> files = new ArrayList<>(proxy.writes().changesSince(before, sku));
    if (!answer.contains(RESULT)) {
      throw new IllegalStateException("%s answers %s".formatted(subject.name(), answer));
    }
    if (subject.kind() == Kind.FORWARDED) {
      files.add("journal forced %d times".formatted(operator.forces() - forces));
      files.add(lookup(sku));
    }
    return files.isEmpty() ? "nothing more" : String.join(", ", files);
  }

  private String lookup(String id) throws IOException {
    String found = operator.call("audit.lookup", "{\"id\":\"%s\"}".formatted(id));
    return found.contains("\"status\":\"answered\"") ? "found by its id" : "not found by its id";
  }
}
