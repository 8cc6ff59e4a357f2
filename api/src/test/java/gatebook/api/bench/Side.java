package gatebook.api.bench;

import static gatebook.api.bench.Bench.say;

import gatebook.api.bench.Subject.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** All subjects side by side, round by round. */
final class Side {
  private final Plan plan;
  private final Wrk wrk;
  private final Gatebook gatebook;
  private final List<Subject> subjects;
  private final Rounds rounds = new Rounds();
  private double residentMebibytes;
  private double behind;

  Side(Plan plan, Wrk wrk, Gatebook gatebook, List<Subject> subjects) {
    this.plan = plan;
    this.wrk = wrk;
    this.gatebook = gatebook;
    this.subjects = subjects;
  }

  void measure() throws IOException, InterruptedException {
    for (Subject subject : subjects) {
      requireRightAnswer(subject);
      load(subject, Plan.WARM_UP_CONNECTIONS, plan.warmUpSeconds());
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (int connections : Plan.CONNECTIONS) {
        for (Subject subject : subjects) {
          rounds.add(subject, connections, load(subject, connections, plan.roundSeconds()));
        }
      }
    }
    subjects.forEach(this::requireRightAnswer);
  }

  Rounds rounds() {
    return rounds;
  }

  /** The most that was resident at the end of a round. */
  double residentMebibytes() {
    return residentMebibytes;
  }

  /** The most events that views had not seen when a round ended. */
  double behind() {
    return behind;
  }

  private Sample load(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    double denials = gatebook.metric("thoughtgate_gate_denials_total");
    double errors = gatebook.metric("gatebook_errors_total");
    Sample sample = wrk.run(subject.url(), subject.body(), connections, seconds);
    if (subject.kind() != Kind.FOREIGN) {
      residentMebibytes = Math.max(residentMebibytes, gatebook.residentMebibytes());
      behind = Math.max(behind, gatebook.behind());
      gatebook.untilQuiet();
      requireRightCounts(
          subject,
          sample,
          gatebook.metric("thoughtgate_gate_denials_total") - denials,
          gatebook.metric("gatebook_errors_total") - errors);
    }
    return sample;
  }

  /** Every denial has status 200, as every success has: only the product's own count tells them. */
  private static void requireRightCounts(
      Subject subject, Sample sample, double denials, double errors) {
    boolean right =
        subject.kind() == Kind.DENIED
            ? denials >= sample.answers() && errors == denials
            : denials == 0 && errors == 0;
    if (!right) {
      say(
          "WRONG: %s: %d answers, of which the product says that %.0f were denials and %.0f errors",
          subject.name(), sample.answers(), denials, errors);
    }
  }

  private void requireRightAnswer(Subject subject) {
    String answer = answer(subject.url(), subject.body().replace("%n", "1"));
    if (!answer.contains(subject.answer())) {
      throw new IllegalStateException("%s answers %s".formatted(subject.name(), answer));
    }
  }

  private static String answer(URI url, String body) {
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
