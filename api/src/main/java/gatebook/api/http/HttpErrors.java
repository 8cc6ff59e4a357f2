package gatebook.api.http;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.CorrelationIds;
import gatebook.api.rpc.MessageWriter;
import gatebook.command.redact.Scrubber;
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
import io.netty.handler.codec.http.HttpHeaderNames;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Builds the responses to errors of HTTP itself: one sentence, never the path, the exception or
 * other internals. Callers get it as an error of JSON-RPC. Each error is counted and logged, and
 * has an id by which its line is found.
 *
 * <p>Replaces the server's own bodies, which contain the path and the exception.
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

  private final OpenPorts openPorts;
  private final PrometheusMeterRegistry meters;

  HttpErrors(OpenPorts openPorts, PrometheusMeterRegistry meters) {
    this.openPorts = openPorts;
    this.meters = meters;
    // every counter starts at zero, so that a watcher sees also the first increment
    for (Port port : Port.values()) {
      for (HttpError error : HttpError.values()) {
        for (HttpStatus status : error.statuses()) {
          var _ = counter(port.word(), error, status);
        }
      }
    }
  }

  /** The response to a request that is refused with this error. */
  public MutableHttpResponse<byte[]> response(HttpRequest<?> request, HttpError error) {
    HttpStatus status = error.status(HttpStatus.BAD_REQUEST);
    return write(request, error, error.sentence(status), HttpResponse.status(status));
  }

  /** The response to a request with a method that its path does not have. */
  MutableHttpResponse<byte[]> notAllowed(HttpRequest<?> request, String allowed) {
    return response(
        request,
        HttpResponse.status(HttpStatus.METHOD_NOT_ALLOWED).header(HttpHeaderNames.ALLOW, allowed));
  }

  /** The response to a request for which HTTP itself has this status. */
  MutableHttpResponse<byte[]> response(HttpRequest<?> request, HttpStatus status) {
    return response(request, HttpResponse.status(status));
  }

  private MutableHttpResponse<byte[]> response(
      HttpRequest<?> request, MutableHttpResponse<?> response) {
    HttpError error = HttpError.of(response.status());
    HttpStatus status = error.status(response.status());
    return write(request, error, error.sentence(status), response.status(status));
  }

  /** Logs an unforeseen failure, and builds the response to the request that it ended. */
  public MutableHttpResponse<byte[]> unforeseen(HttpRequest<?> request, Throwable failure) {
    LOG.atError().setCause(failure).log("unforeseen failure while serving a request");
    return response(request, HttpError.INTERNAL_ERROR);
  }

  /** The same for an error with a status and a sentence of its own. */
  public MutableHttpResponse<byte[]> response(
      HttpRequest<?> request, HttpError error, HttpStatus status, String sentence) {
    return write(request, error, sentence, HttpResponse.status(status));
  }

  /** The same as an error response of the operators' methods, for the console. */
  public MutableHttpResponse<byte[]> operatorResponse(HttpRequest<?> request, HttpError error) {
    return operatorResponse(request, error, error.sentence(error.status(HttpStatus.BAD_REQUEST)));
  }

  /** The same with a sentence of its own. */
  public MutableHttpResponse<byte[]> operatorResponse(
      HttpRequest<?> request, HttpError error, String sentence) {
    HttpStatus status = error.status(HttpStatus.BAD_REQUEST);
    return write(
        request,
        error,
        HttpResponse.status(status),
        correlationId -> operatorError(status.getCode(), sentence, error, correlationId));
  }

  @Override
  public MutableHttpResponse<byte[]> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    return response(context.getRequest(), response);
  }

  private MutableHttpResponse<byte[]> write(
      HttpRequest<?> request, HttpError error, String sentence, MutableHttpResponse<?> response) {
    boolean isCaller = openPorts.isAt(request, Port.CALLERS);
    return write(
        request,
        error,
        response,
        correlationId ->
            isCaller || error == HttpError.OVERLOADED
                ? rpc(error, sentence, correlationId)
                : plain(sentence, correlationId));
  }

  /** Counts and logs the error. */
  private MutableHttpResponse<byte[]> write(
      HttpRequest<?> request,
      HttpError error,
      MutableHttpResponse<?> response,
      Function<String, byte[]> body) {
    HttpStatus status = response.status();
    String port = (openPorts.isAt(request, Port.CALLERS) ? Port.CALLERS : Port.ADMIN).word();
    String correlationId =
        CorrelationIds.of(request.getHeaders().get(CORRELATION))
            .orElseGet(() -> UUID.randomUUID().toString());
    counter(port, error, status).increment();
    log(request, port, error, status, correlationId);
    if (error == HttpError.OVERLOADED) {
      response.header(HttpHeaders.RETRY_AFTER, "1");
    }
    return response
        .header(CORRELATION, correlationId)
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(body.apply(correlationId));
  }

  private static byte[] plain(String sentence, String correlationId) {
    return "{\"error\":%s,\"correlation_id\":%s}"
        .formatted(quoted(sentence), quoted(correlationId))
        .getBytes(UTF_8);
  }

  private static byte[] operatorError(
      int code, String sentence, HttpError error, String correlationId) {
    return MessageWriter.error(
        null,
        code,
        sentence,
        JsonValue.parse(
            "{\"correlation_id\":%s,\"reason\":%s}"
                .formatted(quoted(correlationId), quoted(error.word()))));
  }

  /** Looked up each time: errors are few. */
  private Counter counter(String port, HttpError error, HttpStatus status) {
    return Counter.builder("gatebook.http.errors")
        .description("requests that HTTP itself kept from being served")
        .tags("door", port, "status", Integer.toString(status.getCode()), "reason", error.word())
        .register(meters);
  }

  private static void log(
      HttpRequest<?> request, String port, HttpError error, HttpStatus status, String correlation) {
    var line =
        LOG.atLevel(error == HttpError.INTERNAL_ERROR ? Level.ERROR : Level.WARN)
            .addKeyValue("correlation_id", correlation)
            .addKeyValue("door", port)
            .addKeyValue("status", status.getCode())
            .addKeyValue("reason", error.word())
            .addKeyValue("http_method", shortened(request.getMethodName()))
            .addKeyValue("path", shortened(request.getPath()));
    HttpHeaders headers = request.getHeaders();
    line =
        switch (error) {
          case FOREIGN_HOST -> line.addKeyValue("host", shortened(headers, HttpHeaders.HOST));
          case FOREIGN_ORIGIN -> line.addKeyValue("origin", shortened(headers, HttpHeaders.ORIGIN));
          default -> line;
        };
    line.log("HTTP request refused");
  }

  private static String shortened(HttpHeaders headers, String name) {
    return shortened(String.join(", ", headers.getAll(name)));
  }

  /** Scrubbed before it is cut: half a secret would not be recognised as one. */
  private static String shortened(String text) {
    return TextPrefix.of(Scrubber.NAMES.scrub(text), TEXT_CHARS_MAX);
  }

  private static byte[] rpc(HttpError error, String sentence, String correlationId) {
    return switch (error) {
      case INTERNAL_ERROR ->
          MessageWriter.error(
              null,
              INTERNAL_ERROR,
              "Internal error",
              JsonValue.parse("{\"correlation_id\":%s}".formatted(quoted(correlationId))));
      case NOT_RECORDED, OVERLOADED ->
          MessageWriter.error(
              null,
              SERVICE_UNAVAILABLE,
              "Service unavailable",
              data(error, sentence, correlationId));
      default ->
          MessageWriter.error(
              null, INVALID_REQUEST, "Invalid Request", data(error, sentence, correlationId));
    };
  }

  private static JsonValue data(HttpError error, String sentence, String correlationId) {
    return JsonValue.parse(
        "{\"correlation_id\":%s,\"details\":%s,\"reason\":%s}"
            .formatted(quoted(correlationId), quoted(sentence), quoted(error.word())));
  }
}
