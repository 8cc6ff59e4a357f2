package gatebook.api.dialect;

import static gatebook.events.fault.PublicFault.parts;

import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the error vocabularies of all versions of A2A share: the protocol's codes and messages. */
abstract class A2aVocabulary implements ErrorVocabulary {

  private final A2aVersion version;

  A2aVocabulary(A2aVersion version) {
    this.version = version;
  }

  /** The code and message, and what the message does not say. */
  @Override
  public ErrorWords words(Fault fault) {
    PublicFault publicFault = fault.shown();
    A2aCode code = code(fault);
    return ErrorWords.of(code.number(), message(fault, publicFault, code))
        .put(publicFault.named())
        .putId("taskId", taskId(fault))
        .put("summary", addsToMessage(publicFault, code) ? publicFault.sentence() : null)
        .put("details", details(fault, publicFault))
        .http(A2aStatus.ofVersioned(fault));
  }

  final A2aCode code(Fault fault) {
    return A2aCode.of(fault, version);
  }

  static @Nullable String taskId(Fault fault) {
    return fault instanceof TaskFault task ? task.taskId() : null;
  }

  /** The protocol's details of the code; for params, the first invalid one. */
  private static String message(Fault fault, PublicFault publicFault, A2aCode code) {
    return code == A2aCode.INVALID_PARAMS
        ? naming(code.message(), fault, publicFault)
        : code.message();
  }

  /** A sentence about params, followed by the first that does not fit, and why. */
  static String naming(String sentence, Fault fault, PublicFault publicFault) {
    return explanation(fault, publicFault)
        .map(explanation -> sentence + ": " + explanation)
        .orElse(sentence);
  }

  /** For params, the first invalid one, and why. */
  static @Nullable String details(Fault fault, PublicFault publicFault) {
    return fault instanceof Misdirected.InvalidParams
        ? explanation(fault, publicFault).orElse(null)
        : publicFault.details();
  }

  private static Optional<String> explanation(Fault fault, PublicFault publicFault) {
    return problem(fault, publicFault)
        .map(problem ->
            "%s: %s"
                .formatted(
                    problem.param(),
                    parts(
                        problem.reason(),
                        problem.expected() == null ? null : "expected " + problem.expected(),
                        problem.accepted().isEmpty()
                            ? null
                            : "one of " + String.join(" ", problem.accepted()))));
  }

  private static Optional<Problem> problem(Fault fault, PublicFault publicFault) {
    return fault instanceof TaskFault.UnknownSkill
        ? Optional.of(
            new Problem("message.metadata.skillId", publicFault.details(), null, null, List.of()))
        : publicFault.problems().stream().findFirst();
  }

  private static boolean addsToMessage(PublicFault publicFault, A2aCode code) {
    return !publicFault.sentence().equals(code.message())
        && Stream.of(JsonRpcError.values())
            .noneMatch(jsonRpcError -> publicFault.sentence().equals(jsonRpcError.message()));
  }

  /** The name of a fault; the gateway's own failures are not distinguished. */
  static String faultName(Fault fault) {
    return switch (fault) {
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          "internal-error";
      case Fault other -> ErrorVocabulary.nameOf(other);
    };
  }
}
