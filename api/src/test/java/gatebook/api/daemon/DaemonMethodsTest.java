package gatebook.api.daemon;

import static gatebook.api.mcp.FixedToolsUpstream.rules;
import static gatebook.api.mcp.FixedToolsUpstream.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.log.LogLevel;
import gatebook.api.mcp.GovernedTargets;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DaemonMethodsTest {

  private static final String CALL =
      """
      {"name":"read","arguments":{"a":1}}\
      """;
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
            public void setLogLevel(LogLevel level) {
              done.add("log from " + level);
            }

            @Override
            public void stopAfterAnswer() {
              done.add("stop");
            }
          });

  private final DaemonMethods daemon = new DaemonMethods(builtInMethods);

  @Test
  void methodOfAJsonRpcSourceKeepsAllParams() {
    assertThat(methods.intent(asking("work.start", "[1]", BOTH)))
        .isEqualTo(new Intent.Act("work.start", TargetKind.METHOD));
    assertThat(methods.arguments(asking("work.start", "[1]", BOTH))).contains("[1]");
    assertThat(methods.arguments(asking("work.start", null, BOTH))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tools/list", "tools/call", "anything"})
  void sourceForAllMethodsTakesPrecedenceOverTools(String method) {
    assertThat(methods.intent(asking(method, CALL, EVERYTHING)))
        .isEqualTo(new Intent.Act(method, TargetKind.METHOD));
    assertThat(methods.arguments(asking(method, CALL, EVERYTHING))).contains(CALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"initialize", "listMethods", "describeMethods", "version", "shutdown"})
  void builtInMethodsTakePrecedenceOverSources(String method) {
    assertThat(daemon.intent(asking(method, null, EVERYTHING))).isEqualTo(new Intent.AnswerHere());
    assertThat(methods.intent(asking(method, null, EVERYTHING)))
        .isEqualTo(new Intent.Act(method, TargetKind.METHOD));
    assertThat(daemon.intent(asking("anything", null, EVERYTHING)))
        .isEqualTo(new Intent.Act("anything", TargetKind.METHOD));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        """
        {"level":"loud"} | "loud"\
        """,
        "{\"level\":7} | 7",
        "{} | null"
      })
  void invalidLogLevelIsRefusedWithTheValidOnes(String params, String received) {
    assertThat(daemon.intent(asking("setLogLevel", params, TOOLS_ONLY)))
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
        """
        listMethods | {"a":"b"} | a | no params | string\
        """,
        """
        setLogLevel | {"level":"info","a":{}} | a | no other than level | object\
        """,
        "tools/list | [1] | params | an object | array",
        "tools/list | {\"a\":1} | a | no other than cursor, _meta | number",
        "tools/call | [1] | params | an object | array",
        """
        tools/call | {"name":"x","args":{}} | args | no other than name, arguments, _meta | object\
        """,
        "tools/call | {} | name | a string | nothing",
        "tools/call | {\"name\":7} | name | a string | number",
      })
  void unknownParamsAreRefusedWithTheirType(
      String method, String params, String param, String expected, String received) {
    assertThat(daemon.intent(asking(method, params, TOOLS_ONLY)))
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

  /** Half a secret is not recognised as one. */
  @Test
  void unknownParamIsRedactedBeforeItIsCut() {
    String name = "no ".repeat(15) + "sk-proj-" + "Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9".repeat(3);

    assertThat(daemon.intent(asking("version", "{\"%s\":1}".formatted(name), TOOLS_ONLY)))
        .isEqualTo(
            new Intent.Unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            "no ".repeat(15) + "[token]",
                            null,
                            "no params",
                            JsonValue.parse("\"number\""),
                            List.of())))));
  }

  @Test
  void notificationWithUnknownParamsIsIgnored() {
    builtInMethods.apply(new RpcMessage.Notification("shutdown", "{\"now\":true}"));

    assertThat(done).isEmpty();
  }

  @Test
  void initializeAcceptsAnyParams() {
    assertThat(daemon.intent(asking("initialize", "{\"processId\":7}", TOOLS_ONLY)))
        .isEqualTo(new Intent.AnswerHere());
  }

  @Test
  void validNotificationsTakeEffect() {
    builtInMethods.apply(new RpcMessage.Notification("setLogLevel", "{\"level\":\"warn\"}"));
    builtInMethods.apply(new RpcMessage.Notification("setLogLevel", "{\"level\":\"loud\"}"));
    builtInMethods.apply(new RpcMessage.Notification("shutdown", null));
    builtInMethods.apply(new RpcMessage.Notification("anything", null));

    assertThat(done).containsExactly("log from WARN", "stop");
  }

  @Test
  void disabledSourceKeepsItsNamesSoTheGateDenies() {
    Rules off = rules(source("r", Kind.JSONRPC, "work.", false, ExposeRules.ALL));

    assertThat(methods.intent(asking("work.start", null, off)))
        .isEqualTo(new Intent.Act("work.start", TargetKind.METHOD));
  }

  @Test
  void toolsOfOtherSourcesAreCalledAsInMcp() {
    assertThat(methods.intent(asking("tools/call", CALL, BOTH)))
        .isEqualTo(new Intent.Act("read", TargetKind.TOOL));
    assertThat(methods.arguments(asking("tools/call", CALL, BOTH))).contains("{\"a\":1}");
  }

  @Test
  void daemonListsTheToolsOfAllPagesAtOnce() {
    DialectCall list = asking("tools/list", null, TOOLS_ONLY);

    assertThat(methods.intent(list)).isEqualTo(new Intent.AnswerHere());
    assertThat(methods.answer(list, TWO_PAGES).join())
        .isEqualTo(new Ended.Result("{\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}]}", false));
  }

  private static final AnswerContext TWO_PAGES =
      new AnswerContext(
          new UUID(0, 1),
          "c-1",
          "joe",
          new RoutingSnapshot(TOOLS_ONLY, Map.of(), null),
          "1",
          Map.of(),
          ClientChannel.NONE,
          (_, _, params) ->
              CompletableFuture.completedFuture(
                  new Ended.Result(
                      params == null
                          ? "{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"n\"}"
                          : "{\"tools\":[{\"name\":\"b\"}]}",
                      false)),
          CallerTasks.NONE);

  @ParameterizedTest
  @ValueSource(strings = {"ping", "initialize", "resources/read", "work", "Work.start", ""})
  void everyOtherMethodIsUnknown(String method) {
    assertThat(methods.intent(asking(method, CALL, BOTH)))
        .isEqualTo(new Intent.Unservable(new MethodNotFound(method)));
  }

  @Test
  void tooLongMethodIsUnknown() {
    String longest = "x".repeat(GovernedTargets.NAME_CHARS_MAX);

    assertThat(methods.intent(asking(longest, null, EVERYTHING)))
        .isEqualTo(new Intent.Act(longest, TargetKind.METHOD));
    assertThat(methods.intent(asking(longest + "x", null, EVERYTHING)))
        .isEqualTo(new Intent.Unservable(new MethodNotFound(longest + "x")));
  }

  private static DialectCall asking(String method, @Nullable String params, Rules rules) {
    return new DialectCall(method, params, ObjectMembers.of(params), null, rules);
  }
}
