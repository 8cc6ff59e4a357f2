package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.At;
import gatebook.api.http.Door;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** {@code POST /operator}: closed, without a word, to whoever does not have the token. */
@At(Door.ADMIN)
@Controller
final class OperatorDoor {
  private static final String BEARER = "Bearer ";
  private static final byte[] NOTHING = {};
  private static final byte[] UNAUTHORIZED = "{\"error\":\"unauthorized\"}".getBytes(UTF_8);

  private final Desk desk;

  OperatorDoor(Desk desk) {
    this.desk = desk;
  }

  @Post("/operator")
  @Consumes(MediaType.ALL)
  @Produces(MediaType.APPLICATION_JSON)
  @ExecuteOn(TaskExecutors.BLOCKING)
  HttpResponse<byte[]> ask(HttpRequest<byte[]> request) throws InterruptedException {
    return isOpenTo(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION))
        ? desk.answer(request.getBody().orElse(NOTHING))
            .map(HttpResponse::ok)
            .orElseGet(HttpResponse::accepted)
        : HttpResponse.<byte[]>unauthorized()
            .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
            .body(UNAUTHORIZED);
  }

  private boolean isOpenTo(List<String> authorization) {
    return authorization.size() == 1
        && authorization.getFirst().regionMatches(true, 0, BEARER, 0, BEARER.length())
        && desk.opens(authorization.getFirst().substring(BEARER.length()).strip());
  }
}
