package gatebook.api.operator;

import gatebook.api.gateway.message.CorrelationIds;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.RequestBody;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.operator.rpc.Operator;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * The HTTP endpoint {@code POST /operator}. {@link OperatorAuthFilter} says whose request it is.
 */
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
    Operator operator = OperatorAuthFilter.operatorOf(request);
    return RequestBody.of(request, OperatorRpc.BODY_BYTES_MAX)
        .thenCompose(requestBody ->
            requestBody.isOverload()
                ? CompletableFuture.completedFuture(errors.response(request, HttpError.OVERLOADED))
                : answer(requestBody, operator, correlationId(request)));
  }

  /** Holds the memory of the message until it is answered, also when its sender is gone. */
  private CompletableFuture<HttpResponse<?>> answer(
      RequestBody requestBody, Operator operator, String correlationId) {
    MemoryReservation memory = requestBody.memory().hold();
    return CompletableFuture.<HttpResponse<?>>supplyAsync(
            () -> response(requestBody, operator, correlationId), blockingExecutor)
        .whenComplete((_, _) -> memory.release());
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
}
