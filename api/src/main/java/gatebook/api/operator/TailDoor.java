package gatebook.api.operator;

import gatebook.api.border.Bearer;
import gatebook.api.http.At;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Door;
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
  private final CurrentLimits limits;
  private final Executor mayBlock;

  TailDoor(
      Desk desk,
      @Nullable CurrentLimits limits,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.desk = desk;
    this.limits = limits == null ? () -> Limits.DEFAULT : limits;
    this.mayBlock = mayBlock;
  }

  @Get("/operator/tail")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> follow(HttpRequest<?> request) {
    Optional<Operator> asker =
        Bearer.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION)).flatMap(desk::knownBy);
    return asker.isEmpty()
        ? CompletableFuture.completedFuture(OperatorDoor.closed())
        : CompletableFuture.supplyAsync(() -> answer(request, asker.get()), mayBlock);
  }

  private HttpResponse<?> answer(HttpRequest<?> request, Operator operator) {
    return switch (desk.tails().read(request.getParameters(), request.getHeaders())) {
      case TailFilter.Reading.Wrong(var sentence) ->
          Tails.refused(HttpStatus.BAD_REQUEST, sentence);
      case TailFilter.Reading.Read(var filter) ->
          desk.tails()
              .answer(
                  filter,
                  new Tails.Asker(
                      operator,
                      limits.now(),
                      HttpPresence.of(request),
                      () -> HttpPresence.hangUp(request)));
    };
  }

  @Override
  public void end() {
    desk.tails().stop();
  }
}
