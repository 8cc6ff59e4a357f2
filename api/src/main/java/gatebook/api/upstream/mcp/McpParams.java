package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.RequestMember.optional;
import static gatebook.api.rpc.RequestMember.required;

import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Decimal;
import gatebook.api.rpc.MemberType.Either;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Unit;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import java.util.List;
import java.util.stream.Stream;

/**
 * The declared params of the methods of MCP, of all supported revisions together. What only one
 * revision requires is optional here.
 */
public final class McpParams {

  /** The longest accepted name of a tool, resource or prompt. */
  public static final int NAME_CHARS_MAX = 1_024;

  private static final long MILLIS_MAX = 999_999_999_999_999L;

  private static final MemberType NAME = Text.atMost(NAME_CHARS_MAX, Unit.UTF_16);
  private static final MemberType ID =
      new Either(
          List.of(Text.ANY, Whole.between(Long.MIN_VALUE, Long.MAX_VALUE)),
          "a string or a whole number");

  private static final RequestMember META =
      optional(
          "_meta",
          Members.of(
              List.of(
                  optional("progressToken", ID, "Notifications about progress have this token."))),
          "Metadata; any other members are accepted.");

  static final DeclaredParams NONE = params();

  static final DeclaredParams INITIALIZE =
      params(
          optional("protocolVersion", Text.ANY, "The revision that the client prefers."),
          optional("capabilities", Members.ANY, "The capabilities of the client."),
          optional(
              "clientInfo",
              Members.of(
                  List.of(
                      optional("name", Text.ANY, "Its name."),
                      optional("version", Text.ANY, "Its version."))),
              "The client."));

  static final DeclaredParams PAGE =
      params(optional("cursor", Text.ANY, "The cursor of the previous page."));

  private static final RequestMember ARGUMENTS =
      optional("arguments", Members.ANY, "The arguments of the target.");
  private static final RequestMember RESPONSES =
      optional("inputResponses", Members.ANY, "The responses to the requests of a source.");
  private static final RequestMember STATE =
      optional("requestState", Text.ANY, "The state of the call that is sent again.");

  static final DeclaredParams TOOL =
      params(
          required("name", NAME, "The name of the tool."),
          ARGUMENTS,
          optional(
              "task",
              Members.of(
                  List.of(
                      optional(
                          "ttl",
                          Whole.between(0, MILLIS_MAX),
                          "The milliseconds for which the task is kept."))),
              "The call is to become a task."),
          RESPONSES,
          STATE);

  static final DeclaredParams PROMPT =
      params(required("name", NAME, "The name of the prompt."), ARGUMENTS, RESPONSES, STATE);

  static final DeclaredParams RESOURCE =
      params(required("uri", NAME, "The URI of the resource."), RESPONSES, STATE);

  static final DeclaredParams COMPLETION =
      params(
          required(
              "ref",
              new Members(List.of(), "a prompt or a resource"),
              "The prompt or the resource template."),
          optional(
              "argument",
              Members.of(
                  List.of(
                      optional("name", Text.ANY, "Its name."),
                      optional("value", Text.ANY, "Its beginning."))),
              "The argument to complete."),
          optional("context", Members.ANY, "The arguments that are known already."));

  static final DeclaredParams LEVEL =
      params(
          required(
              "level",
              new Word(
                  List.of(
                      "debug",
                      "info",
                      "notice",
                      "warning",
                      "error",
                      "critical",
                      "alert",
                      "emergency"),
                  false,
                  "a log level"),
              "The least level of the log messages that are sent."));

  static final DeclaredParams SUBSCRIPTION =
      params(
          optional(
              SubscriptionFilter.MEMBER, Members.ANY, "What the client is to be notified of."));

  static final DeclaredParams TASK =
      params(required("taskId", Text.ANY, "The id of the task."), RESPONSES);

  static final DeclaredParams CANCELLATION =
      params(
          optional("requestId", ID, "The id of the request that is cancelled."),
          optional("reason", Text.ANY, "Why it is cancelled."));

  static final DeclaredParams PROGRESS =
      params(
          required("progressToken", ID, "The token of the request."),
          required("progress", new Decimal(), "The progress until now."),
          optional("total", new Decimal(), "The progress at the end."),
          optional("message", Text.ANY, "What is being done."));

  private McpParams() {}

  private static DeclaredParams params(RequestMember... members) {
    return new DeclaredParams(Stream.concat(Stream.of(members), Stream.of(META)).toList());
  }
}
