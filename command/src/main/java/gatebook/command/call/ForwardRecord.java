package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallForwarded;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is recorded of sending a call upstream. */
public final class ForwardRecord {

  private static final String BUILT_IN = "built-in";

  /** A program's name and arguments are nobody else's. */
  private static final String PROGRAM = "stdio";

  private ForwardRecord() {}

  public static CallForwarded first(UUID callId, Source source) {
    return again(callId, source, 1, null);
  }

  /** Of a call that goes to each source that answers for one of its targets. */
  public static List<CallForwarded> first(
      UUID callId, Source source, GateInput gateInput, Rules rules) {
    Stream<Source> others =
        gateInput.others().stream()
            .flatMap(it -> VisibilityGate.answering(it, gateInput.on().family(), rules).stream());
    return Stream.concat(Stream.of(source), others)
        .distinct()
        .map(it -> first(callId, it))
        .toList();
  }

  /** {@code afterFailure} is why the attempt before came to nothing. */
  public static CallForwarded again(
      UUID callId, Source source, int attempt, @Nullable String afterFailure) {
    return new CallForwarded(
        callId, attempt, source.id(), endpoint(source), source.answerMillis(), afterFailure);
  }

  /** Where a source is, without user, query and fragment, any of which may hold a secret. */
  public static String endpoint(Source source) {
    URI url = source.url();
    if (url == null) {
      return source.program() == null ? BUILT_IN : PROGRAM;
    }
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return url.getScheme() + "://" + url.getHost() + port + url.getRawPath();
  }
}
