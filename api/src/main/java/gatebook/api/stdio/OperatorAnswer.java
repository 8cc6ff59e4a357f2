package gatebook.api.stdio;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.ObjectMembers;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.List;
import java.util.Optional;

/**
 * An answer of the operator RPC. Its error codes are not those of the daemon dialect, and have to
 * be translated.
 */
final class OperatorAnswer {

  private OperatorAnswer() {}

  /** The fault for an error response; empty for a result. */
  static Optional<Fault> fault(String method, byte[] answer) {
    return ObjectMembers.of(new String(answer, UTF_8))
        .json("error")
        .map(error -> fault(method, ObjectMembers.of(error)));
  }

  private static Fault fault(String method, ObjectMembers error) {
    String sentence = error.text("message").orElse("");
    ObjectMembers data = error.members("data");
    return switch (error.json("code").orElse("")) {
      case "-32602", "-32600" -> new InvalidParams(List.of(problem(sentence, data)));
      case "-32601" -> new MethodNotFound(method);
      case "403" -> new Unauthorized(refusal(data));
      case "503" -> new ServiceUnavailable(Cause.JOURNAL, null);
      default -> new InternalError("answering an operator's question", sentence);
    };
  }

  private static Problem problem(String sentence, ObjectMembers data) {
    return new Problem(
        data.text("param").orElse("params"),
        sentence,
        data.text("expected").orElse(null),
        data.text("received").map(it -> JsonValue.parse(quoted(it))).orElse(null),
        List.of());
  }

  private static Refusal refusal(ObjectMembers data) {
    return data.text("reason").filter(Refusal.NOT_PERMITTED.word()::equals).isPresent()
        ? Refusal.NOT_PERMITTED
        : Refusal.TOKEN_UNKNOWN;
  }
}
