package gatebook.api.gateway.report;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import gatebook.api.dialect.Faults;
import gatebook.api.gateway.message.CallIds;
import gatebook.api.log.CapturedLogLines;
import gatebook.api.rpc.RpcMessage;
import gatebook.events.Tables;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.UnsupportedContentType;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.TaskFault.TaskCancelled;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import gatebook.events.fault.Withheld.PolicyDrift;
import gatebook.events.fault.Withheld.TransformDrift;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;

final class ErrorReporterTest {

  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final CallIds CALL_IDS = new CallIds(CALL, "abc-123", null, null);
  private static final CallLogContext CONTEXT = new CallLogContext(null, null);

  /** A source says by three codes that the client is to blame. */
  private static final Pattern OF_SOURCE =
      Pattern.compile("\\{category=(client,code=-3260[0-2]|upstream,code=-32(?!60[0-2]))");

  private static final RpcMessage SEVEN = new RpcMessage.Request("7", "m", null);
  private static final RpcMessage NOTHING =
      new RpcMessage.Unreadable(new BatchNotSupported(), null);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ErrorReporter errorReporter = new ErrorReporter(meters);
  private final CapturedLogLines lines = CapturedLogLines.of(ErrorReporter.class.getName());

  @AfterEach
  void closeLines() {
    lines.close();
  }

  /** The faults of all tables, and those whose lines depend on whose fault they are. */
  private static Stream<Fault> faults() {
    return Stream.concat(
            Faults.all().stream().flatMap(Faults::withAndWithout),
            Stream.of(
                new UpstreamError("s", -32_602, "no such prompt", null, 200, true),
                new UpstreamError("s", -32_602, "no such prompt", null, 200),
                new UpstreamError(
                    "s", -32_002, "no", JsonValue.parse("{\"uri\":\"x\"}"), null, true),
                new UpstreamError("s", -32_002, "no", null, null, true),
                new TaskCancelled("gb_" + CALL.toString().replace("-", "") + "0".repeat(32)),
                new UnsupportedContentType("text/plain")))
        .distinct();
  }

  @Test
  void everyErrorIsOneLineWithDetailsForOperators() throws IOException {
    faults()
        .forEach(fault ->
            errorReporter.report(
                CALL_IDS, SEVEN, CONTEXT, fault, errorResponse(Dialect.MCP, -32_000)));

    assertThat(lines.list).hasSameSizeAs(faults().toList());
    Tables.expect(
        "api/src/test/resources/gatebook/api/gateway/report/lines.txt",
        lines.list.stream()
            .map(line ->
                "%s %s %s%n".formatted(line.getLevel(), line.getFormattedMessage(), fields(line)))
            .collect(joining()));
  }

  /** Half a credential would not be recognised as one. */
  @Test
  void operationIsMaskedBeforeItIsCut() {
    String begin = "no ".repeat(337);
    String operation = begin + "sk-proj-" + "a1B2c3D4".repeat(10);

    errorReporter.report(
        CALL_IDS,
        SEVEN,
        new CallLogContext(null, null, "tool", null, null, operation),
        new ConfigurationError("d"),
        errorResponse(Dialect.A2A, -32_016));

    assertThat(fields(lines.list.getFirst())).containsEntry("operation", begin + "[token]");
  }

  @Test
  void lineHasTheContextThatItsFaultLacks() {
    CallLogContext context = new CallLogContext("ada", "files", "tool", "read", "t-1", null);

    errorReporter.report(
        CALL_IDS,
        NOTHING,
        context,
        new ConfigurationError("d"),
        errorResponse(Dialect.MCP, -32_016));
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        context,
        new Denied.ToolNotExposed("all", "demo"),
        errorResponse(Dialect.MCP, -32_015));

    assertThat(fields(lines.list.get(0)))
        .containsAllEntriesOf(
            Map.of("principal", "ada", "source", "files", "tool", "read", "task_id", "t-1"));
    assertThat(fields(lines.list.get(1)))
        .containsAllEntriesOf(
            Map.of("principal", "ada", "source", "demo", "tool", "all", "task_id", "t-1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tool", "resource", "prompt"})
  void driftIsLoggedWithTheKindOfItsTarget(String kind) {
    CallLogContext context = new CallLogContext("ada", "files", kind, "a", null, null);

    for (Fault fault :
        List.of(
            new TransformDrift("a", null),
            new PolicyDrift("a", null, Gate.POLICY, "then", "now"))) {
      errorReporter.report(CALL_IDS, NOTHING, context, fault, errorResponse(Dialect.MCP, -32_012));

      Map<String, Object> fields = fields(lines.list.getLast());
      fields.keySet().retainAll(Set.of("tool", "resource", "prompt", "target"));
      assertThat(fields).isEqualTo(Map.of(kind, "a"));
    }
  }

  @Test
  void earlierErrorIsLoggedAndNotCounted() {
    double before = counted();

    errorReporter.reportEarlier(
        CALL_IDS,
        SEVEN,
        CONTEXT,
        new UpstreamTimeout("s", "u", 1),
        errorResponse(Dialect.MCP, -32_001),
        CALL);

    assertThat(counted()).isEqualTo(before);
    assertThat(lines.list)
        .singleElement()
        .extracting(ILoggingEvent::getLevel)
        .isEqualTo(Level.INFO);
    assertThat(fields(lines.list.getFirst())).containsEntry("first_told_to", CALL);
  }

  private double counted() {
    return meters.getMeters().stream()
        .filter(Counter.class::isInstance)
        .mapToDouble(meter -> ((Counter) meter).count())
        .sum();
  }

  static Stream<Arguments> messages() {
    return Stream.of(
        arguments(NOTHING, "{}"),
        arguments(new RpcMessage.Notification("m", null), "{method=m}"),
        arguments(new RpcMessage.Unreadable(new BatchNotSupported(), "\"7\""), "{id=7 as String}"),
        arguments(new RpcMessage.Unreadable(new BatchNotSupported(), "null"), "{id=null}"),
        arguments(new RpcMessage.Request("null", "m", null), "{method=m, id=null}"),
        arguments(new RpcMessage.Request("-7", "m", null), "{method=m, id=-7 as Long}"),
        arguments(
            new RpcMessage.Request("999999999999999999", "m", null),
            "{method=m, id=999999999999999999 as Long}"),
        arguments(
            new RpcMessage.Request("9999999999999999999", "m", null),
            "{method=m, id=9999999999999999999 as String}"),
        arguments(new RpcMessage.Request("\"a b\"", "m", null), "{method=m, id=a b as String}"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void lineHasTheKnownMethodAndIdOfItsMessage(RpcMessage rpcMessage, String shown) {
    errorReporter.report(
        CALL_IDS,
        rpcMessage,
        CONTEXT,
        new BatchNotSupported(),
        errorResponse(Dialect.MCP, -32_600));

    Map<String, String> of = new LinkedHashMap<>();
    for (KeyValuePair pair : lines.list.getFirst().getKeyValuePairs()) {
      if (pair.key.equals("method")) {
        of.put(pair.key, String.valueOf(pair.value));
      } else if (pair.key.equals("id")) {
        of.put(
            pair.key,
            pair.value == null
                ? "null"
                : pair.value + " as " + pair.value.getClass().getSimpleName());
      }
    }
    assertThat(of).hasToString(shown);
  }

  @Test
  void longTextIsCutBetweenWholeCharacters() {
    String half = "x".repeat(1_023) + "\uD83D\uDE00";

    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new Denied.WorkflowNotFound(half),
        errorResponse(Dialect.MCP, -1));

    assertThat(fields(lines.list.getFirst())).containsEntry("workflow", "x".repeat(1_023));
  }

  @Test
  void errorsAreCountedByTheirResponse() {
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new Denied.WorkflowNotFound("w"),
        errorResponse(Dialect.MCP, -32_017));
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new Denied.WorkflowNotFound("w"),
        errorResponse(Dialect.DAEMON, -32_017));
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new UpstreamTimeout("s", "u", 1),
        errorResponse(Dialect.MCP, -32_001));
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new ConfigurationError("d"),
        errorResponse(Dialect.FLOW, -32_603));
    errorReporter.report(
        CALL_IDS,
        NOTHING,
        CONTEXT,
        new ConfigurationError("d"),
        errorResponse(Dialect.A2A, -32_603));

    assertThat(counts())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "thoughtgate.errors{category=client,code=-32017,gate=approval}", 2.0,
                "thoughtgate.errors{category=upstream,code=-32001,gate=}", 1.0,
                "gatebook.errors{category=client,code=-32017,dialect=mcp,gate=approval}", 1.0,
                "gatebook.errors{category=client,code=-32017,dialect=daemon,gate=approval}", 1.0,
                "gatebook.errors{category=upstream,code=-32001,dialect=mcp,gate=}", 1.0,
                "gatebook.errors{category=server,code=-32603,dialect=flow,gate=}", 1.0,
                "gatebook.errors{category=server,code=-32603,dialect=a2a,gate=}", 1.0));
  }

  @Test
  void denialsAreCountedByGateAndReason() {
    errorReporter.countDenial(new Denied.ToolNotExposed("a", null), DenialReason.SOURCE_UNKNOWN);
    errorReporter.countDenial(new Denied.ToolNotExposed("b", "s"), DenialReason.NOT_EXPOSED);
    errorReporter.countDenial(new Denied.ToolNotExposed("c", "s"), DenialReason.NOT_EXPOSED);
    errorReporter.countDenial(
        new Denied.ApprovalRejected("d", null, null, null), DenialReason.NOT_ASKED);

    assertThat(counts())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "thoughtgate.gate.denials{gate=visibility,reason=source-unknown}", 1.0,
                "thoughtgate.gate.denials{gate=visibility,reason=not-exposed}", 2.0,
                "thoughtgate.gate.denials{gate=approval,reason=not-asked}", 1.0));
    assertThat(lines.list).isEmpty();
  }

  @Test
  void everyDenialReasonIsCountedFromZero() {
    assertThat(names("thoughtgate.gate.denials"))
        .containsExactlyInAnyOrder(
            "thoughtgate.gate.denials{gate=visibility,reason=source-unknown}",
            "thoughtgate.gate.denials{gate=visibility,reason=source-disabled}",
            "thoughtgate.gate.denials{gate=visibility,reason=not-exposed}",
            "thoughtgate.gate.denials{gate=governance,reason=rule}",
            "thoughtgate.gate.denials{gate=governance,reason=default-action}",
            "thoughtgate.gate.denials{gate=policy,reason=policy-forbids}",
            "thoughtgate.gate.denials{gate=policy,reason=no-policy-permits}",
            "thoughtgate.gate.denials{gate=policy,reason=policy-error}",
            "thoughtgate.gate.denials{gate=approval,reason=rejected}",
            "thoughtgate.gate.denials{gate=approval,reason=timed-out}",
            "thoughtgate.gate.denials{gate=approval,reason=workflow-not-found}",
            "thoughtgate.gate.denials{gate=approval,reason=not-asked}");
    assertThat(counts()).isEmpty();
  }

  @Test
  void everyErrorOfTheVocabulariesIsCountedFromZero() {
    assertThat(names("gatebook.errors"))
        .contains(
            "gatebook.errors{category=client,code=-32014,dialect=mcp,gate=governance}",
            "gatebook.errors{category=client,code=-32602,dialect=flow,gate=}",
            "gatebook.errors{category=upstream,code=-32013,dialect=mcp,gate=}",
            "gatebook.errors{category=upstream,code=-32602,dialect=daemon,gate=}",
            "gatebook.errors{category=upstream,code=other,dialect=daemon,gate=}");
    assertThat(names("thoughtgate.errors"))
        .contains(
            "thoughtgate.errors{category=client,code=-32003,gate=policy}",
            "thoughtgate.errors{category=upstream,code=other,gate=}");
    assertThat(counts()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"MCP", "DAEMON"})
  void everyDefinedCodeOfASourceIsCountedFromZero(Dialect dialect) {
    int atStart = meters.getMeters().size();

    DefinedErrors.all().stream()
        .filter(error -> error.dialect() == dialect)
        .mapToInt(DefinedErrors.DefinedError::code)
        .distinct()
        .forEach(code ->
            errorReporter.report(
                CALL_IDS,
                NOTHING,
                CONTEXT,
                new UpstreamError("up", code, "no", null, 200, true),
                errorResponse(dialect, code)));

    assertThat(counts().keySet())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(name).containsPattern(OF_SOURCE));
    assertThat(meters.getMeters()).hasSize(atStart);
  }

  @Test
  void codesThatOnlySourcesSendAreCountedAsOne() {
    for (int code : new int[] {-32_042, 7, 0, Integer.MIN_VALUE}) {
      UpstreamError error = new UpstreamError("up", code, "no", null, 200, true);
      errorReporter.report(CALL_IDS, NOTHING, CONTEXT, error, errorResponse(Dialect.MCP, code));
    }

    assertThat(counts())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "thoughtgate.errors{category=upstream,code=other,gate=}", 4.0,
                "gatebook.errors{category=upstream,code=other,dialect=mcp,gate=}", 4.0));
  }

  private List<String> names(String meter) {
    return meters.getMeters().stream()
        .map(Counter.class::cast)
        .map(ErrorReporterTest::name)
        .filter(name -> name.startsWith(meter + "{"))
        .toList();
  }

  private Map<String, Double> counts() {
    return meters.getMeters().stream()
        .map(Counter.class::cast)
        .filter(counter -> counter.count() > 0)
        .collect(toMap(ErrorReporterTest::name, Counter::count));
  }

  private static String name(Counter counter) {
    List<String> tags =
        counter.getId().getTags().stream().map(ErrorReporterTest::text).sorted().toList();
    return "%s{%s}".formatted(counter.getId().getName(), String.join(",", tags));
  }

  private static String text(Tag tag) {
    return tag.getKey() + "=" + tag.getValue();
  }

  private static Map<String, Object> fields(ILoggingEvent line) {
    Map<String, Object> fields = new LinkedHashMap<>();
    line.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
    return fields;
  }

  private static ErrorResponse errorResponse(Dialect dialect, int code) {
    return new ErrorResponse(dialect, code, "no", null, null);
  }
}
