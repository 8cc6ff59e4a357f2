package gatebook.api.operator;

import gatebook.api.border.Bearer;
import gatebook.api.border.CorrelationId;
import gatebook.api.http.At;
import gatebook.api.http.Body;
import gatebook.api.http.Door;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/** {@code POST /operator}: closed, without a word, to whoever has no token of an operator. */
@At(Door.ADMIN)
@Controller
final class OperatorDoor {
  private final Desk desk;
  private final HttpErrors errors;
  private final Executor mayBlock;

  OperatorDoor(
      Desk desk, HttpErrors errors, @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.desk = desk;
    this.errors = errors;
    this.mayBlock = mayBlock;
  }

  @Post("/operator")
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> ask(HttpRequest<?> request) {
    Optional<Operator> asker =
        Bearer.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION)).flatMap(desk::knownBy);
    return asker.isEmpty()
        ? CompletableFuture.completedFuture(closed(errors, request))
        : Body.of(request, Desk.BODY_BYTES_MAX)
            .thenApplyAsync(body -> answered(body, asker.get(), correlationId(request)), mayBlock);
  }

  private HttpResponse<?> answered(Body body, Operator asker, String correlationId) {
    return desk.answer(body, asker, correlationId)
        .<MutableHttpResponse<?>>map(
            answer -> HttpResponse.ok(answer).contentType(MediaType.APPLICATION_JSON_TYPE))
        .orElseGet(HttpResponse::accepted)
        .header(HttpErrors.CORRELATION, correlationId);
  }

  private static String correlationId(HttpRequest<?> request) {
    return CorrelationId.of(request.getHeaders().get(HttpErrors.CORRELATION))
        .orElseGet(() -> UUID.randomUUID().toString());
  }

  /** The answer to a request without a token of an operator. */
  static HttpResponse<?> closed(HttpErrors errors, HttpRequest<?> request) {
    return errors
        .response(request, HttpError.OPERATOR_UNKNOWN)
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
  }
}
