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
 * An upstream's own error, told as it is: its code, its message and the structure of its data, each
 * text cut. What of its data cannot stay in its place, since it would speak for us or leave no room
 * for our correlation id, is told as {@code data.upstream}.
 */
final class PassedOnError {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** Members of data by which only we speak. */
  private static final Set<String> OURS =
      Set.of("correlation_id", "gate", ErrorVocabulary.UPSTREAM);

  private PassedOnError() {}

  /** What is told of such an error; of every other fault, nothing. */
  static Optional<ErrorResponse> told(
      Fault fault, DialectVersion dialectVersion, String correlationId, PublicText publicText) {
    if (fault instanceof UpstreamError error && Boolean.TRUE.equals(error.passed())) {
      return Optional.ofNullable(error.code())
          .map(code ->
              new ErrorResponse(
                  dialectVersion.dialect(),
                  code,
                  publicText.tellable(error.message()),
                  data(error.data(), correlationId, publicText),
                  status(error, dialectVersion)));
    }
    return Optional.empty();
  }

  /** Only the stateless revisions say something by it. */
  private static int status(UpstreamError error, DialectVersion dialectVersion) {
    Integer theirs = error.httpStatus();
    return theirs != null
            && McpRevisions.isStateless(dialectVersion.version())
            && (theirs == BAD_REQUEST || theirs == NOT_FOUND)
        ? theirs
        : OK;
  }

  private static JsonValue data(
      @Nullable JsonValue theirs, String correlationId, PublicText publicText) {
    String cut =
        theirs == null ? "{}" : TextRewrite.changed(theirs, publicText::tellable).toString();
    StringBuilder members = new StringBuilder("{\"correlation_id\":").append(quoted(correlationId));
    if (!cut.startsWith("{")) {
      return JsonValue.parse(members.append(upstream(cut)).append('}').toString());
    }
    StringJoiner moved = new StringJoiner(",", "{", "}");
    ObjectMembers.of(cut)
        .forEach((name, json) -> {
          String member = quoted(name) + ":" + json;
          if (OURS.contains(name)) {
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
