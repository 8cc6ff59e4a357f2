package gatebook.api.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** A controller without a port. */
@Controller("/test-nowhere")
final class NowhereTestController {

  @Get
  String answer() {
    return "for nobody";
  }
}
