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

/** Where callers that speak the task-flow protocol knock. */
@At(Door.CALLERS)
@Controller
final class FlowController {

  private final CallersDoor door;

  FlowController(CallersDoor door) {
    this.door = door;
  }

  @Post("/flow")
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    return door.serve(Dialect.FLOW, request, null, Strictness::ofFlow);
  }
}
