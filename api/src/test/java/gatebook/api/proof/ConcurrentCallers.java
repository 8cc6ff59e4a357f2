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

/** Concurrent callers; each makes its next call when the previous one was answered. */
final class ConcurrentCallers implements AutoCloseable {
  /** Runs callbacks on virtual threads, because a callback may block. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .executor(work -> Thread.ofVirtual().start(work))
          .build();

  private final URI url;
  private final Function<RandomGenerator, TestCall.Kind> kinds;
  private final Consumer<TestCall> onSend;
  private final Consumer<CallerResponse> onResponse;
  private final List<CompletableFuture<Void>> ended = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * @param onSend called before every call is sent
   * @param onResponse called with every response that was read completely
   */
  ConcurrentCallers(
      URI url,
      Function<RandomGenerator, TestCall.Kind> kinds,
      Consumer<TestCall> onSend,
      Consumer<CallerResponse> onResponse) {
    this.url = url;
    this.kinds = kinds;
    this.onSend = onSend;
    this.onResponse = onResponse;
  }

  /**
   * @param run distinguishes these calls from those of all other runs
   */
  ConcurrentCallers start(int count, String run, SplittableRandom random) {
    for (int number = 0; number < count; number++) {
      Caller caller = new Caller(run + "-caller" + number, random.split());
      ended.add(caller.ended);
      caller.call();
    }
    return this;
  }

  /** Stops further calls; calls in progress continue. */
  void stopCalling() {
    stopping = true;
  }

  /** Returns when every caller has its last response or has lost the server. */
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
      TestCall call = new TestCall(name + "-call" + ++calls, kinds.apply(random));
      onSend.accept(call);
      var _ =
          http.sendAsync(request(call), BodyHandlers.ofString())
              .whenComplete((answer, failure) -> {
                if (failure == null) {
                  onResponse.accept(new CallerResponse(call, answer.statusCode(), answer.body()));
                }
                if (failure == null && !stopping) {
                  call();
                } else {
                  ended.complete(null);
                }
              });
    }

    private HttpRequest request(TestCall call) {
      return HttpRequest.newBuilder(url)
          .header("Content-Type", "application/json")
          .header("X-Correlation-Id", call.marker())
          .POST(BodyPublishers.ofString(call.body()))
          .build();
    }
  }
}
