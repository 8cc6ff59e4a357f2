package gatebook.api.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** A path for callers, one of which fails with words that must not leave the house. */
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
