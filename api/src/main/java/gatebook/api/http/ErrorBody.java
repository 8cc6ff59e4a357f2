package gatebook.api.http;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.Locale;

/**
 * The body of every HTTP error that is not an answer to a call: one sentence, never the path, the
 * exception or anything else of ours.
 */
public record ErrorBody(String error) {

  public static HttpResponse<?> response(HttpStatus status, String sentence) {
    return HttpResponse.<ErrorBody>status(status).body(new ErrorBody(sentence));
  }

  /** Takes the place of the server's own bodies, which repeat the path and the exception. */
  @Singleton
  static final class InPlaceOfTheServers implements ErrorResponseProcessor<ErrorBody> {
    @Override
    public MutableHttpResponse<ErrorBody> processResponse(
        ErrorContext context, MutableHttpResponse<?> response) {
      return response.status() == HttpStatus.REQUEST_ENTITY_TOO_LARGE
          ? headerTooLarge(response)
          : response.body(new ErrorBody(response.status().getReason().toLowerCase(Locale.ROOT)));
    }

    /** It is the server that says so, when it stops reading headers; bodies are bounded by us. */
    private static MutableHttpResponse<ErrorBody> headerTooLarge(MutableHttpResponse<?> response) {
      return response
          .status(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
          .body(new ErrorBody("the header section is too large: send less"));
    }
  }
}
