package gatebook.api.callers;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.RequestBody;
import gatebook.api.witness.WitnessRole;
import gatebook.command.rules.Limit;
import gatebook.events.fault.Malformed;
import gatebook.events.journal.witness.WitnessAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of a witness by the C2SP protocol tlog-witness. No token is needed: the signature of a
 * log is what lets it ask. What is not in the rules is not found.
 */
@Singleton
final class WitnessPaths {
  static final String ADD = "/witness/add-checkpoint";

  /** The path of a log's newest cosigned checkpoint, by the hash of its origin. */
  static final String NEWEST = "/witness/[0-9a-f]{64}/checkpoint";

  /** Where the hash is in that path. */
  private static final int HASH_SEGMENT = 2;

  private static final Logger LOG = LoggerFactory.getLogger(WitnessPaths.class);
  private static final MediaType TEXT = new MediaType("text/plain; charset=utf-8");
  private static final MediaType SIZE = new MediaType("text/x.tlog.size");

  private static final List<HttpStatus> STATUSES =
      List.of(
          HttpStatus.OK,
          HttpStatus.BAD_REQUEST,
          HttpStatus.FORBIDDEN,
          HttpStatus.NOT_FOUND,
          HttpStatus.CONFLICT,
          HttpStatus.REQUEST_ENTITY_TOO_LARGE,
          HttpStatus.UNPROCESSABLE_ENTITY,
          HttpStatus.SERVICE_UNAVAILABLE);

  private final WitnessRole witness;
  private final CurrentLimits limits;
  private final HttpErrors errors;
  private final PrometheusMeterRegistry meters;

  WitnessPaths(
      WitnessRole witness,
      CurrentLimits limits,
      HttpErrors errors,
      PrometheusMeterRegistry meters) {
    this.witness = witness;
    this.limits = limits;
    this.errors = errors;
    this.meters = meters;
    STATUSES.forEach(status -> {
      var _ = counter(status);
    });
  }

  /** Cosigns a checkpoint. */
  CompletableFuture<HttpResponse<?>> add(HttpRequest<?> request) {
    return witness.isInForce()
        ? RequestBody.ofAnyType(request, limits.now().get(Limit.WITNESS_BODY_BYTES_MAX))
            .thenCompose(requestBody -> add(request, requestBody))
            .thenApply(this::counted)
        : CompletableFuture.completedFuture(errors.response(request, HttpError.NOT_FOUND));
  }

  private CompletableFuture<HttpResponse<?>> add(HttpRequest<?> request, RequestBody requestBody) {
    if (requestBody.isOverload()) {
      return CompletableFuture.completedFuture(errors.response(request, HttpError.OVERLOADED));
    }
    return switch (requestBody.fault()) {
      case null -> blocking(request, () -> response(witness.add(requestBody.bytes())));
      case Malformed.Oversize oversize ->
          CompletableFuture.completedFuture(
              text(
                  HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                  "the body is larger than " + oversize.limitBytes() + " bytes\n"));
      case Malformed _ ->
          CompletableFuture.completedFuture(
              text(HttpStatus.BAD_REQUEST, "the body cannot be read\n"));
    };
  }

  /** The newest checkpoint of a log, with the signatures of the log and of this witness. */
  CompletableFuture<HttpResponse<?>> newest(HttpRequest<?> request) {
    String log = request.getPath().split("/", -1)[HASH_SEGMENT];
    return blocking(
        request,
        () ->
            witness
                .newest(log)
                .<HttpResponse<?>>map(note -> text(HttpStatus.OK, note))
                .orElseGet(() -> errors.response(request, HttpError.NOT_FOUND)));
  }

  /** Makes a response with what is stored. */
  @FunctionalInterface
  private interface Answer {
    HttpResponse<?> response() throws IOException;
  }

  /** The disk or the database is waited for on another thread than that of the connection. */
  private CompletableFuture<HttpResponse<?>> blocking(HttpRequest<?> request, Answer answer) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return answer.response();
          } catch (IOException e) {
            LOG.atError()
                .setCause(e)
                .log("the checkpoints of the witness cannot be read or stored");
            return errors.response(request, HttpError.NOT_RECORDED);
          }
        },
        task -> Thread.ofVirtual().name("witness").start(task));
  }

  private static HttpResponse<?> response(WitnessAnswer answer) {
    return switch (answer) {
      case WitnessAnswer.Cosigned(String lines) -> text(HttpStatus.OK, lines);
      case WitnessAnswer.OtherSize(long size) ->
          text(HttpStatus.CONFLICT, size + "\n").toMutableResponse().contentType(SIZE);
      case WitnessAnswer.Malformed(String why) -> text(HttpStatus.BAD_REQUEST, why + "\n");
      case WitnessAnswer.UnknownLog() ->
          text(HttpStatus.NOT_FOUND, "this witness does not know the log\n");
      case WitnessAnswer.Untrusted() ->
          text(HttpStatus.FORBIDDEN, "no known key of the log signed the checkpoint\n");
      case WitnessAnswer.Inconsistent(String origin, long size, String why) -> {
        LOG.atWarn()
            .addKeyValue("log", origin)
            .addKeyValue("size", size)
            .addKeyValue("reason", why)
            .log("a checkpoint is not cosigned: the log may have forked");
        yield text(HttpStatus.UNPROCESSABLE_ENTITY, why + "\n");
      }
    };
  }

  private static HttpResponse<?> text(HttpStatus status, String text) {
    return HttpResponse.status(status).contentType(TEXT).body(text.getBytes(UTF_8));
  }

  private HttpResponse<?> counted(HttpResponse<?> response) {
    counter(response.status()).increment();
    return response;
  }

  /** Looked up each time: requests are few. */
  private Counter counter(HttpStatus status) {
    return Counter.builder("gatebook.witness.requests")
        .description("requests to cosign a checkpoint of another log")
        .tags("status", Integer.toString(status.getCode()))
        .register(meters);
  }
}
