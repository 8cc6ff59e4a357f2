package gatebook.api.upstream.source;

import gatebook.api.http.tls.CertificateMeter;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.agent.client.AgentFailure;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Meters of one upstream: durations by outcome, and open connections. */
final class UpstreamMeters implements AutoCloseable {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** A tool's error is a result of the source. */
  private static final Set<String> NOT_FAILED =
      Set.of("result", "tool-error", "accepted", "cancelled", "dropped");

  /** Outcomes that say nothing about whether the source works. */
  private static final Set<String> NO_SIGN = Set.of("cancelled", "rate-limited", "dropped");

  private final MeterRegistry registry;
  private final String source;
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();
  private final DurationHistogram durations = new DurationHistogram();
  private final Meter connections;
  private @Nullable Meter certificate;
  private volatile boolean closed;
  private volatile boolean failing;

  UpstreamMeters(MeterRegistry registry, String source, IntSupplier connections) {
    this.registry = registry;
    this.source = source;
    this.connections =
        Gauge.builder("gatebook.upstream.connections", connections, IntSupplier::getAsInt)
            .description("Connections to a source that are open or being opened")
            .tag("source", source)
            .strongReference(true)
            .register(registry);
  }

  /** Registers when the certificate that the source is shown expires. */
  void registerCertificate(Supplier<Optional<Instant>> expires) {
    certificate = CertificateMeter.register(registry, "source " + source, expires);
  }

  Sample start() {
    return new Sample(Timer.start(registry));
  }

  /** The measurement of one attempt. */
  final class Sample {
    private final Timer.Sample started;

    private Sample(Timer.Sample started) {
      this.started = started;
    }

    /** Records a response and returns it. */
    Response record(Response response) {
      stop(outcome(response));
      return response;
    }

    /** Records an attempt at an agent; the failure is absent after a success. */
    void record(@Nullable AgentFailure failure) {
      stop(outcome(failure));
    }

    /** Records an opening that failed. The calls of a session that opened are attempts. */
    CompletableFuture<Opening> recordFailed(CompletableFuture<Opening> opening) {
      return opening.whenComplete((opened, failure) -> {
        if (failure != null) {
          recordFailure(failure);
        } else if (opened instanceof Opening.Failed(var response)) {
          Response _ = record(response);
        }
      });
    }

    /** Records a notification that was not accepted. One that no caller sent is no attempt. */
    void recordUnaccepted(CompletableFuture<Response> answer) {
      CompletableFuture<Response> _ =
          answer.whenComplete((response, failure) -> {
            if (failure != null) {
              recordFailure(failure);
            } else if (!(response instanceof Ended.Accepted)) {
              Response _ = record(response);
            }
          });
    }

    void recordFailure(Throwable failure) {
      stop(outcome(failure));
    }

    private void stop(String outcome) {
      if (!closed) {
        durations.add(started.stop(timers.computeIfAbsent(outcome, UpstreamMeters.this::timer)));
        if (!NO_SIGN.contains(outcome)) {
          failing = !outcome.equals("error") && !NOT_FAILED.contains(outcome);
        }
      }
    }
  }

  AttemptFigures figures() {
    long attempts = 0;
    long failed = 0;
    for (Map.Entry<String, Timer> timer : timers.entrySet()) {
      attempts += timer.getValue().count();
      failed += NOT_FAILED.contains(timer.getKey()) ? 0 : timer.getValue().count();
    }
    return new AttemptFigures(
        attempts, failed, failing, durations.percentile(0.5), durations.percentile(0.99));
  }

  /** Removes the meters; a new definition of the source registers meters of the same names. */
  @Override
  public void close() {
    closed = true;
    List.copyOf(timers.values()).forEach(registry::remove);
    registry.remove(connections);
    if (certificate != null) {
      registry.remove(certificate);
    }
  }

  private Timer timer(String outcome) {
    return Timer.builder("gatebook.upstream")
        .description("Duration of attempts to call a source, by outcome")
        .tag("source", source)
        .tag("outcome", outcome)
        .register(registry);
  }

  private static String outcome(Throwable failure) {
    return failure instanceof CancellationException ? "cancelled" : "failed";
  }

  private static String outcome(@Nullable AgentFailure failure) {
    return switch (failure) {
      case null -> "result";
      case AgentFailure.ConnectionRefused _ -> "not-connected";
      case AgentFailure.Timeout _ -> "timeout";
      case AgentFailure.HttpError(int status, _) when status == TOO_MANY_REQUESTS -> "rate-limited";
      case AgentFailure.HttpError(int status, _) when status == SERVICE_UNAVAILABLE ->
          "unavailable";
      case AgentFailure.HttpError _, AgentFailure.InvalidResponse _ -> "no-answer";
      case AgentFailure.ServerError _, AgentFailure.TaskNotFound _ -> "error";
      case AgentFailure.AnswerDropped _ -> "dropped";
      case AgentFailure.InternalError _ -> "failed";
    };
  }

  private static String outcome(Response response) {
    return switch (response) {
      case Response.NotConnected _ -> "not-connected";
      case Response.Resend _ -> "result";
      case Ended.Result(_, boolean toolError, _) -> toolError ? "tool-error" : "result";
      case Ended.Streamed(_, _, boolean toolError, _) -> toolError ? "tool-error" : "result";
      case Ended.ForeignError _ -> "error";
      case Ended.Accepted _ -> "accepted";
      case Ended.Failure(UpstreamTimeout _) -> "timeout";
      case Ended.Failure(RateLimited _) -> "rate-limited";
      case Ended.Failure(ServiceUnavailable(var cause, _)) ->
          cause == Cause.ANSWER_DROPPED ? "dropped" : "unavailable";
      case Ended.Failure _, Ended.EarlierError _ -> "no-answer";
    };
  }
}
