package gatebook.api.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** Test paths for callers, one of which fails with words that no response may have. */
@OnPort(Port.CALLERS)
@Controller("/test-callers")
final class CallersTestController {

  @Get
  String answer() {
    return "for callers";
  }

  @Get("/failing")
  String fail() {
    throw new IllegalStateException("secret inner words");
  }
}
