package gatebook.api.dialect;

import static gatebook.api.dialect.ErrorPhrases.dashed;

import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import java.util.stream.Stream;

/** Words that errors have in every version of A2A. */
final class A2aWords {

  private A2aWords() {}

  /** The code and message, and what the message does not say. */
  static ErrorWords of(Fault fault, PublicFault publicFault, A2aVersion version) {
    A2aCode code = A2aCode.of(fault, version);
    return ErrorWords.of(code.number(), code.message())
        .put(publicFault.named())
        .put("taskId", fault instanceof TaskFault task ? FaultTaskId.of(task) : null)
        .put("summary", addsToMessage(publicFault, code) ? publicFault.sentence() : null)
        .put("details", publicFault.details())
        .http(A2aStatus.ofVersioned(fault));
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
      case Fault other -> dashed(other.kind());
    };
  }
}
