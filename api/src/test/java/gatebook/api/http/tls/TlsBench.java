package gatebook.api.http.tls;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.SubjectRounds;
import gatebook.api.load.ThreadTimes;
import gatebook.api.load.Wrk;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What TLS costs a denied call on kept connections, in seven minutes: two processes, one of them by
 * TLS, are loaded in turn. It needs {@code wrk} and {@code openssl}.
 */
final class TlsBench {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64);

  /** In every second round the other subject comes first. */
  private static final int ROUNDS = Bench.QUICK ? 2 : 6;

  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 30;

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;
  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_stock",\
      "arguments":{"sku":"A-102934","warehouse":"north","amount":12}}}\
      """;

  private final Wrk wrk;
  private final Rounds<Cost> rounds = new Rounds<>(CONNECTIONS);

  private record Subject(String name, GatebookProcess gatebook) {}

  /**
   * What was measured in a round.
   *
   * @param micros of both processors for a call, without the generator's
   */
  private record Cost(double perSecond, double p99Millis, double micros) {}

  private TlsBench(Bench bench) {
    this.wrk = new Wrk(bench.directory());
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    Path directory = bench.directory();
    Files.writeString(directory.resolve("gatebook.yaml"), RULES);
    TestCertificates certificates = TestCertificates.in(directory);
    TestCertificates.Pair pair = certificates.make("server");
    try (GatebookProcess plain = GatebookProcess.start(bench.root(), directory, "plain");
        GatebookProcess secured =
            GatebookProcess.startWithTls(
                bench.root(),
                directory,
                "tls",
                certificates.context(Optional.empty()),
                List.of(
                    "--tls-cert",
                    pair.certificate().toString(),
                    "--tls-key",
                    pair.key().toString()))) {
      new TlsBench(bench).run(new Subject("plain", plain), new Subject("TLS", secured));
    }
  }

  private void run(Subject plain, Subject secured) throws Exception {
    List<Subject> subjects = List.of(plain, secured);
    for (Subject subject : subjects) {
      var _ = cost(subject, 64, WARM_UP_SECONDS);
    }
    for (int round = 0; round < ROUNDS; round++) {
      rounds.run(
          1,
          round % 2 == 0 ? subjects : subjects.reversed(),
          Subject::name,
          (subject, connections) -> cost(subject, connections, SubjectRounds.ROUND_SECONDS));
    }
    print("%n%s%n", table("denied calls a second", Cost::perSecond, 0));
    print("%s%n", table("p99, ms", Cost::p99Millis, 2));
    print("%s%n", table("us of processor time a call", Cost::micros, 0));
    for (int connections : CONNECTIONS) {
      print(
          "%d connections: TLS makes %s of the rate, and takes %s of the processor time",
          connections,
          rounds.ratios("TLS", "plain", connections, Cost::perSecond).text(2),
          rounds.ratios("TLS", "plain", connections, Cost::micros).text(2));
    }
  }

  private String table(String head, ToDoubleFunction<Cost> figure, int digits) {
    return rounds
        .table(
            head,
            "connection",
            List.of("plain", "TLS"),
            costs -> Spread.of(costs.stream().map(figure::applyAsDouble).toList()).text(digits))
        .toString();
  }

  private Cost cost(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    ThreadTimes before = ThreadTimes.of(subject.gatebook.pid());
    Sample sample = wrk.run(subject.gatebook.mcp(), CALL, connections, seconds);
    subject.gatebook.awaitIdle();
    if (sample.statuses() + sample.broken() > 0) {
      print("WRONG: %s: %s", subject.name, sample);
    }
    return new Cost(
        sample.perSecond(),
        sample.p99Millis(),
        ThreadTimes.of(subject.gatebook.pid()).since(before).total() * 1e6 / sample.answers());
  }
}
