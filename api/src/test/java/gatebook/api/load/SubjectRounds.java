package gatebook.api.load;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.Subject.Kind;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Loads subjects side by side, from several numbers of connections. */
public final class SubjectRounds {
  public static final int ROUND_SECONDS = Bench.QUICK ? 1 : 5;
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 60;
  private static final int WARM_UP_CONNECTIONS = 64;

  private final Wrk wrk;
  private final GatebookProcess gatebook;
  private final PeerProcess stub;
  private final List<Subject> subjects;
  private final Rounds<Sample> rounds;
  private double residentMebibytes;
  private double behind;

  /**
   * Rounds that have not begun.
   *
   * @param stub which the calls reach in the end
   */
  public SubjectRounds(
      List<Integer> connections,
      Wrk wrk,
      GatebookProcess gatebook,
      PeerProcess stub,
      List<Subject> subjects) {
    this.rounds = new Rounds<>(connections);
    this.wrk = wrk;
    this.gatebook = gatebook;
    this.stub = stub;
    this.subjects = subjects;
  }

  /** Measures all, and prints their answers a second and their latencies. */
  public void measure() throws Exception {
    for (Subject subject : subjects) {
      load(subject, WARM_UP_CONNECTIONS, WARM_UP_SECONDS);
    }
    rounds.run(
        ROUNDS,
        subjects,
        Subject::name,
        (subject, connections) -> load(subject, connections, ROUND_SECONDS));
    List<String> names = subjects.stream().map(Subject::name).toList();
    print(
        "%n%s%n%n%s%n",
        rounds.table(
            "answers a second",
            "connection",
            names,
            samples -> spread(samples, Sample::perSecond).text(0)),
        rounds.table(
            "p50 / p99, ms",
            "connection",
            names,
            samples ->
                "%.2f / %.2f"
                    .formatted(
                        spread(samples, Sample::p50Millis).median(),
                        spread(samples, Sample::p99Millis).median())));
    print("resident: at most %,.0f MiB under load", residentMebibytes);
    print("views were at most %,.0f events behind when a round ended", behind);
    print(
        "not answered, or answered with a status of 400 and above: %d",
        rounds.all().stream().mapToLong(sample -> sample.statuses() + sample.broken()).sum());
  }

  private static Spread spread(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Spread.of(samples.stream().map(figure::applyAsDouble).toList());
  }

  public double median(Subject subject, int connections, ToDoubleFunction<Sample> figure) {
    return rounds.spread(subject.name(), connections, figure).median();
  }

  /** The ratios of the two within each round. */
  public Spread ratios(
      Subject subject, Subject other, int connections, ToDoubleFunction<Sample> figure) {
    return rounds.ratios(subject.name(), other.name(), connections, figure);
  }

  private Sample load(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    requireExpectedResponses(subject);
    Sample sample = loadAndCount(subject, connections, seconds);
    requireExpectedResponses(subject);
    return sample;
  }

  private Sample loadAndCount(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    double denials = gatebook.metric("thoughtgate_gate_denials_total");
    double errors = gatebook.metric("gatebook_errors_total");
    long calls = subject.kind() == Kind.PROXIED ? stub.calls() : 0;
    Sample sample = wrk.run(subject, connections, seconds);
    if (subject.kind() == Kind.PROXIED) {
      checkCalls(subject, sample, stub.calls() - calls);
    } else if (subject.kind() != Kind.FOREIGN) {
      residentMebibytes = Math.max(residentMebibytes, gatebook.residentMebibytes());
      behind = Math.max(behind, gatebook.viewLag());
      gatebook.awaitIdle();
      checkCounts(
          subject,
          sample,
          gatebook.metric("thoughtgate_gate_denials_total") - denials,
          gatebook.metric("gatebook_errors_total") - errors);
    }
    return sample;
  }

  /**
   * Checks the counts of Gatebook: denials have status 200 like successes, and only these counts
   * distinguish them.
   */
  private static void checkCounts(Subject subject, Sample sample, double denials, double errors) {
    boolean right =
        subject.kind() == Kind.DENIED
            ? denials >= sample.answers() && errors == denials
            : denials == 0 && errors == 0;
    if (!right) {
      print(
          "WRONG: %s: %d answers, of which the product says that %.0f were denials and %.0f errors",
          subject.name(), sample.answers(), denials, errors);
    }
  }

  /**
   * Checks that the calls reached the stub: errors of another proxy have status 200, too. There may
   * be more calls than answers, since those in progress at the end of a load are not answered.
   */
  private static void checkCalls(Subject subject, Sample sample, long calls) {
    if (calls < sample.answers()) {
      print(
          "WRONG: %s: %d answers, but only %d calls at the stub",
          subject.name(), sample.answers(), calls);
    }
  }

  /** Calls once for each caller, and fails unless each gets the expected response. */
  private static void requireExpectedResponses(Subject subject) {
    for (Map<String, String> headers : subject.callers()) {
      String body = subject.body().replace("%n", Long.toString(System.nanoTime()));
      String answer = BenchRequests.post(subject.url(), headers, body).body();
      if (!answer.contains(subject.answer())) {
        throw new IllegalStateException("%s answers %s".formatted(subject.name(), answer));
      }
    }
  }
}
