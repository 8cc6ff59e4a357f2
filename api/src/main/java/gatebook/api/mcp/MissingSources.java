package gatebook.api.mcp;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.command.rules.Source;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources that could not be asked for their part of one merged answer. The answer is marked as
 * partial, and says which parts are missing.
 */
final class MissingSources {

  private static final int METHOD_NOT_FOUND = -32_601;

  private static final List<String> PARTIAL = List.of("_meta", "gatebook/partial");

  private final List<MissingPart> parts = new ArrayList<>();

  /** Adds a source if it failed; one without the method is not missing. */
  void add(Source source, Ended answer) {
    if (isFailure(answer)) {
      parts.add(new MissingPart(source, answer));
    }
  }

  private static boolean isFailure(Ended answer) {
    return switch (answer) {
      case Ended.Result _, Ended.Streamed _, Ended.Accepted _ -> false;
      case Ended.ForeignError error -> isFailureCode(error.code());
      case Ended.Failure(MethodNotFound _) -> false;
      case Ended.Failure(UpstreamError error) -> isFailureCode(error.code());
      case Ended.Failure _, Ended.EarlierError _ -> true;
    };
  }

  private static boolean isFailureCode(@Nullable Integer code) {
    return code == null || code != METHOD_NOT_FOUND;
  }

  /** The answer of the other sources, marked when it is partial. */
  Ended answer(String json) {
    String marked = parts.isEmpty() ? json : MemberSplice.with(json, PARTIAL, "true");
    return new Ended.Result(marked, false, parts);
  }
}
