package gatebook.api.callers;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.read.FlowMethod;
import gatebook.api.gateway.Gateway;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.OnPort;
import gatebook.api.http.Port;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** Controller of the list of flow methods, which existing clients read. */
@OnPort(Port.CALLERS)
@Controller
final class FlowMethodsController {
  private static final byte[] METHODS = FlowMethod.list().getBytes(UTF_8);

  private final Gateway gateway;
  private final HttpErrors errors;

  FlowMethodsController(Gateway gateway, HttpErrors errors) {
    this.gateway = gateway;
    this.errors = errors;
  }

  @Get("/flow/tasks/methods")
  HttpResponse<?> methods(HttpRequest<?> request) {
    return gateway.principal(CallersHandler.caller(request)).isPresent()
        ? HttpResponse.ok(METHODS).contentType(MediaType.APPLICATION_JSON_TYPE)
        : errors
            .response(request, HttpError.TOKEN_UNKNOWN)
            .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
  }
}
