package gatebook.api.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** Names no door. */
@Controller("/test-nowhere")
final class NowhereTestController {

  @Get
  String answer() {
    return "for nobody";
  }
}
