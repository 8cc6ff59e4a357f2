package gatebook.api.dialect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.Tongue;
import gatebook.events.call.Dialect;
import gatebook.events.call.Json;
import gatebook.events.call.Told;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.ServerFault.InternalError;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class McpVocabularyTest {

  private static final Tongue MCP = new Tongue(Dialect.MCP, null);

  private final Translation translation = new Translation();

  @Test
  void everyKindOfFaultIsToldAsTheTableSays() throws IOException {
    assertThat(Faults.all().stream().map(Fault::kind).collect(toSet()))
        .isEqualTo(kinds(Fault.class).collect(toSet()));
    assertThat(Faults.all().stream().map(this::line).collect(joining())).isEqualTo(table());
  }

  @Test
  @DisplayName("test_no_sensitive_data_in_response")
  void nothingThatIsHiddenIsTold() {
    assertThat(Faults.all()).map(this::line).noneMatch(line -> line.contains(Faults.SECRET));
  }

  @Test
  @DisplayName("test_error_data_includes_correlation")
  void dataAlwaysNamesTheCall() {
    assertThat(Faults.all())
        .map(fault -> String.valueOf(tell(fault).data()))
        .allMatch(data -> data.startsWith("{\"correlation_id\":\"c-1\""));
  }

  @Test
  @DisplayName("test_error_data_includes_gate")
  void dataNamesTheGateThatDeniedTheCall() {
    assertThat(Faults.all().stream().filter(Denied.class::isInstance))
        .allMatch(fault ->
            String.valueOf(tell(fault).data())
                .contains("\"gate\":\"%s\"".formatted(fault.gate().orElseThrow().word())));
  }

  @Test
  @DisplayName("test_gate1_error_format")
  void aToolThatIsNotShown() {
    expect(
        new Denied.ToolNotExposed("t", "s"),
        -32015,
        "Tool 't' is not available",
        "\"gate\":\"visibility\",\"tool\":\"t\"");
  }

  @Test
  @DisplayName("test_gate2_error_format")
  void aToolThatARuleDenies() {
    expect(
        new Denied.GovernanceRuleDenied("t", "t*", true),
        -32014,
        "Tool 't' is denied by governance rules",
        "\"gate\":\"governance\",\"tool\":\"t\",\"details\":\"Matched rule: t*\"");
  }

  @Test
  @DisplayName("test_gate3_error_format")
  void aToolThatThePoliciesDeny() {
    expect(
        new Denied.PolicyDenied("t", "p", "r"),
        -32003,
        "Policy denied access to tool 't'",
        "\"gate\":\"policy\",\"tool\":\"t\"");
  }

  @Test
  @DisplayName("test_gate4_rejected_format")
  void aCallThatAPersonRejected() {
    expect(
        new Denied.ApprovalRejected("t", "alice", null, null),
        -32007,
        "Approval rejected for tool 't'",
        "\"gate\":\"approval\",\"tool\":\"t\",\"details\":\"Rejected by: alice\"");
  }

  @Test
  @DisplayName("test_gate4_timeout_format")
  void aCallThatNobodyDecidedInTime() {
    expect(
        new Denied.ApprovalTimeout("t", 600, null),
        -32008,
        "Approval timeout for tool 't' after 600s",
        "\"gate\":\"approval\",\"tool\":\"t\",\"details\":\"nobody decided within 600s: ask"
            + " again\"");
  }

  @Test
  @DisplayName("test_workflow_not_found_format")
  void aWorkflowThatIsNotThere() {
    expect(
        new Denied.WorkflowNotFound("w"),
        -32017,
        "Approval workflow 'w' not found",
        "\"gate\":\"approval\",\"details\":\"Check approval.w in config\"");
  }

  @Test
  @DisplayName("EC-ERR-002")
  void textsAreCutToAKibibyteOfWholeCodePoints() {
    String smile = "\ud83d\ude00";

    assertThat(Cut.text("a".repeat(1_024))).isEqualTo("a".repeat(1_024));
    assertThat(Cut.text("a".repeat(1_025))).isEqualTo("a".repeat(1_024));
    assertThat(Cut.text("abc" + smile.repeat(256))).isEqualTo("abc" + smile.repeat(255));
    assertThat(Cut.text("\u00e9".repeat(513))).isEqualTo("\u00e9".repeat(512));
    assertThat(tell(new MethodNotFound("m".repeat(5_000))).data())
        .isEqualTo(
            Json.parse(
                "{\"correlation_id\":\"c-1\",\"details\":\"%s\"}".formatted("m".repeat(1_024))));
  }

  @Test
  @DisplayName("EC-ERR-001")
  void anErrorWhileTranslatingIsAnInternalError() {
    Vocabulary failing =
        new Vocabulary() {
          @Override
          public Dialect dialect() {
            return Dialect.MCP;
          }

          @Override
          public Told tell(Fault fault, String correlationId) {
            if (fault instanceof InternalError) {
              return new McpVocabulary().tell(fault, correlationId);
            }
            throw new IllegalStateException("no words");
          }
        };

    assertThat(new Translation(List.of(failing)).tell(new MethodNotFound("m"), MCP, "c-1"))
        .isEqualTo(
            new Told(
                Dialect.MCP,
                -32603,
                "Internal error",
                Json.parse("{\"correlation_id\":\"c-1\"}"),
                200));
  }

  private void expect(Fault fault, int code, String message, String data) {
    assertThat(tell(fault))
        .isEqualTo(
            new Told(
                Dialect.MCP,
                code,
                message,
                Json.parse("{\"correlation_id\":\"c-1\"," + data + "}"),
                200));
  }

  private Told tell(Fault fault) {
    return translation.tell(fault, MCP, "c-1");
  }

  private String line(Fault fault) {
    Told told = tell(fault);
    return "%s %d %d %s %s\n"
        .formatted(fault.kind(), told.httpStatus(), told.code(), told.message(), told.data());
  }

  private static String table() throws IOException {
    try (InputStream table =
        Objects.requireNonNull(McpVocabularyTest.class.getResourceAsStream("mcp.txt"))) {
      return new String(table.readAllBytes(), UTF_8);
    }
  }

  private static Stream<String> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(McpVocabularyTest::kinds)
        : Stream.of(type.getSimpleName());
  }
}
