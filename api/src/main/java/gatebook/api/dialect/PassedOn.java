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
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An upstream's own error, told as it is: its code, its message and the structure of its data, each
 * text cut. What of its data cannot stay in its place, since it would speak for us or leave no room
 * for our correlation id, is told as {@code data.upstream}.
 */
final class PassedOn {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** Members of data by which only we speak. */
  private static final Set<String> OURS = Set.of("correlation_id", "gate", Vocabulary.UPSTREAM);

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
    String cut = theirs == null ? "{}" : Strings.changed(theirs, texts::tellable).toString();
    StringBuilder members = new StringBuilder("{\"correlation_id\":").append(quoted(correlationId));
    if (!cut.startsWith("{")) {
      return Json.parse(members.append(upstream(cut)).append('}').toString());
    }
    StringJoiner moved = new StringJoiner(",", "{", "}");
    Members.of(cut)
        .forEach((name, json) -> {
          String member = quoted(name) + ":" + json;
          if (OURS.contains(name)) {
            moved.add(member);
          } else {
            members.append(',').append(member);
          }
        });
    return Json.parse(members.append(upstream(moved.toString())).append('}').toString());
  }

  private static String upstream(String json) {
    return ",\"%s\":%s".formatted(Vocabulary.UPSTREAM, json);
  }
}
