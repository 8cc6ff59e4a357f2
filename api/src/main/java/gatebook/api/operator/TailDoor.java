package gatebook.api.operator;

import gatebook.api.border.Bearer;
import gatebook.api.http.At;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Door;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.HttpPresence;
import gatebook.api.http.Lasting;
import gatebook.command.rules.Limits;
import io.micronaut.http.HttpHeaders;
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

/** {@code GET /operator/tail}: events as they are recorded, until the reader goes. */
@At(Door.ADMIN)
@Controller
final class TailDoor implements Lasting {
  private final Desk desk;
  private final HttpErrors errors;
  private final CurrentLimits limits;
  private final Executor mayBlock;

  TailDoor(
      Desk desk,
      HttpErrors errors,
      @Nullable CurrentLimits limits,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.desk = desk;
    this.errors = errors;
    this.limits = limits == null ? () -> Limits.DEFAULT : limits;
    this.mayBlock = mayBlock;
  }

  @Get("/operator/tail")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> follow(HttpRequest<?> request) {
    Optional<Operator> asker =
        Bearer.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION)).flatMap(desk::knownBy);
    return asker.isEmpty()
        ? CompletableFuture.completedFuture(OperatorDoor.closed(errors, request))
        : CompletableFuture.supplyAsync(() -> answer(request, asker.get()), mayBlock);
  }

  private HttpResponse<?> answer(HttpRequest<?> request, Operator operator) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    request.getParameters().forEach(query::put);
    Tails.Asker asker =
        new Tails.Asker(
            operator, limits.now(), HttpPresence.of(request), () -> HttpPresence.hangUp(request));
    Optional<String> lastSeen = Optional.ofNullable(request.getHeaders().get("Last-Event-ID"));
    return switch (desk.tails().answer(query, lastSeen, asker)) {
      case Admission.Following(var events) ->
          HttpResponse.ok(events)
              .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
              .header("Cache-Control", "no-store")
              .header("X-Accel-Buffering", "no");
      case Admission.Refused(var why, var sentence) ->
          errors.response(request, HttpError.TAIL_REFUSED, status(why), sentence);
    };
  }

  private static HttpStatus status(Admission.Why why) {
    return switch (why) {
      case WRONG -> HttpStatus.BAD_REQUEST;
      case FORBIDDEN -> HttpStatus.FORBIDDEN;
      case NOT_NOW -> HttpStatus.SERVICE_UNAVAILABLE;
    };
  }

  @Override
  public void end() {
    desk.tails().stop();
  }
}
