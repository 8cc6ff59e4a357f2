package gatebook.api.dialect;

import static gatebook.events.fault.PublicFault.parts;

import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The error vocabulary of clients of A2A 1.0.
 *
 * <p>Data is a list. Its first element is, for the protocol's own errors, what the protocol says of
 * them; then comes what the gateway says, with {@code correlation_id} and all particulars as texts;
 * then, where there are any, the fields that do not fit, and when to retry.
 */
final class A2aV1Vocabulary extends A2aVocabulary {

  private static final String TYPES = "type.googleapis.com/google.rpc.";

  private static final String PROTOCOL_DOMAIN = "a2a-protocol.org";
  private static final String OWN_DOMAIN = "gatebook";
  private static final int PROBLEMS_MAX = 16;

  A2aV1Vocabulary() {
    super(A2aVersion.V1_0);
  }

  @Override
  public ErrorWords words(Fault fault) {
    return super.words(fault).put("cause", fault.shown().reason());
  }

  @Override
  public JsonValue data(
      Fault fault, ErrorWords errorWords, String correlationId, PublicText publicText) {
    PublicFault publicFault = fault.shown();
    A2aCode code = code(fault);
    List<List<Member>> all = new ArrayList<>();
    if (code.isOfA2a()) {
      all.add(ofProtocol(code, taskId(fault)));
    }
    all.add(
        errorInfo(
            reason(fault),
            OWN_DOMAIN,
            ErrorVocabulary.members(fault, errorWords, correlationId, publicText::asText)));
    if (!publicFault.problems().isEmpty()) {
      all.add(badRequest(publicFault.problems()));
    }
    if (publicFault.retryAfterSeconds() != null) {
      all.add(typed("RetryInfo", checked("retryDelay", publicFault.retryAfterSeconds() + "s")));
    }
    return publicText.json(new Value.NestedList(all));
  }

  private static List<Member> ofProtocol(A2aCode code, @Nullable String taskId) {
    return errorInfo(
        code.name(),
        PROTOCOL_DOMAIN,
        taskId == null ? List.of() : List.of(new Member("taskId", new Value.Id(taskId))));
  }

  private static String reason(Fault fault) {
    return faultName(fault).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static List<Member> errorInfo(String reason, String domain, List<Member> metadata) {
    return typed(
        "ErrorInfo",
        checked("reason", reason),
        checked("domain", domain),
        new Member("metadata", new Value.Nested(metadata)));
  }

  private static List<Member> badRequest(List<Problem> problems) {
    return typed(
        "BadRequest",
        new Member(
            "fieldViolations",
            new Value.NestedList(
                problems.stream().limit(PROBLEMS_MAX).map(A2aV1Vocabulary::violation).toList())));
  }

  private static List<Member> violation(Problem problem) {
    return List.of(
        new Member("field", new Value.Text(problem.param())),
        new Member("description", new Value.Text(description(problem))));
  }

  private static String description(Problem problem) {
    return parts(
        problem.reason(),
        problem.expected() == null ? null : "expected " + problem.expected(),
        problem.received() == null ? null : "received " + problem.received(),
        problem.accepted().isEmpty() ? null : "one of " + String.join(" ", problem.accepted()));
  }

  private static List<Member> typed(String type, Member... members) {
    List<Member> object = new ArrayList<>(List.of(checked("@type", TYPES + type)));
    object.addAll(List.of(members));
    return object;
  }

  private static Member checked(String name, String text) {
    return new Member(name, new Value.Checked(text));
  }
}
