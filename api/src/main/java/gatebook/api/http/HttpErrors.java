package gatebook.api.http;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.CorrelationIds;
import gatebook.api.rpc.ResponseWriter;
import gatebook.events.call.JsonValue;
import gatebook.events.call.TextPrefix;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Answers what is no answer to a message: every error of HTTP itself, in one sentence, never with
 * the path, the exception or anything else of ours. Callers get it as an error of JSON-RPC. Each is
 * counted and logged, and has an id by which its line is found.
 *
 * <p>Takes the place of the server's own bodies, which repeat the path and the exception.
 */
@Singleton
public final class HttpErrors implements ErrorResponseProcessor<byte[]> {

  /** The header that carries the correlation id, both ways. */
  public static final String CORRELATION = "X-Correlation-Id";

  private static final Logger LOG = LoggerFactory.getLogger(HttpErrors.class);
  private static final int TEXT_CHARS_MAX = 256;

  private static final int INVALID_REQUEST = -32_600;
  private static final int INTERNAL_ERROR = -32_603;
  private static final int SERVICE_UNAVAILABLE = -32_013;

  private final OpenPorts doors;
  private final PrometheusMeterRegistry meters;

  HttpErrors(OpenPorts doors, PrometheusMeterRegistry meters) {
    this.doors = doors;
    this.meters = meters;
  }

  /** The answer to a request that is not served for this reason. */
  public MutableHttpResponse<byte[]> response(HttpRequest<?> request, HttpError error) {
    HttpStatus status = error.status(HttpStatus.BAD_REQUEST);
    return written(request, error, error.sentence(status), HttpResponse.status(status));
  }

  /** The same for a reason that has more to say. */
  public MutableHttpResponse<byte[]> response(
      HttpRequest<?> request, HttpError error, HttpStatus status, String sentence) {
    return written(request, error, sentence, HttpResponse.status(status));
  }

  @Override
  public MutableHttpResponse<byte[]> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    HttpError error = HttpError.of(response.status());
    HttpStatus status = error.status(response.status());
    return written(context.getRequest(), error, error.sentence(status), response.status(status));
  }

  private MutableHttpResponse<byte[]> written(
      HttpRequest<?> request, HttpError error, String sentence, MutableHttpResponse<?> response) {
    HttpStatus status = response.status();
    boolean isCaller = doors.isAt(request, Port.CALLERS);
    String door = isCaller ? "callers" : "admin";
    String correlationId =
        CorrelationIds.of(request.getHeaders().get(CORRELATION))
            .orElseGet(() -> UUID.randomUUID().toString());
    count(door, error, status);
    log(request, door, error, status, correlationId);
    return response
        .header(CORRELATION, correlationId)
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(
            isCaller
                ? rpc(error, sentence, correlationId)
                : "{\"error\":%s,\"correlation_id\":%s}"
                    .formatted(quoted(sentence), quoted(correlationId))
                    .getBytes(UTF_8));
  }

  /** Looked up each time: errors are few. */
  private void count(String door, HttpError error, HttpStatus status) {
    Counter.builder("gatebook.http.errors")
        .description("requests that HTTP itself kept from being served")
        .tags("door", door, "status", Integer.toString(status.getCode()), "reason", error.word())
        .register(meters)
        .increment();
  }

  private static void log(
      HttpRequest<?> request, String door, HttpError error, HttpStatus status, String correlation) {
    var line =
        LOG.atLevel(error == HttpError.INTERNAL_ERROR ? Level.ERROR : Level.WARN)
            .addKeyValue("correlation_id", correlation)
            .addKeyValue("door", door)
            .addKeyValue("status", status.getCode())
            .addKeyValue("reason", error.word())
            .addKeyValue("http_method", kept(request.getMethodName()))
            .addKeyValue("path", kept(request.getPath()));
    HttpHeaders headers = request.getHeaders();
    line =
        switch (error) {
          case FOREIGN_HOST -> line.addKeyValue("host", kept(headers, HttpHeaders.HOST));
          case FOREIGN_ORIGIN -> line.addKeyValue("origin", kept(headers, HttpHeaders.ORIGIN));
          default -> line;
        };
    line.log("HTTP request refused");
  }

  private static String kept(HttpHeaders headers, String name) {
    return kept(String.join(", ", headers.getAll(name)));
  }

  private static String kept(String text) {
    return TextPrefix.of(text, TEXT_CHARS_MAX);
  }

  private static byte[] rpc(HttpError error, String sentence, String correlationId) {
    return switch (error) {
      case INTERNAL_ERROR ->
          ResponseWriter.error(
              null,
              INTERNAL_ERROR,
              "Internal error",
              JsonValue.parse("{\"correlation_id\":%s}".formatted(quoted(correlationId))));
      case NOT_RECORDED ->
          ResponseWriter.error(
              null,
              SERVICE_UNAVAILABLE,
              "Service unavailable",
              data(error, sentence, correlationId));
      default ->
          ResponseWriter.error(
              null, INVALID_REQUEST, "Invalid Request", data(error, sentence, correlationId));
    };
  }

  private static JsonValue data(HttpError error, String sentence, String correlationId) {
    return JsonValue.parse(
        "{\"correlation_id\":%s,\"details\":%s,\"reason\":%s}"
            .formatted(quoted(correlationId), quoted(sentence), quoted(error.word())));
  }
}
