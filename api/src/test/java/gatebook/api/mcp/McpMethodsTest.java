package gatebook.api.mcp;

import static gatebook.api.mcp.FixedToolsUpstream.rules;
import static gatebook.api.mcp.FixedToolsUpstream.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source.Kind;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.ServerFault.ConfigurationError;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class McpMethodsTest {

  private static final Rules RULES = rules(source("one", Kind.MCP, "", ExposeRules.ALL));

  private final McpMethods ofSources = McpMethods.ofSources("1");
  private final McpMethods ofWrappedServer = McpMethods.ofWrappedServer();

  @ParameterizedTest
  @ValueSource(strings = {"ping", "no/such", "tasks/list", "resources/unsubscribe"})
  void wrappedServerAnswersWhatIsNotGoverned(String method) {
    assertThat(ofWrappedServer.intent(call(method))).isEqualTo(new Intent.AnswerHere());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Tools/Call", "tools.call", "TOOLS/CALL "})
  void wrappedServerGetsNoLookalikeOfAGovernedMethod(String method) {
    assertThat(ofWrappedServer.intent(call(method)))
        .isEqualTo(ofSources.intent(call(method)))
        .isEqualTo(new Intent.Unservable(new MethodNotFound(method)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"initialize", "ping", "server/discover", "no/such"})
  void wrappedServerIsNotAskedWithoutItsSource(String method) {
    ConfigurationError obstacle = new ConfigurationError("no source");
    AnswerContext context = AnswerContext.of(new RoutingSnapshot(Rules.NONE, Map.of(), obstacle));

    assertThat(ofWrappedServer.answer(call(method), context).join())
        .isEqualTo(new Ended.Failure(obstacle));
  }

  @Test
  void listsAreRefusedWithoutRules() {
    for (McpMethods methods : new McpMethods[] {ofSources, ofWrappedServer}) {
      assertThat(methods.mayAct(call("tools/list"), new Intent.AnswerHere())).isTrue();
      assertThat(methods.mayAct(call("ping"), new Intent.AnswerHere())).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP, sha256:1, true, false",
    "HTTP, sha256:2, true, false",
    "LINES, sha256:1, false, true",
    "LINES, sha256:2, false, false"
  })
  void callIsTakenOverIfItGoesToTheSameServer(
      Transport transport, String rulesHash, boolean bySources, boolean byWrappedServer) {
    CallReceived received =
        new CallReceived(
            new UUID(0, 1),
            "c-1",
            null,
            Dialect.MCP,
            null,
            transport,
            Instant.EPOCH,
            "tools/call",
            "1",
            Principal.ANONYMOUS,
            "one",
            "a",
            null,
            null,
            null,
            rulesHash);

    assertThat(ofSources.canTakeOver(received, rulesHash, RULES)).isEqualTo(bySources);
    assertThat(ofWrappedServer.canTakeOver(received, rulesHash, RULES)).isEqualTo(byWrappedServer);
  }

  private static DialectCall call(String method) {
    return new DialectCall(method, null, ObjectMembers.of(null), null, RULES);
  }
}
