package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.TaskId;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.Fault;
import gatebook.events.fault.FaultComponents;
import gatebook.events.fault.LogField;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A provoked error: the response, the events, the log line and the increments of the counters of
 * one failed call.
 */
public record ProvokedCall(
    String correlationId, WatchedNode.Seen seen, Map<String, Double> gained) {

  private static final ErrorTranslation TRANSLATION =
      new ErrorTranslation(UnaryOperator.identity());

  /** The expected error; {@code data} are the members besides the correlation id. */
  public record Words(int code, String message, String data) {}

  /**
   * Expects exactly the error of the fault, as the tables of MCP and of log lines have it, of the
   * call, whose JSON-RPC id is 1.
   *
   * @param events the names of all the call's events
   */
  @CanIgnoreReturnValue
  public ProvokedCall expect(Fault fault, String... events) {
    return expect("1", fault, Map.of(), events);
  }

  /**
   * Expects the same of a call with an id.
   *
   * @param context fields of the log line that are neither of the fault nor of the recorded call
   */
  @CanIgnoreReturnValue
  public ProvokedCall expect(
      @Nullable String id, Fault fault, Map<String, Object> context, String... events) {
    expectAnswer(id, fault);
    expectEvents(fault, events);
    expectLine(id, fault, context);
    expectCounts(fault);
    return this;
  }

  /** The row of the table. */
  private ErrorResponse row(Fault fault) {
    return TRANSLATION.translate(fault, new DialectVersion(Dialect.MCP, null), correlationId);
  }

  public void expectAnswer(@Nullable String id, Fault fault) {
    expectAnswer(id, row(fault));
  }

  public void expectAnswer(@Nullable String id, int status, Words words) {
    expectAnswer(
        id,
        new ErrorResponse(
            Dialect.FLOW, words.code, words.message, JsonValue.parse(data(words)), status));
  }

  private void expectAnswer(@Nullable String id, ErrorResponse row) {
    assertThat(seen.answer().status() + " " + seen.answer().body())
        .isEqualTo(
            """
            %d {"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s","data":%s}}\
            """
                .formatted(row.httpStatus(), id, row.code(), row.message(), row.data()));
    assertThat(seen.answer().headers())
        .contains("content-type: application/json", "x-correlation-id: " + correlationId);
  }

  private void expectEvents(Fault fault, String... names) {
    assertThat(seen.events().stream().map(event -> event.getClass().getSimpleName()))
        .containsExactly(names);
    Event last = seen.events().getLast();
    assertThat(fault(last)).isEqualTo(fault);
    assertThat(errorOf(last)).isEqualTo(row(fault));
  }

  /** The fault of a call's last event. */
  public static Fault fault(Event event) {
    return switch (event) {
      case ErrorTranslated translated -> translated.fault();
      case MessageRefused refused -> refused.fault();
      default -> throw new AssertionError("the last event is no error, but: " + event);
    };
  }

  /** The error response that is recorded in a call's last event. */
  public static ErrorResponse errorOf(Event event) {
    return switch (event) {
      case ErrorTranslated translated -> translated.told();
      case MessageRefused refused -> refused.told();
      default -> throw new AssertionError("the last event is no error, but: " + event);
    };
  }

  public void expectLine(@Nullable String id, Fault fault, Map<String, Object> context) {
    Map<String, Object> expected = new HashMap<>(context);
    FaultComponents.forEachLogField(fault, (name, value) -> putField(expected, name, value));
    expected.put("message", fault.logMessage());
    expected.put("level", fault.severity().word());
    expected.put(
        "severity", fault.severity() == Severity.WARN ? "WARNING" : fault.severity().name());
    expected.put("correlation_id", correlationId);
    expected.put("dialect", "mcp");
    expected.put("code", row(fault).code());
    expected.put("fault", fault.kind());
    if (id != null) {
      expected.put("id", id.startsWith("\"") ? id.replace("\"", "") : Integer.valueOf(id));
      if (!(fault instanceof Malformed)) {
        expected.putIfAbsent("method", "tools/call");
      }
    }
    fault.gate().ifPresent(gate -> expected.put("gate", gate.word()));
    received().ifPresent(call -> addContext(expected, call));
    List<Map<String, Object>> lines =
        seen.lines().stream()
            .filter(line -> line.containsKey("fault"))
            .map(HashMap::new)
            .<Map<String, Object>>map(line -> line)
            .toList();
    lines.forEach(line -> line.keySet().removeAll(List.of("timestamp", "logger", "call_id")));
    assertThat(lines).containsExactly(expected);
  }

  private static void putField(Map<String, Object> expected, String name, Object value) {
    switch (name) {
      case LogField.TARGET -> expected.put("tool", value);
      case LogField.TASK_ID ->
          expected.put(
              name,
              TaskId.parse((String) value).<Object>map(it -> it.callId().toString()).orElse(value));
      default -> expected.put(name, value instanceof Number number ? number.intValue() : value);
    }
  }

  private Optional<CallReceived> received() {
    return seen.events().stream()
        .filter(CallReceived.class::isInstance)
        .map(CallReceived.class::cast)
        .findFirst();
  }

  /** Adds the fields about the call that every log line about an error has. */
  private static void addContext(Map<String, Object> expected, CallReceived call) {
    expected.put("method", call.method());
    expected.putIfAbsent("principal", call.principal().name());
    if (call.source() != null) {
      expected.putIfAbsent("source", call.source());
    }
    String target = call.target();
    if (target != null
        && Stream.of("tool", "resource", "prompt").noneMatch(expected::containsKey)) {
      expected.put(call.method().equals("tools/call") ? "tool" : "target", target);
    }
  }

  /** Expects one more error, and for a denial one more denial. */
  public void expectCounts(Fault fault) {
    int code = row(fault).code();
    Map<String, Double> expected = new HashMap<>();
    String gate = fault.gate().map(it -> it.word()).orElse("");
    expected.put(
        "thoughtgate_errors_total{category=\"%s\",code=\"%s\",gate=\"%s\"}"
            .formatted(
                fault.category().word(),
                DefinedErrors.hasCode(Dialect.MCP, code) ? code : "other",
                gate),
        1.0);
    seen.events().stream()
        .filter(GateDenied.class::isInstance)
        .forEach(denied -> expected.put(denials(gate, ((GateDenied) denied).reason()), 1.0));
    assertThat(gained).isEqualTo(expected);
  }

  /**
   * Expects the reason of a denial in the journal and, by {@link #expectCounts}, in the counter.
   */
  public void expectReason(DenialReason reason) {
    assertThat(seen.events().stream().filter(GateDenied.class::isInstance))
        .map(denied -> ((GateDenied) denied).reason())
        .containsExactly(reason);
    assertThat(gained)
        .containsKey(
            denials(
                seen.events().stream()
                    .filter(GateDenied.class::isInstance)
                    .map(denied -> ((GateDenied) denied).gate().word())
                    .findFirst()
                    .orElseThrow(),
                reason));
  }

  private static String denials(String gate, DenialReason reason) {
    return "thoughtgate_gate_denials_total{gate=\"%s\",reason=\"%s\"}"
        .formatted(gate, reason.word());
  }

  public String data(Words words) {
    return """
    {"correlation_id":"%s"%s}\
    """
        .formatted(correlationId, words.data.isEmpty() ? "" : "," + words.data);
  }
}
