package gatebook.api.callers;

import gatebook.api.http.At;
import gatebook.api.http.Door;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import java.util.concurrent.CompletableFuture;

/** Where agents knock. */
@At(Door.CALLERS)
@Controller
final class A2aController {

  private final CallersDoor door;

  A2aController(CallersDoor door) {
    this.door = door;
  }

  @Post("/a2a")
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    return door.serve(Dialect.A2A, request, Declared.version(Dialect.A2A, request));
  }
}
