package gatebook.api.bench;

import static gatebook.api.bench.Bench.print;

import gatebook.api.bench.Subject.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** Runs the benchmark for all subjects in turn, round by round. */
final class BenchRun {
  private final BenchPlan plan;
  private final Wrk wrk;
  private final GatebookProcess gatebook;
  private final List<Subject> subjects;
  private final Rounds rounds;
  private double residentMebibytes;
  private double behind;

  BenchRun(
      BenchPlan plan,
      List<Integer> connections,
      Wrk wrk,
      GatebookProcess gatebook,
      List<Subject> subjects) {
    this.plan = plan;
    this.rounds = new Rounds(connections);
    this.wrk = wrk;
    this.gatebook = gatebook;
    this.subjects = subjects;
  }

  void measure() throws IOException, InterruptedException {
    for (Subject subject : subjects) {
      requireExpectedResponse(subject);
      load(subject, BenchPlan.WARM_UP_CONNECTIONS, plan.warmUpSeconds());
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (int connections : rounds.connections()) {
        for (Subject subject : subjects) {
          rounds.add(subject, connections, load(subject, connections, plan.roundSeconds()));
        }
      }
    }
    subjects.forEach(this::requireExpectedResponse);
  }

  Rounds rounds() {
    return rounds;
  }

  /** The maximum of resident memory at the end of a round. */
  double maxResidentMebibytes() {
    return residentMebibytes;
  }

  /** The maximum number of events that views were behind at the end of a round. */
  double maxLag() {
    return behind;
  }

  private Sample load(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    double denials = gatebook.metric("thoughtgate_gate_denials_total");
    double errors = gatebook.metric("gatebook_errors_total");
    Sample sample = wrk.run(subject.url(), subject.body(), connections, seconds);
    if (subject.kind() != Kind.FOREIGN) {
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

  private void requireExpectedResponse(Subject subject) {
    String answer = answer(subject.url(), subject.body().replace("%n", "1"));
    if (!answer.contains(subject.answer())) {
      throw new IllegalStateException("%s answers %s".formatted(subject.name(), answer));
    }
  }

  static String answer(URI url, String body) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(url)
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(url + " does not answer", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
