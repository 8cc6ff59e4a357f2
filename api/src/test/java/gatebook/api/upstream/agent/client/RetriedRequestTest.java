package gatebook.api.upstream.agent.client;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.Attempt.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetriedRequestTest {

  private static final AttemptResult<String> SUCCESS = AttemptResult.of(AgentOutcome.success("x"));
  private static final AgentFailure REFUSED = new ConnectionRefused("connection refused");
  private static final AgentFailure TIMEOUT = new Timeout(30_000);

  private final List<Attempt> reported = new ArrayList<>();
  private final List<Long> passed = new ArrayList<>();
  private final Deque<CompletableFuture<AttemptResult<String>>> attempts = new ArrayDeque<>();
  private long leftMillis = 120_000;
  private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
  private CompletableFuture<Boolean> mayRepeat = CompletableFuture.completedFuture(true);

  @Test
  void aRepeatableRequestIsRepeatedUntilItSucceeds() {
    script(AttemptResult.failed(TIMEOUT), AttemptResult.failed(new HttpError(502, null)), SUCCESS);

    assertThat(request(true)).isCompletedWithValue(SUCCESS.outcome());
    assertThat(passed).containsExactly(100L, 200L);
    assertThat(reported)
        .containsExactly(
            new Attempt(1, Result.TRANSIENT, TIMEOUT, 100L),
            new Attempt(2, Result.TRANSIENT, new HttpError(502, null), 200L),
            new Attempt(3, Result.SUCCESS, null, null));
  }

  @Test
  void theLastFailureIsTheOutcome() {
    script(
        AttemptResult.failed(TIMEOUT),
        AttemptResult.failed(TIMEOUT),
        AttemptResult.failed(TIMEOUT),
        AttemptResult.unsent(REFUSED));

    assertThat(request(true)).isCompletedWithValue(AgentOutcome.failed(REFUSED));
    assertThat(passed).containsExactly(100L, 200L, 400L);
    assertThat(reported).hasSize(4).endsWith(new Attempt(4, Result.TRANSIENT, REFUSED, null));
  }

  @ParameterizedTest
  @CsvSource({"101, 2", "100, 1"})
  void nothingIsRepeatedWhenTheTimeIsOver(long left, int attemptsMade) {
    leftMillis = left;
    script(AttemptResult.unsent(REFUSED), SUCCESS);

    assertThat(request(true)).isCompleted();
    assertThat(reported).hasSize(attemptsMade);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUnsentRequestIsAlwaysRetried(boolean idempotent) {
    script(AttemptResult.unsent(REFUSED), AttemptResult.unsent(REFUSED), SUCCESS);

    assertThat(request(idempotent)).isCompletedWithValue(SUCCESS.outcome());
    assertThat(reported).hasSize(3);
  }

  static List<AttemptResult<String>> written() {
    return List.of(
        AttemptResult.failed(TIMEOUT),
        AttemptResult.failed(new HttpError(503, null)),
        AttemptResult.failed(new HttpError(429, 1L)),
        AttemptResult.closed(new InvalidResponse("closed")));
  }

  @ParameterizedTest
  @MethodSource("written")
  void onlyARepeatableRequestIsRepeatedOnceWritten(AttemptResult<String> result) {
    script(result);
    assertThat(request(false)).isCompletedWithValue(result.outcome());

    script(result, SUCCESS);
    assertThat(request(true)).isCompletedWithValue(SUCCESS.outcome());
  }

  static List<AgentFailure> permanent() {
    return List.of(
        new HttpError(400, null),
        new HttpError(408, 1L),
        new HttpError(500, null),
        new TaskNotFound("t1"),
        new ServerError(-32603, "no"),
        new InvalidResponse("no"),
        new InternalError("no"));
  }

  @ParameterizedTest
  @MethodSource("permanent")
  void aPermanentFailureIsNotRepeated(AgentFailure failure) {
    script(AttemptResult.failed(failure));

    assertThat(request(true)).isCompletedWithValue(AgentOutcome.failed(failure));
    assertThat(reported).containsExactly(new Attempt(1, Result.PERMANENT, failure, null));
  }

  @Test
  void aStreamOfWhichAPartArrivedIsNotRepeated() {
    AttemptResult<String> inPart = AttemptResult.<String>failed(TIMEOUT).answeredInPart();
    script(inPart);

    assertThat(request(true)).isCompletedWithValue(inPart.outcome());
    assertThat(reported).containsExactly(new Attempt(1, Result.TRANSIENT, TIMEOUT, null));
  }

  @Test
  void anAttemptThatIsNotRecordedIsTheLast() {
    mayRepeat = CompletableFuture.completedFuture(false);
    script(AttemptResult.failed(TIMEOUT));

    assertThat(request(true)).isCompletedWithValue(AgentOutcome.failed(TIMEOUT));
    assertThat(passed).isEmpty();
  }

  @Test
  void theRequestWaitsForItsListener() {
    mayRepeat = new CompletableFuture<>();
    script(SUCCESS);

    CompletableFuture<AgentOutcome<String>> outcome = request(true);

    assertThat(outcome).isNotDone();
    mayRepeat.complete(true);
    assertThat(outcome).isCompletedWithValue(SUCCESS.outcome());
  }

  @Test
  void aFailingListenerIsAnInternalError() {
    mayRepeat = CompletableFuture.failedFuture(new IllegalStateException("secret"));
    script(SUCCESS);

    assertThat(request(true))
        .isCompletedWithValue(AgentOutcome.failed(new InternalError("the log has the error")));
  }

  @Test
  void anAttemptThatFailsHereIsAnInternalError() {
    attempts.add(CompletableFuture.failedFuture(new IllegalStateException("secret")));
    InternalError failure = new InternalError("the log has the error");

    assertThat(request(true)).isCompletedWithValue(AgentOutcome.failed(failure));
    assertThat(reported).containsExactly(new Attempt(1, Result.PERMANENT, failure, null));
  }

  @Test
  void anAttemptThatCannotBeginIsAnInternalError() {
    assertThat(request(true)) // no attempt is left
        .isCompletedWithValue(AgentOutcome.failed(new InternalError("the log has the error")));
  }

  @Test
  void cancellingDuringAnAttemptEndsIt() {
    CompletableFuture<AttemptResult<String>> pending = new CompletableFuture<>();
    attempts.add(pending);

    request(true).cancel(false);

    assertThat(pending).isCancelled();
    assertThat(reported).isEmpty();
  }

  @Test
  void cancellingDuringAPausePreventsTheNextAttempt() {
    pause = new CompletableFuture<>();
    script(AttemptResult.failed(TIMEOUT), SUCCESS);

    request(true).cancel(false);
    pause.complete(null);

    assertThat(attempts).hasSize(1);
  }

  @SafeVarargs
  private void script(AttemptResult<String>... results) {
    for (AttemptResult<String> result : results) {
      attempts.add(CompletableFuture.completedFuture(result));
    }
  }

  private CompletableFuture<AgentOutcome<String>> request(boolean idempotent) {
    RetryTiming timing =
        new RetryTiming(
            AgentFixture.INSTANT.clock(),
            () -> 0.5,
            millis -> {
              passed.add(millis);
              return pause;
            });
    return new RetriedRequest<>(
            AgentSettings.of(AgentLimits.DEFAULT, timing),
            attempt -> {
              reported.add(attempt);
              return mayRepeat;
            },
            () -> leftMillis,
            idempotent,
            attempts::remove)
        .start();
  }

  @ParameterizedTest
  @CsvSource({"0, '[80, 160, 320]'", "0.5, '[100, 200, 400]'", "1, '[120, 240, 480]'"})
  void pausesDoubleAndDifferByAFifth(double random, String pauses) {
    assertThat(
            IntStream.rangeClosed(1, 3)
                .mapToObj(attempt -> pause(new Timeout(1), attempt, random).getAsLong()))
        .hasToString(pauses);
    assertThat(pause(new Timeout(1), 4, random)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "429, 0, 100",
    "429, 1, 1000",
    "429, 2, 2000",
    "429, 3, ",
    "429, , ",
    "503, 2, 2000",
    "503, 3, ",
    "503, , 100",
    "502, , 100",
    "504, , 100"
  })
  void aShortRetryAfterIsKept(int status, @Nullable Long retryAfter, @Nullable Long pause) {
    assertThat(pause(new HttpError(status, retryAfter), 1, 0.5))
        .isEqualTo(pause == null ? OptionalLong.empty() : OptionalLong.of(pause));
  }

  private static OptionalLong pause(AgentFailure failure, int attempt, double random) {
    return RetriedRequest.pauseMillis(AgentSettings.DEFAULT.schedule(), failure, attempt, random);
  }
}
