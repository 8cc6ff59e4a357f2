package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import java.util.concurrent.CompletableFuture;

/** Test paths for callers, one of which fails with words that no response may have. */
@OnPort(Port.CALLERS)
@Controller("/test-callers")
final class CallersTestController {

  @Get
  String answer() {
    return "for callers";
  }

  /** Answers with what became of the body. */
  @Post("/body")
  @Consumes(MediaType.ALL)
  CompletableFuture<String> body(HttpRequest<?> request) {
    return RequestBody.of(request, 1 << 20)
        .thenApply(it -> "%s, overload %s".formatted(it.fault(), it.isOverload()));
  }

  @Get("/failing")
  String fail() {
    throw new IllegalStateException("secret inner words");
  }
}
