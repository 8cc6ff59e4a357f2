package gatebook.api.http;

import io.micronaut.http.HttpStatus;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The errors for which HTTP itself refuses a request: a closed list. */
public enum HttpError {
  BAD_REQUEST(HttpStatus.BAD_REQUEST, "the request line or a header cannot be read"),
  TOKEN_UNKNOWN(HttpStatus.UNAUTHORIZED, "a known bearer token is needed"),
  OPERATOR_UNKNOWN(HttpStatus.UNAUTHORIZED, "unauthorized"),
  SIGN_IN_REFUSED(HttpStatus.UNAUTHORIZED, "this belongs to no operator"),
  SIGN_IN_THROTTLED(
      HttpStatus.TOO_MANY_REQUESTS,
      "this belongs to no operator, as too many before: refusals are only counted now"),
  CONSOLE_HEADER_MISSING(
      HttpStatus.FORBIDDEN,
      "a request of the console has the header " + ConsoleHeader.NAME + ": " + ConsoleHeader.VALUE),
  ORIGIN_MISSING(HttpStatus.FORBIDDEN, "a request by cookie has the header Origin"),
  TAIL_REFUSED(null, null),
  CLIENT_CERTIFICATE_MISSING(
      HttpStatus.FORBIDDEN, "a certificate that this server trusts is needed here"),
  FOREIGN_HOST(HttpStatus.FORBIDDEN, "the Host header must name this server and its port"),
  FOREIGN_ORIGIN(HttpStatus.FORBIDDEN, "requests of other origins are refused"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "not found"),
  UNKNOWN_SESSION(HttpStatus.NOT_FOUND, "the session has ended: initialize again"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "method not allowed"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "this answers with a stream of events: accept that"),
  HEADER_TOO_LARGE(
      HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the header section is too large: send less"),
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "internal server error"),
  NOT_RECORDED(HttpStatus.SERVICE_UNAVAILABLE, "this answer could not be recorded: ask again"),
  SIGN_ON_KEYS(
      HttpStatus.SERVICE_UNAVAILABLE, "this token cannot be verified now: try again later"),
  OVERLOADED(
      HttpStatus.SERVICE_UNAVAILABLE,
      "overloaded: nothing was forwarded, retry later or send less at once"),
  AGENT_UNREACHABLE(null, null),
  OTHER(null, null);

  private final @Nullable HttpStatus status;
  private final @Nullable String sentence;

  HttpError(@Nullable HttpStatus status, @Nullable String sentence) {
    this.status = status;
    this.sentence = sentence;
  }

  /** The error for a status of the HTTP server; sizes of bodies are not limited by the server. */
  static HttpError of(HttpStatus status) {
    return switch (status) {
      case BAD_REQUEST -> BAD_REQUEST;
      case NOT_FOUND -> NOT_FOUND;
      case METHOD_NOT_ALLOWED -> METHOD_NOT_ALLOWED;
      case REQUEST_ENTITY_TOO_LARGE, REQUEST_HEADER_FIELDS_TOO_LARGE -> HEADER_TOO_LARGE;
      case INTERNAL_SERVER_ERROR -> INTERNAL_ERROR;
      default -> OTHER;
    };
  }

  /** The name in metrics, logs and responses; it never changes. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The statuses with which it is returned; for the others, those that are known. */
  List<HttpStatus> statuses() {
    return switch (this) {
      case TAIL_REFUSED ->
          List.of(HttpStatus.BAD_REQUEST, HttpStatus.FORBIDDEN, HttpStatus.SERVICE_UNAVAILABLE);
      case AGENT_UNREACHABLE ->
          List.of(
              HttpStatus.BAD_GATEWAY, HttpStatus.SERVICE_UNAVAILABLE, HttpStatus.GATEWAY_TIMEOUT);
      case OTHER -> List.of(HttpStatus.NOT_ACCEPTABLE, HttpStatus.UNSUPPORTED_MEDIA_TYPE);
      default -> List.of(Objects.requireNonNull(status));
    };
  }

  HttpStatus status(HttpStatus otherwise) {
    return status == null ? otherwise : status;
  }

  String sentence(HttpStatus otherwise) {
    return sentence == null ? otherwise.getReason().toLowerCase(Locale.ROOT) : sentence;
  }
}
