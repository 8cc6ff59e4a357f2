package gatebook.api.dialect;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.TextRewrite;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.call.DialectVersion;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An upstream's own error, passed on: its code, its message and the structure of its data, with
 * each text cut. Members that would look like the gateway's own, and data that has no room for the
 * correlation id, are moved to {@code data.upstream}.
 */
final class PassedOnError {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** Members of data that only the gateway writes. */
  private static final Set<String> RESERVED =
      Set.of("correlation_id", "gate", ErrorVocabulary.UPSTREAM);

  private PassedOnError() {}

  /** The error response for such an error; empty for every other fault. */
  static Optional<ErrorResponse> response(
      Fault fault, DialectVersion dialectVersion, String correlationId, PublicText publicText) {
    if (fault instanceof UpstreamError error && Boolean.TRUE.equals(error.passed())) {
      return Optional.ofNullable(error.code())
          .map(code ->
              new ErrorResponse(
                  dialectVersion.dialect(),
                  code,
                  publicText.clean(error.message()),
                  data(error.data(), correlationId, publicText),
                  status(error, dialectVersion)));
    }
    return Optional.empty();
  }

  /** The upstream's HTTP status counts only in stateless revisions. */
  private static int status(UpstreamError error, DialectVersion dialectVersion) {
    Integer status = error.httpStatus();
    return status != null
            && McpRevisions.isStateless(dialectVersion.version())
            && (status == BAD_REQUEST || status == NOT_FOUND)
        ? status
        : OK;
  }

  private static JsonValue data(
      @Nullable JsonValue upstreamData, String correlationId, PublicText publicText) {
    String cut =
        upstreamData == null
            ? "{}"
            : TextRewrite.changed(upstreamData, publicText::clean).toString();
    StringBuilder members = new StringBuilder("{\"correlation_id\":").append(quoted(correlationId));
    if (!cut.startsWith("{")) {
      return JsonValue.parse(members.append(upstream(cut)).append('}').toString());
    }
    StringJoiner moved = new StringJoiner(",", "{", "}");
    ObjectMembers.of(cut)
        .forEach((name, json) -> {
          String member = quoted(name) + ":" + json;
          if (RESERVED.contains(name)) {
            moved.add(member);
          } else {
            members.append(',').append(member);
          }
        });
    return JsonValue.parse(members.append(upstream(moved.toString())).append('}').toString());
  }

  private static String upstream(String json) {
    return ",\"%s\":%s".formatted(ErrorVocabulary.UPSTREAM, json);
  }
}
