package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.border.Bearer;
import gatebook.api.http.At;
import gatebook.api.http.Body;
import gatebook.api.http.Door;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/** {@code POST /operator}: closed, without a word, to whoever has no token of an operator. */
@At(Door.ADMIN)
@Controller
final class OperatorDoor {
  private static final byte[] UNAUTHORIZED = "{\"error\":\"unauthorized\"}".getBytes(UTF_8);

  private final Desk desk;
  private final Executor mayBlock;

  OperatorDoor(Desk desk, @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.desk = desk;
    this.mayBlock = mayBlock;
  }

  @Post("/operator")
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> ask(HttpRequest<?> request) {
    Optional<Operator> asker =
        Bearer.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION)).flatMap(desk::knownBy);
    return asker.isEmpty()
        ? CompletableFuture.completedFuture(closed())
        : Body.of(request, Desk.BODY_BYTES_MAX)
            .thenApplyAsync(body -> answered(body, asker.get()), mayBlock);
  }

  private HttpResponse<?> answered(Body body, Operator asker) {
    return desk.answer(body, asker)
        .<HttpResponse<?>>map(
            answer -> HttpResponse.ok(answer).contentType(MediaType.APPLICATION_JSON_TYPE))
        .orElseGet(HttpResponse::accepted);
  }

  /** The answer to whoever has no token. */
  static HttpResponse<?> closed() {
    return HttpResponse.unauthorized()
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(UNAUTHORIZED);
  }
}
