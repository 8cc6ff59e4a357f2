package gatebook.api.operator;

import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpCallerConnection;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.LongLived;
import gatebook.api.http.SsePublisher;
import gatebook.api.operator.OperatorAuthentication.Outcome.Authenticated;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.api.operator.tail.TailReaders;
import gatebook.command.rules.GatewayLimits;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint {@code GET /operator/tail}: streams events as they are recorded, until the
 * reader disconnects.
 */
@Controller
final class TailController implements LongLived {
  private final OperatorRpc operatorRpc;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final Executor blockingExecutor;

  TailController(
      OperatorRpc operatorRpc,
      HttpErrors errors,
      @Nullable CurrentLimits limits,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.operatorRpc = operatorRpc;
    this.errors = errors;
    this.limits = limits == null ? () -> GatewayLimits.DEFAULT : limits;
    this.blockingExecutor = mayBlock;
  }

  @Get("/operator/tail")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> follow(HttpRequest<?> request) {
    Authenticated authenticated = OperatorAuthFilter.authenticated(request);
    return CompletableFuture.supplyAsync(() -> answer(request, authenticated), blockingExecutor);
  }

  private HttpResponse<?> answer(HttpRequest<?> request, Authenticated authenticated) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    request.getParameters().forEach(query::put);
    TailReaders.TailConnection tailConnection =
        new TailReaders.TailConnection(
            authenticated.operator(),
            authenticated.isStillPermitted(),
            limits.now(),
            HttpCallerConnection.of(request));
    Optional<String> lastSeen = Optional.ofNullable(request.getHeaders().get("Last-Event-ID"));
    return switch (operatorRpc.tailReaders().follow(query, lastSeen, tailConnection)) {
      case TailAdmission.Following(var events) ->
          SsePublisher.response(events, MediaType.TEXT_EVENT_STREAM);
      case TailAdmission.Refused(var reason, var sentence) ->
          errors.response(request, HttpError.TAIL_REFUSED, status(reason), sentence);
    };
  }

  private static HttpStatus status(TailAdmission.Reason reason) {
    return switch (reason) {
      case INVALID_REQUEST -> HttpStatus.BAD_REQUEST;
      case FORBIDDEN -> HttpStatus.FORBIDDEN;
      case NOT_NOW -> HttpStatus.SERVICE_UNAVAILABLE;
    };
  }

  @Override
  public void endStreams() {
    operatorRpc.tailReaders().stop();
  }
}
