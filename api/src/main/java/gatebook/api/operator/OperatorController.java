package gatebook.api.operator;

import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.CorrelationIds;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.OnPort;
import gatebook.api.http.Port;
import gatebook.api.http.RequestBody;
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

/**
 * The HTTP endpoint {@code POST /operator}. Without an operator's token it answers 401 and nothing
 * else.
 */
@OnPort(Port.ADMIN)
@Controller
final class OperatorController {
  private final OperatorRpc operatorRpc;
  private final HttpErrors errors;
  private final Executor blockingExecutor;

  OperatorController(
      OperatorRpc operatorRpc,
      HttpErrors errors,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.operatorRpc = operatorRpc;
    this.errors = errors;
    this.blockingExecutor = mayBlock;
  }

  @Post("/operator")
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> handle(HttpRequest<?> request) {
    Optional<Operator> operator =
        BearerToken.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION))
            .flatMap(operatorRpc::operatorOf);
    return operator.isEmpty()
        ? CompletableFuture.completedFuture(unauthorized(errors, request))
        : RequestBody.of(request, OperatorRpc.BODY_BYTES_MAX)
            .thenApplyAsync(
                requestBody -> response(requestBody, operator.get(), correlationId(request)),
                blockingExecutor);
  }

  private HttpResponse<?> response(
      RequestBody requestBody, Operator operator, String correlationId) {
    return operatorRpc
        .answer(requestBody, operator, correlationId)
        .<MutableHttpResponse<?>>map(
            body -> HttpResponse.ok(body).contentType(MediaType.APPLICATION_JSON_TYPE))
        .orElseGet(HttpResponse::accepted)
        .header(HttpErrors.CORRELATION, correlationId);
  }

  private static String correlationId(HttpRequest<?> request) {
    return CorrelationIds.of(request.getHeaders().get(HttpErrors.CORRELATION))
        .orElseGet(() -> UUID.randomUUID().toString());
  }

  /** The response to a request without an operator's token. */
  static HttpResponse<?> unauthorized(HttpErrors errors, HttpRequest<?> request) {
    return errors
        .response(request, HttpError.OPERATOR_UNKNOWN)
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
  }
}
