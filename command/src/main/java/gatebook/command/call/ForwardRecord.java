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

/** Creates the record of forwarding a call upstream. */
public final class ForwardRecord {

  private static final String BUILT_IN = "built-in";

  /** A program's name and arguments are not recorded: they may be confidential. */
  private static final String PROGRAM = "stdio";

  private static final List<String> MESSAGES = List.of("SendMessage", "SendStreamingMessage");

  private ForwardRecord() {}

  public static CallForwarded firstAttempt(UUID callId, Source source, String target) {
    return attempt(callId, source, target, 1, null);
  }

  /** The first attempts of a call that goes to each source of one of its targets. */
  public static List<CallForwarded> firstAttempts(
      UUID callId, Source source, GateInput gateInput, Rules rules) {
    Stream<Source> others =
        gateInput.others().stream()
            .flatMap(it ->
                VisibilityGate.sourceFor(it, gateInput.targetKind().family(), rules).stream());
    return Stream.concat(Stream.of(source), others)
        .distinct()
        .map(it -> firstAttempt(callId, it, gateInput.target()))
        .toList();
  }

  /**
   * One attempt.
   *
   * @param target of the call, or the summary of its targets
   * @param afterFailure why the previous attempt failed
   */
  public static CallForwarded attempt(
      UUID callId,
      Source source,
      @Nullable String target,
      int attempt,
      @Nullable String afterFailure) {
    return new CallForwarded(
        callId,
        attempt,
        source.id(),
        endpoint(source),
        isMessage(source, target) ? source.messageMillis() : source.answerMillis(),
        afterFailure);
  }

  /** Whether a call with this target, or this summary of its targets, sends an agent a message. */
  private static boolean isMessage(Source source, @Nullable String target) {
    return source.kind() == Source.Kind.A2A
        && target != null
        && MESSAGES.stream().anyMatch(method -> target.startsWith(source.prefix() + method));
  }

  /** The address of a source without user, query and fragment, any of which may hold a secret. */
  public static String endpoint(Source source) {
    URI url = source.url();
    if (url == null) {
      return source.program() == null ? BUILT_IN : PROGRAM;
    }
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return url.getScheme() + "://" + url.getHost() + port + url.getRawPath();
  }
}
