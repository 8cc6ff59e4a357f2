package gatebook.api.daemon;

import static gatebook.api.mcp.Listed.rules;
import static gatebook.api.mcp.Listed.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.log.LogLevel;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.mcp.Listed;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.On;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DaemonMethodsTest {

  private static final String CALL = "{\"name\":\"read\",\"arguments\":{\"a\":1}}";
  private static final Source MCP = source("m", Kind.MCP, "", ExposeRules.ALL);
  private static final Rules TOOLS_ONLY = rules(MCP);
  private static final Rules BOTH = rules(MCP, source("r", Kind.JSONRPC, "work.", ExposeRules.ALL));
  private static final Rules EVERYTHING =
      rules(MCP, source("r", Kind.JSONRPC, "", ExposeRules.ALL));

  private final DaemonMethods methods = new DaemonMethods();
  private final List<String> done = new ArrayList<>();

  private final BuiltInMethods builtInMethods =
      new BuiltInMethods(
          "1",
          List.of(),
          new BuiltInMethods.Host() {
            @Override
            public void logFrom(LogLevel level) {
              done.add("log from " + level);
            }

            @Override
            public void stopAfterThis() {
              done.add("stop");
            }
          });

  private final DaemonMethods daemon = new DaemonMethods(builtInMethods);

  @Test
  void aMethodThatAJsonRpcSourceAnswersForIsThatSourcesWithAllItsParams() {
    assertThat(methods.aim(asking("work.start", "[1]", BOTH)))
        .isEqualTo(new Intent.Act("work.start", On.METHOD));
    assertThat(methods.arguments(asking("work.start", "[1]", BOTH))).contains("[1]");
    assertThat(methods.arguments(asking("work.start", null, BOTH))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tools/list", "tools/call", "anything"})
  void aSourceThatAnswersForEverythingIsAskedBeforeTools(String method) {
    assertThat(methods.aim(asking(method, CALL, EVERYTHING)))
        .isEqualTo(new Intent.Act(method, On.METHOD));
    assertThat(methods.arguments(asking(method, CALL, EVERYTHING))).contains(CALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"initialize", "listMethods", "describeMethods", "version", "shutdown"})
  void noSourceTakesItsOwnMethodsFromADaemon(String method) {
    assertThat(daemon.aim(asking(method, null, EVERYTHING))).isEqualTo(new Intent.Ask());
    assertThat(methods.aim(asking(method, null, EVERYTHING)))
        .isEqualTo(new Intent.Act(method, On.METHOD));
    assertThat(daemon.aim(asking("anything", null, EVERYTHING)))
        .isEqualTo(new Intent.Act("anything", On.METHOD));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{\"level\":\"loud\"} | \"loud\"", "{\"level\":7} | 7", "{} | null"})
  void aLogLevelThatIsNoneIsToldWithThoseThatAre(String params, String received) {
    assertThat(daemon.aim(asking("setLogLevel", params, TOOLS_ONLY)))
        .isEqualTo(
            new Intent.Unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            "level",
                            null,
                            "a log level",
                            JsonValue.parse(received),
                            List.of("debug", "info", "warn", "error"))))));
    assertThat(done).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "version | [1] | params | an object | array",
        "setLogLevel | [\"info\"] | params | an object | array",
        "version | {\"a\":1} | a | no params | number",
        "shutdown | {\"now\":true} | now | no params | boolean",
        "listMethods | {\"a\":\"b\"} | a | no params | string",
        "setLogLevel | {\"level\":\"info\",\"a\":{}} | a | no other than level | object",
      })
  void paramsThatAMethodDoesNotTakeAreToldWithTheirType(
      String method, String params, String param, String expected, String received) {
    assertThat(daemon.aim(asking(method, params, TOOLS_ONLY)))
        .isEqualTo(
            new Intent.Unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            param,
                            null,
                            expected,
                            JsonValue.parse('"' + received + '"'),
                            List.of())))));
  }

  @Test
  void aNotificationWithParamsThatItsMethodDoesNotTakeIsNotHeeded() {
    builtInMethods.heed(new RpcMessage.Notification("shutdown", "{\"now\":true}"));

    assertThat(done).isEmpty();
  }

  @Test
  void whoeverInitializesMaySayWhoHeIs() {
    assertThat(daemon.aim(asking("initialize", "{\"processId\":7}", TOOLS_ONLY)))
        .isEqualTo(new Intent.Ask());
  }

  @Test
  void whatADaemonIsAskedToDoIsDoneWhenItIsAnsweredOrHeeded() {
    builtInMethods.heed(new RpcMessage.Notification("setLogLevel", "{\"level\":\"warn\"}"));
    builtInMethods.heed(new RpcMessage.Notification("setLogLevel", "{\"level\":\"loud\"}"));
    builtInMethods.heed(new RpcMessage.Notification("shutdown", null));
    builtInMethods.heed(new RpcMessage.Notification("anything", null));

    assertThat(done).containsExactly("log from WARN", "stop");
  }

  @Test
  void aSourceThatIsOffStillAnswersForItsNamesSoThatTheGateSaysNo() {
    Rules off = rules(source("r", Kind.JSONRPC, "work.", false, ExposeRules.ALL));

    assertThat(methods.aim(asking("work.start", null, off)))
        .isEqualTo(new Intent.Act("work.start", On.METHOD));
  }

  @Test
  void toolsOfOtherSourcesAreCalledAsInMcp() {
    assertThat(methods.aim(asking("tools/call", CALL, BOTH)))
        .isEqualTo(new Intent.Act("read", On.TOOL));
    assertThat(methods.arguments(asking("tools/call", CALL, BOTH))).contains("{\"a\":1}");
  }

  @Test
  void toolsOfOtherSourcesAreListedAsInMcp() {
    Asking list = asking("tools/list", null, TOOLS_ONLY);

    assertThat(methods.aim(list)).isEqualTo(new Intent.Ask());
    assertThat(
            methods
                .answer(
                    list,
                    DialectHandler.Setting.of(
                        new RoutingSnapshot(TOOLS_ONLY, Map.of("m", Listed.of("m", "read")), null)))
                .join())
        .isEqualTo(new Ended.Result("{\"tools\":[{\"title\":\"T\",\"name\":\"read\"}]}", false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ping", "initialize", "resources/read", "work", "Work.start", ""})
  void everyOtherMethodIsUnknown(String method) {
    assertThat(methods.aim(asking(method, CALL, BOTH)))
        .isEqualTo(new Intent.Unservable(new MethodNotFound(method)));
  }

  @Test
  void aMethodIsNoLongerThanNamesAre() {
    String longest = "x".repeat(GovernedTargets.NAME_CHARS_MAX);

    assertThat(methods.aim(asking(longest, null, EVERYTHING)))
        .isEqualTo(new Intent.Act(longest, On.METHOD));
    assertThat(methods.aim(asking(longest + "x", null, EVERYTHING)))
        .isEqualTo(new Intent.Unservable(new MethodNotFound(longest + "x")));
  }

  private static Asking asking(String method, @Nullable String params, Rules rules) {
    return new Asking(method, params, ObjectMembers.of(params), null, rules);
  }
}
