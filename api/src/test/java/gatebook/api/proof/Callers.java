package gatebook.api.proof;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Concurrent callers, each of which calls again as soon as it was answered. */
final class Callers implements AutoCloseable {
  /** Whoever hears of an answer may wait, and holds up no other test with it. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .executor(work -> Thread.ofVirtual().start(work))
          .build();

  private final URI url;
  private final Function<RandomGenerator, Call.Kind> kinds;
  private final Consumer<Call> sending;
  private final Consumer<Telling> told;
  private final List<CompletableFuture<Void>> ended = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * @param sending hears of every call before it is sent
   * @param told hears of every answer that was read whole
   */
  Callers(
      URI url,
      Function<RandomGenerator, Call.Kind> kinds,
      Consumer<Call> sending,
      Consumer<Telling> told) {
    this.url = url;
    this.kinds = kinds;
    this.sending = sending;
    this.told = told;
  }

  /**
   * @param run sets its calls apart from those of all other runs
   */
  Callers start(int count, String run, SplittableRandom random) {
    for (int number = 0; number < count; number++) {
      Caller caller = new Caller(run + "-caller" + number, random.split());
      ended.add(caller.ended);
      caller.call();
    }
    return this;
  }

  /** No caller calls again; those that wait go on waiting. */
  void stopCalling() {
    stopping = true;
  }

  /** Returns when every caller got its last answer or lost the server. */
  void join() {
    stopping = true;
    ended.forEach(CompletableFuture::join);
  }

  @Override
  public void close() {
    stopping = true;
    http.shutdownNow();
  }

  private final class Caller {
    private final String name;
    private final SplittableRandom random;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int calls;

    Caller(String name, SplittableRandom random) {
      this.name = name;
      this.random = random;
    }

    void call() {
      Call call = new Call(name + "-call" + ++calls, kinds.apply(random));
      sending.accept(call);
      var _ =
          http.sendAsync(request(call), BodyHandlers.ofString())
              .whenComplete((answer, failure) -> {
                if (failure == null) {
                  told.accept(new Telling(call, answer.statusCode(), answer.body()));
                }
                if (failure == null && !stopping) {
                  call();
                } else {
                  ended.complete(null);
                }
              });
    }

    private HttpRequest request(Call call) {
      return HttpRequest.newBuilder(url)
          .header("Content-Type", "application/json")
          .header("X-Correlation-Id", call.marker())
          .POST(BodyPublishers.ofString(call.body()))
          .build();
    }
  }
}
