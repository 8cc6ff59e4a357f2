package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.Asking.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.Retries;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Response.Again;
import gatebook.api.upstream.Upstream.Response.NotConnected;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetriesTest {

  private static final Ended RESULT = new Ended.Result("{}", false);

  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void whatWasNotBegunIsTriedAgainAfterTheRecordOfIt() {
    Scripted upstream =
        new Scripted(told, new NotConnected("refused"), new NotConnected("late"), RESULT);
    long begun = System.nanoTime();

    Ended ended = new Retries(scheduler).call(upstream, CALL, Aside.NOBODY, this::recorded).join();

    assertThat(ended).isEqualTo(RESULT);
    assertThat(told)
        .containsExactly("called", "2 after refused", "called", "3 after late", "called");
    assertThat(System.nanoTime() - begun)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
  }

  @Test
  void whatTheSourceHadToKnowGoesWithTheNextAttemptAfterTheRecordOfIt() {
    Call next = new Call(null, "tools/call", "{\"name\":\"more\"}", false, Map.of());
    Scripted upstream =
        new Scripted(
            told,
            new NotConnected("late"),
            new Again(next),
            new NotConnected("refused"),
            new NotConnected("late"),
            RESULT);

    Ended ended = quick().call(upstream, CALL, Aside.NOBODY, 1, this::recorded).join();

    assertThat(ended).isEqualTo(RESULT);
    assertThat(told)
        .containsExactly(
            "called",
            "2 after late",
            "called",
            "3 after it had to know more",
            "called",
            "4 after refused",
            "called",
            "5 after late",
            "called");
    assertThat(upstream.calls).containsExactly(CALL, CALL, next, next, next);
  }

  @Test
  void aSourceThatNeverKnowsEnoughIsAFault() {
    Scripted upstream = new Scripted(told, new Again(CALL), new Again(CALL), new Again(CALL));

    Ended ended = quick().call(upstream, CALL, Aside.NOBODY, 2, this::recorded).join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamError(
                    "tools",
                    null,
                    "it had to know more 3 times, and has not answered",
                    null,
                    null)));
    assertThat(told).hasSize(5);
  }

  @Test
  void afterTheThirdAttemptItIsAFault() {
    Scripted upstream =
        new Scripted(told, new NotConnected("a"), new NotConnected("b"), new NotConnected("c"));

    Ended ended = quick().call(upstream, CALL, Aside.NOBODY, this::recorded).join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamConnectionFailed("tools", "http://tools.example/mcp", "c", 3)));
  }

  @Test
  void whatHasAnAnswerOfAnyKindIsNeverTriedAgain() {
    Scripted upstream = new Scripted(told, new Ended.ForeignError(-32_000, "no", null, 503));

    Ended ended = quick().call(upstream, CALL, Aside.NOBODY, this::recorded).join();

    assertThat(ended).isEqualTo(new Ended.ForeignError(-32_000, "no", null, 503));
    assertThat(told).containsExactly("called");
  }

  @Test
  void anAttemptThatCouldNotBeRecordedIsNotMade() {
    Scripted upstream = new Scripted(told, new NotConnected("refused"), RESULT);

    Ended ended =
        quick()
            .call(upstream, CALL, Aside.NOBODY, (_, _) -> CompletableFuture.completedFuture(false))
            .join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamConnectionFailed("tools", "http://tools.example/mcp", "refused", 1)));
    assertThat(told).containsExactly("called");
  }

  @Test
  void whoeverGivesUpGivesUpTheAttemptUnderWay() {
    CompletableFuture<Response> underWay = new CompletableFuture<>();
    Scripted upstream = new Scripted(told, underWay);

    quick().call(upstream, CALL, Aside.NOBODY, this::recorded).cancel(false);

    assertThat(underWay).isCancelled();
  }

  @Test
  void noAttemptIsMadeForWhomeverGaveUpWhileItWasRecorded() {
    Scripted upstream = new Scripted(told, new NotConnected("refused"), RESULT);
    CompletableFuture<Boolean> recording = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Ended> call =
        quick()
            .call(
                upstream,
                CALL,
                Aside.NOBODY,
                (_, _) -> {
                  asked.complete(null);
                  return recording;
                });
    asked.join();

    call.cancel(false);
    recording.complete(true);

    assertThat(told).containsExactly("called");
  }

  @Test
  void aRecordThatFailsFailsTheCall() {
    Scripted upstream = new Scripted(told, new NotConnected("refused"));
    IllegalStateException broken = new IllegalStateException("broken");

    CompletableFuture<Ended> call =
        quick()
            .call(
                upstream,
                CALL,
                Aside.NOBODY,
                (_, _) -> {
                  throw broken;
                });

    assertThat(call).failsWithin(120, TimeUnit.SECONDS).withThrowableThat().withCause(broken);
  }

  private Retries quick() {
    return new Retries(scheduler, List.of(1L, 1L));
  }

  private CompletableFuture<Boolean> recorded(int attempt, String afterFailure) {
    told.add(attempt + " after " + afterFailure);
    return CompletableFuture.completedFuture(true);
  }

  /** Answers one after the other. */
  private static final class Scripted implements Upstream {
    private final List<String> told;
    private final List<Call> calls = new ArrayList<>();
    private final Deque<CompletableFuture<Response>> responses = new ArrayDeque<>();

    Scripted(List<String> told, Response... responses) {
      this.told = told;
      for (Response response : responses) {
        this.responses.add(CompletableFuture.completedFuture(response));
      }
    }

    Scripted(List<String> told, CompletableFuture<Response> response) {
      this.told = told;
      this.responses.add(response);
    }

    @Override
    public String source() {
      return "tools";
    }

    @Override
    public String endpoint() {
      return "http://tools.example/mcp";
    }

    @Override
    public long timeoutMillis() {
      return 30_000;
    }

    @Override
    public CompletableFuture<Response> call(Call call, Aside aside) {
      told.add("called");
      calls.add(call);
      return responses.remove();
    }

    @Override
    public CompletableFuture<Listing> tools() {
      return CompletableFuture.completedFuture(new Listing.Tools(List.of()));
    }
  }
}
