package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.UpstreamFixture.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.Retries;
import gatebook.api.upstream.RetrySchedule;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Response.NotConnected;
import gatebook.api.upstream.Upstream.Response.Resend;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Duration;
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
  private final List<String> events = new ArrayList<>();

  @AfterEach
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void anUnsentCallIsRetriedAfterItIsRecorded() {
    SequenceUpstream upstream =
        new SequenceUpstream(events, new NotConnected("refused"), new NotConnected("late"), RESULT);
    long started = System.nanoTime();

    Ended ended =
        new Retries(scheduler).call(upstream, CALL, MessageListener.NONE, this::record).join();

    assertThat(ended).isEqualTo(RESULT);
    assertThat(events)
        .containsExactly("called", "2 after refused", "called", "3 after late", "called");
    assertThat(System.nanoTime() - started)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
  }

  @Test
  void theRequestedInputIsResentAfterItIsRecorded() {
    Call next = new Call(null, "tools/call", "{\"name\":\"more\"}", false, Map.of());
    SequenceUpstream upstream =
        new SequenceUpstream(
            events,
            new NotConnected("late"),
            new Resend(next),
            new NotConnected("refused"),
            new NotConnected("late"),
            RESULT);

    Ended ended =
        withoutPauses().call(upstream, CALL, MessageListener.NONE, 1, this::record).join();

    assertThat(ended).isEqualTo(RESULT);
    assertThat(events)
        .containsExactly(
            "called",
            "2 after late",
            "called",
            "3 after it asked for more input",
            "called",
            "4 after refused",
            "called",
            "5 after late",
            "called");
    assertThat(upstream.calls).containsExactly(CALL, CALL, next, next, next);
  }

  @Test
  void tooManyInputRoundsAreAFault() {
    SequenceUpstream upstream =
        new SequenceUpstream(events, new Resend(CALL), new Resend(CALL), new Resend(CALL));

    Ended ended =
        withoutPauses().call(upstream, CALL, MessageListener.NONE, 2, this::record).join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamError(
                    "tools", null, "it asked for input 3 times and did not answer", null, null)));
    assertThat(events).hasSize(5);
  }

  @Test
  void theThirdFailureIsAFault() {
    SequenceUpstream upstream =
        new SequenceUpstream(
            events, new NotConnected("a"), new NotConnected("b"), new NotConnected("c"));

    Ended ended = withoutPauses().call(upstream, CALL, MessageListener.NONE, this::record).join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamConnectionFailed("tools", "http://tools.example/mcp", "c", 3)));
  }

  @Test
  void aCallWithAnAnswerIsNotRetried() {
    SequenceUpstream upstream =
        new SequenceUpstream(events, new Ended.ForeignError("tools", -32_000, "no", null, 503));

    Ended ended = withoutPauses().call(upstream, CALL, MessageListener.NONE, this::record).join();

    assertThat(ended).isEqualTo(new Ended.ForeignError("tools", -32_000, "no", null, 503));
    assertThat(events).containsExactly("called");
  }

  @Test
  void anAttemptThatIsNotRecordedIsNotMade() {
    SequenceUpstream upstream = new SequenceUpstream(events, new NotConnected("refused"), RESULT);

    Ended ended =
        withoutPauses()
            .call(
                upstream,
                CALL,
                MessageListener.NONE,
                (_, _) -> CompletableFuture.completedFuture(false))
            .join();

    assertThat(ended)
        .isEqualTo(
            new Ended.Failure(
                new UpstreamConnectionFailed("tools", "http://tools.example/mcp", "refused", 1)));
    assertThat(events).containsExactly("called");
  }

  @Test
  void cancellingCancelsTheAttemptInProgress() {
    CompletableFuture<Response> pending = new CompletableFuture<>();
    SequenceUpstream upstream = new SequenceUpstream(events, pending);

    withoutPauses().call(upstream, CALL, MessageListener.NONE, this::record).cancel(false);

    assertThat(pending).isCancelled();
  }

  @Test
  void noAttemptIsMadeWhenCancelledDuringTheRecord() {
    SequenceUpstream upstream = new SequenceUpstream(events, new NotConnected("refused"), RESULT);
    CompletableFuture<Boolean> recording = new CompletableFuture<>();
    CompletableFuture<Void> recordRequested = new CompletableFuture<>();
    CompletableFuture<Ended> call =
        withoutPauses()
            .call(
                upstream,
                CALL,
                MessageListener.NONE,
                (_, _) -> {
                  recordRequested.complete(null);
                  return recording;
                });
    recordRequested.join();

    call.cancel(false);
    recording.complete(true);

    assertThat(events).containsExactly("called");
  }

  @Test
  void aFailedRecordFailsTheCall() {
    SequenceUpstream upstream = new SequenceUpstream(events, new NotConnected("refused"));
    IllegalStateException broken = new IllegalStateException("broken");

    CompletableFuture<Ended> call =
        withoutPauses()
            .call(
                upstream,
                CALL,
                MessageListener.NONE,
                (_, _) -> {
                  throw broken;
                });

    assertThat(call).failsWithin(120, TimeUnit.SECONDS).withThrowableThat().withCause(broken);
  }

  private Retries withoutPauses() {
    return new Retries(
        scheduler, new RetrySchedule(Duration.ofMillis(1), 1, Duration.ofMillis(1), 2));
  }

  private CompletableFuture<Boolean> record(int attempt, String afterFailure) {
    events.add(attempt + " after " + afterFailure);
    return CompletableFuture.completedFuture(true);
  }

  /** Returns the given responses one after the other. */
  private static final class SequenceUpstream implements Upstream {
    private final List<String> events;
    private final List<Call> calls = new ArrayList<>();
    private final Deque<CompletableFuture<Response>> responses = new ArrayDeque<>();

    SequenceUpstream(List<String> told, Response... responses) {
      this.events = told;
      for (Response response : responses) {
        this.responses.add(CompletableFuture.completedFuture(response));
      }
    }

    SequenceUpstream(List<String> told, CompletableFuture<Response> response) {
      this.events = told;
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
    public CompletableFuture<Response> call(Call call, MessageListener listener) {
      events.add("called");
      calls.add(call);
      return responses.remove();
    }

    @Override
    public CompletableFuture<Listing> listTools() {
      return CompletableFuture.completedFuture(new Listing.Tools(List.of()));
    }
  }
}
