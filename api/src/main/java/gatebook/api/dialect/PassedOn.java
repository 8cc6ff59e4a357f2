package gatebook.api.dialect;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import gatebook.api.rpc.Strings;
import gatebook.api.upstream.Revisions;
import gatebook.command.Tongue;
import gatebook.events.call.Json;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An upstream's own error, told as it is: its code, its message and the structure of its data, each
 * text cut. Where data is absent or an object it gets our correlation id, in place of one of
 * theirs; data of any other type is left as it is.
 */
final class PassedOn {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final String CORRELATION_ID = "correlation_id";

  private PassedOn() {}

  /** What is told of such an error; of every other fault, nothing. */
  static Optional<Told> told(Fault fault, Tongue tongue, String correlationId, Texts texts) {
    if (fault instanceof UpstreamError error && Boolean.TRUE.equals(error.passed())) {
      return Optional.ofNullable(error.code())
          .map(code ->
              new Told(
                  tongue.dialect(),
                  code,
                  texts.tellable(error.message()),
                  data(error.data(), correlationId, texts),
                  status(error, tongue)));
    }
    return Optional.empty();
  }

  /** Only the stateless revisions say something by it. */
  private static int status(UpstreamError error, Tongue tongue) {
    Integer theirs = error.httpStatus();
    return theirs != null
            && Revisions.isStateless(tongue.version())
            && (theirs == BAD_REQUEST || theirs == NOT_FOUND)
        ? theirs
        : OK;
  }

  private static Json data(@Nullable Json theirs, String correlationId, Texts texts) {
    if (theirs == null) {
      return Json.parse("{\"correlation_id\":" + quoted(correlationId) + "}");
    }
    Json cut = Strings.changed(theirs, texts::tellable);
    return cut.toString().startsWith("{") ? with(correlationId, cut) : cut;
  }

  private static Json with(String correlationId, Json object) {
    StringBuilder members = new StringBuilder("{\"correlation_id\":").append(quoted(correlationId));
    Members.of(object.toString())
        .forEach((name, json) -> {
          if (!name.equals(CORRELATION_ID)) {
            members.append(',').append(quoted(name)).append(':').append(json);
          }
        });
    return Json.parse(members.append('}').toString());
  }
}
