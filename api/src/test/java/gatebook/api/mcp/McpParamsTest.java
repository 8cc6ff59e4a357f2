package gatebook.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Intent;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class McpParamsTest {

  private static Stream<String> methods() {
    return Stream.concat(
        McpMethod.declared().stream().sorted(),
        Stream.of(McpMethod.NOTIFICATIONS_INITIALIZED, "notifications/anything"));
  }

  /** Every member that some method requires. */
  private static final String REQUIRED =
      """
      "name":"x","uri":"x","taskId":"t","level":"info","ref":{"type":"ref/prompt","name":"x"},\
      "progressToken":1,"progress":0.5\
      """;

  private final McpMethods methods = McpMethods.ofSources("1");

  @ParameterizedTest
  @MethodSource("methods")
  void everyMethodChecksItsParamsAndMetadata(String method) {
    assertThat(refusal(method, "[1]")).isEqualTo(problem("params", "an object", "\"array\""));
    assertThat(refusal(method, "{%s,\"_meta\":5}".formatted(REQUIRED)))
        .isEqualTo(problem("_meta", "an object", "\"number\""));
    assertThat(refusal(method, "{%s,\"_meta\":{\"progressToken\":[]}}".formatted(REQUIRED)))
        .isEqualTo(problem("_meta.progressToken", "a string or a whole number", "\"array\""));
    assertThat(refusal(method, "{%s,\"_meta\":null,\"x\":1}".formatted(REQUIRED))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tools/list | {'cursor':5} | cursor | a string | 'number'",
        "prompts/list | {'cursor':{}} | cursor | a string | 'object'",
        "resources/list | {'cursor':true} | cursor | a string | 'boolean'",
        "resources/templates/list | {'cursor':[]} | cursor | a string | 'array'",
        "tasks/list | {'cursor':1e400} | cursor | a string | 'number'",
        "initialize | {'protocolVersion':1} | protocolVersion | a string | 'number'",
        "initialize | {'capabilities':[]} | capabilities | an object | 'array'",
        "initialize | {'clientInfo':'me'} | clientInfo | an object | 'string'",
        "initialize | {'clientInfo':{'name':1}} | clientInfo.name | a string | 'number'",
        "tools/call | {'name':'x','task':true} | task | an object | 'boolean'",
        "tools/call | {'name':'x','task':{'ttl':-1}} | task.ttl"
            + " | a whole number from 0 to 999999999999999 | -1",
        "tools/call | {'name':'x','task':{'ttl':1e400}} | task.ttl"
            + " | a whole number from 0 to 999999999999999 | 1e400",
        "tools/call | {'name':'x','task':{'ttl':1000000000000000}} | task.ttl"
            + " | a whole number from 0 to 999999999999999 | 1000000000000000",
        "tools/call | {'name':'x','task':{'ttl':100000000000000000000000000000}} | task.ttl"
            + " | a whole number from 0 to 999999999999999 | 'number'",
        "tools/call | {'name':'x','requestState':1} | requestState | a string | 'number'",
        "tools/call | {'name':'x','inputResponses':[]} | inputResponses | an object | 'array'",
        "resources/unsubscribe | {'uri':null} | uri | a string | 'null'",
        "completion/complete | {'ref':'x'} | ref | a prompt or a resource | 'string'",
        "completion/complete | {'ref':{'name':'x'},'argument':1} | argument | an object | 'number'",
        "completion/complete | {'ref':{'name':'x'},'argument':{'value':1}} | argument.value"
            + " | a string | 'number'",
        "logging/setLevel | {} | level | a log level | null",
        "logging/setLevel | {'level':'LOUD'} | level | a log level | 'LOUD'",
        "subscriptions/listen | {'notifications':[]} | notifications | an object | 'array'",
        "tasks/get | {} | taskId | a string | 'nothing'",
        "tasks/result | {'taskId':5} | taskId | a string | 'number'",
        "tasks/update | {'taskId':[]} | taskId | a string | 'array'",
        "tasks/cancel | {'taskId':null} | taskId | a string | 'null'",
        "notifications/cancelled | {'requestId':1.5} | requestId | a string or a whole number |"
            + " 1.5",
        "notifications/cancelled | {'requestId':{}} | requestId | a string or a whole number"
            + " | 'object'",
        "notifications/progress | {'progressToken':1} | progress | a number | 'nothing'",
        "notifications/progress | {'progressToken':1,'progress':1e400} | progress"
            + " | a number | 1e400",
      })
  void aWrongMemberIsRefusedByItsName(
      String method, String params, String param, String expected, String received) {
    assertThat(refusal(method, params.replace('\'', '"')))
        .usingRecursiveComparison()
        .ignoringFields("accepted")
        .isEqualTo(problem(param, expected, received.replace('\'', '"')));
  }

  private @Nullable Problem refusal(String method, @Nullable String params) {
    DialectCall call =
        new DialectCall(method, params, ObjectMembers.of(params), null, FixedToolsUpstream.rules());
    return methods.intent(call) instanceof Intent.Unservable(InvalidParams(var problems))
        ? problems.getFirst()
        : null;
  }

  private static Problem problem(String param, String expected, String received) {
    return new Problem(param, null, expected, JsonValue.parse(received), List.of());
  }
}
