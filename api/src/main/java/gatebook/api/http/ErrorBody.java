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
record ErrorBody(String error) {

  static HttpResponse<ErrorBody> response(HttpStatus status, String sentence) {
    return HttpResponse.<ErrorBody>status(status).body(new ErrorBody(sentence));
  }

  /** Takes the place of the server's own bodies, which repeat the path and the exception. */
  @Singleton
  static final class InPlaceOfTheServers implements ErrorResponseProcessor<ErrorBody> {
    @Override
    public MutableHttpResponse<ErrorBody> processResponse(
        ErrorContext context, MutableHttpResponse<?> response) {
      return response.body(new ErrorBody(response.status().getReason().toLowerCase(Locale.ROOT)));
    }
  }
}
