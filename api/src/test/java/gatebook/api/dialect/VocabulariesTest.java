package gatebook.api.dialect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultScrubber;
import gatebook.command.redact.Scrubber;
import gatebook.events.Tables;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.UnknownSkill;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every vocabulary, with any codes. */
final class VocabulariesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The names that A2A 1.0 has for its own errors. */
  private static final List<String> REASONS =
      List.of(
          "TASK_NOT_FOUND",
          "TASK_NOT_CANCELABLE",
          "PUSH_NOTIFICATION_NOT_SUPPORTED",
          "UNSUPPORTED_OPERATION",
          "CONTENT_TYPE_NOT_SUPPORTED",
          "INVALID_AGENT_RESPONSE",
          "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
          "EXTENSION_SUPPORT_REQUIRED",
          "VERSION_NOT_SUPPORTED");

  /** As the gateway generates them. */
  private static final String TASK_ID =
      "gb_0192f5c3a1b27d4e8f6a9c0b1d2e3f409f86d081884c7d659a2feaa0c55ad015";

  private static final String CORRELATION = "\"correlation_id\":\"c-1\"";

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  void everyKindHasAFault() {
    assertThat(Faults.all().stream().map(Fault::kind).collect(toSet()))
        .isEqualTo(Faults.kinds(Fault.class).map(Class::getSimpleName).collect(toSet()));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "test_gate1_error_format, test_gate2_error_format, test_gate3_error_format,"
          + " test_gate4_rejected_format, test_gate4_timeout_format,"
          + " test_workflow_not_found_format")
  void everyFaultMatchesTheTable(VocabularyCase vocabularyCase) throws IOException {
    Tables.expect(
        "api/src/test/resources/gatebook/api/dialect/%s.txt"
            .formatted(vocabularyCase.name().toLowerCase(Locale.ROOT)),
        Faults.all().stream().map(fault -> line(vocabularyCase, fault)).collect(joining()));
  }

  /** Texts that callers chose lose secrets; an id of a task of this gateway stays. */
  @Test
  void everyFaultIsScrubbedAsTheTableSays() throws IOException {
    Tables.expect(
        "api/src/test/resources/gatebook/api/dialect/scrubbed.txt",
        Stream.of("sk-proj-" + "a1B2c3D4".repeat(10), TASK_ID)
            .flatMap(secret ->
                Faults.all(secret).stream()
                    .map(fault -> FaultScrubber.scrub(fault, Scrubber.NAMES).toString())
                    .map(fault -> fault.replace(secret, "kept") + "\n"))
            .collect(joining()));
  }

  /** One that is not declared would be neither scrubbed nor logged, and nobody would notice. */
  @Test
  void everyTextInAFaultIsDeclared() {
    assertThat(
            Stream.concat(Faults.kinds(Fault.class), Stream.of(Problem.class))
                .flatMap(kind -> Stream.of(kind.getRecordComponents()))
                .filter(VocabulariesTest::mayHaveText)
                .filter(it -> it.getAnnotations().length == 0))
        .isEmpty();
  }

  /** Numbers, truth values and words of closed lists have none. */
  private static boolean mayHaveText(RecordComponent component) {
    Class<?> type = component.getType();
    return !type.isPrimitive()
        && !Number.class.isAssignableFrom(type)
        && type != Boolean.class
        && !type.isEnum();
  }

  @Test
  void olderA2aVersionLacksThreeCodes() {
    assertThat(
            Faults.all().stream()
                .filter(fault ->
                    errorResponse(VocabularyCase.A2A_0_3, fault).code()
                        != errorResponse(VocabularyCase.A2A_1_0, fault).code()))
        .extracting(fault -> errorResponse(VocabularyCase.A2A_0_3, fault).code())
        .containsExactly(-32600, -32004, -32004);
  }

  /** What testers of the protocol demand of every error. */
  @Test
  void onlyTheProtocolsOwnErrorsHaveItsReasons() {
    for (Fault fault : Faults.all()) {
      ErrorResponse errorResponse = errorResponse(VocabularyCase.A2A_1_0, fault);
      boolean isOfProtocol = errorResponse.code() >= -32099 && errorResponse.code() <= -32001;
      List<JsonNode> infos = errorInfos(errorResponse);

      assertThat(infos)
          .extracting(info -> info.get("domain").asText())
          .isEqualTo(isOfProtocol ? List.of("a2a-protocol.org", "gatebook") : List.of("gatebook"));
      assertThat(infos.getLast().at("/metadata/correlation_id").asText()).isEqualTo("c-1");
      assertThat(infos)
          .allSatisfy(
              info -> assertThat(info.get("metadata")).allMatch(JsonNode::isTextual, "only texts"));
      if (isOfProtocol) {
        assertThat(infos.getFirst().get("reason").asText()).isIn(REASONS);
      }
    }
  }

  private static List<JsonNode> errorInfos(ErrorResponse errorResponse) {
    try {
      JsonNode data = JSON.readTree(String.valueOf(errorResponse.data()));
      return StreamSupport.stream(data.spliterator(), false)
          .filter(info -> info.get("@type").asText().endsWith("ErrorInfo"))
          .toList();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("test_no_sensitive_data_in_response")
  void hiddenTextsAreNotDisclosed(VocabularyCase vocabularyCase) {
    assertThat(Faults.all())
        .map(fault -> line(vocabularyCase, fault))
        .noneMatch(line -> line.contains(Faults.SECRET));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("test_error_data_includes_correlation")
  void dataAlwaysNamesTheCall(VocabularyCase vocabularyCase) {
    assertThat(Faults.all())
        .map(fault -> String.valueOf(errorResponse(vocabularyCase, fault).data()))
        .allMatch(data -> data.contains(CORRELATION));
  }

  /** In A2A a hidden skill gets the same error as one that does not exist. */
  private static boolean isHiddenSkill(VocabularyCase vocabularyCase, Fault fault) {
    return vocabularyCase.dialectVersion().dialect() == Dialect.A2A
        && fault instanceof Denied.ToolNotExposed(_, _, var content)
        && content == null;
  }

  @ParameterizedTest
  @EnumSource(names = {"A2A", "A2A_0_3", "A2A_1_0"})
  void hiddenAndUnknownSkillsLookTheSame(VocabularyCase vocabularyCase) {
    ErrorResponse unknown = errorResponse(vocabularyCase, new UnknownSkill("s"));

    assertThat(errorResponse(vocabularyCase, new Denied.ToolNotExposed("s", "tools")))
        .isEqualTo(unknown);
    assertThat(errorResponse(vocabularyCase, new Denied.ToolNotExposed("a/skills/s", "a")))
        .isEqualTo(unknown);
    assertThat(errorResponse(vocabularyCase, new Denied.ToolNotExposed("a/GetTask", "a")))
        .isNotEqualTo(unknown);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("test_error_data_includes_gate")
  void dataNamesTheGateThatDeniedTheCall(VocabularyCase vocabularyCase) {
    assertThat(
            Faults.all().stream()
                .filter(fault -> fault instanceof Denied && !isHiddenSkill(vocabularyCase, fault)))
        .allMatch(fault ->
            String.valueOf(errorResponse(vocabularyCase, fault).data())
                .contains("\"gate\":\"%s\"".formatted(fault.gate().orElseThrow().word())));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("EC-ERR-001")
  void failedTranslationIsAnInternalErrorWithTheCallsId(VocabularyCase vocabularyCase) {
    ErrorTranslation failing =
        new ErrorTranslation(_ -> {
          throw new IllegalStateException("hidden inner words");
        });

    ErrorResponse errorResponse =
        failing.translate(new MethodNotFound("m"), vocabularyCase.dialectVersion(), "c-1");

    assertThat(errorResponse.code()).isEqualTo(-32603);
    assertThat(errorResponse.message()).isEqualTo("Internal error");
    assertThat(String.valueOf(errorResponse.data())).contains(CORRELATION).doesNotContain("hidden");
  }

  @Test
  void vocabularyFailingForEveryFaultStillReturnsAnError() {
    ErrorTranslation failing =
        new ErrorTranslation(
            _ ->
                _ -> {
                  throw new StackOverflowError();
                },
            UnaryOperator.identity());

    assertThat(
            failing.translate(
                new MethodNotFound("m"), new DialectVersion(Dialect.MCP, null), "c-1"))
        .isEqualTo(
            new ErrorResponse(
                Dialect.MCP,
                -32603,
                "Internal error",
                JsonValue.parse("{" + CORRELATION + "}"),
                200));
  }

  @Test
  @DisplayName("EC-ERR-002")
  void textsAreCutToAKibibyteOfWholeCodePoints() {
    String smile = "\ud83d\ude00";

    assertThat(cut("a".repeat(1_024))).isEqualTo("a".repeat(1_024));
    assertThat(cut("a".repeat(1_025))).isEqualTo("a".repeat(1_024));
    assertThat(cut("abc" + smile.repeat(256))).isEqualTo("abc" + smile.repeat(255));
    assertThat(cut("\u00e9".repeat(513))).isEqualTo("\u00e9".repeat(512));
    assertThat(errorResponse(VocabularyCase.MCP, new MethodNotFound("m".repeat(5_000))).data())
        .isEqualTo(
            JsonValue.parse("{%s,\"details\":\"%s\"}".formatted(CORRELATION, "m".repeat(1_024))));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("EC-ERR-002")
  void neitherMessagesNorTextsInDataAreLong(VocabularyCase vocabularyCase) {
    String endless = "x".repeat(1 << 15);

    assertThat(Faults.all(endless))
        .map(fault -> errorResponse(vocabularyCase, fault))
        .allMatch(errorResponse ->
            errorResponse.message().getBytes(UTF_8).length <= 1_024
                && !String.valueOf(errorResponse.data()).contains("x".repeat(1_025)));
  }

  @Test
  @DisplayName("EC-ERR-003")
  void halvesOfCharactersAreReplaced() {
    assertThat(cut("a\ud83db\ude00c")).isEqualTo("a\ufffdb\ufffdc");
    assertThat(
            errorResponse(VocabularyCase.MCP, new UpstreamError("s", -1, "caf\ud83d", null, null))
                .data())
        .isEqualTo(
            JsonValue.parse(
                """
                {%s,"details":"caf\ufffd","upstream":{}}\
                """
                    .formatted(CORRELATION)));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("EC-ERR-006")
  void everyTextIsScrubbedBeforeItIsCut(VocabularyCase vocabularyCase) {
    String secret = "s3cr3t";
    ErrorTranslation scrubbing = new ErrorTranslation(text -> text.replace(secret, "[secret]"));

    for (String planted : List.of(secret, "x".repeat(1_021) + secret)) {
      assertThat(Faults.all(planted))
          .map(fault -> scrubbing.translate(fault, vocabularyCase.dialectVersion(), "c-1"))
          .map(errorResponse -> errorResponse.message() + errorResponse.data())
          .map(text -> withoutOwnId(vocabularyCase, text))
          .noneMatch(text -> text.contains("s3c"));
    }
  }

  /** A caller of A2A gets the id of a task as it sent it. */
  private static String withoutOwnId(VocabularyCase vocabularyCase, String text) {
    return vocabularyCase.dialectVersion().dialect() == Dialect.A2A
        ? text.replaceAll("\"(task_id|taskId)\":\"[^\"]*\"", "")
        : text;
  }

  private ErrorResponse errorResponse(VocabularyCase vocabularyCase, Fault fault) {
    return errorTranslation.translate(fault, vocabularyCase.dialectVersion(), "c-1");
  }

  private String line(VocabularyCase vocabularyCase, Fault fault) {
    ErrorResponse errorResponse = errorResponse(vocabularyCase, fault);
    return "%s %s %s %d %d %s %s\n"
        .formatted(
            fault.kind(),
            fault.category().word(),
            fault.severity().word(),
            Objects.requireNonNull(errorResponse.httpStatus()),
            errorResponse.code(),
            errorResponse.message(),
            errorResponse.data());
  }

  private static String cut(String text) {
    return Scrubber.truncate(text, PublicText.BYTES_MAX);
  }
}
