package gatebook.api.upstream.source;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.rpc.TextRewrite;
import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.api.upstream.UpstreamErrors;
import gatebook.command.call.DialectVersion;
import gatebook.command.rules.Source;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported.ContentTypeNotSupported;
import gatebook.events.fault.Unsupported.ExtendedAgentCardNotConfigured;
import gatebook.events.fault.Unsupported.ExtensionSupportRequired;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamErrorsTest {

  private static final Source MCP = source(Source.Kind.MCP, Source.ForeignErrors.PASS);
  private static final Source WRAPPED = source(Source.Kind.MCP, Source.ForeignErrors.WRAP);
  private static final Source JSONRPC = source(Source.Kind.JSONRPC, Source.ForeignErrors.PASS);

  private final UpstreamErrors errors =
      new UpstreamErrors(
          UpstreamErrorsTest::scrubbed,
          jsonValue -> TextRewrite.changed(jsonValue, UpstreamErrorsTest::scrubbed));
  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        " | {}",
        "null | {\"upstream\":null}",
        "1.50 | {\"upstream\":1.50}",
        """
        "at sk-secret" | {"upstream":"at [REDACTED]"}\
        """,
        """
        [1,null,{"k":"sk-secret"}] | {"upstream":[1,null,{"k":"[REDACTED]"}]}\
        """,
        """
        {"supported":["a"],"n":1e400} | {"supported":["a"],"n":1e400}\
        """,
        """
        {"a":1,"correlation_id":"theirs"} | \
        {"a":1,"upstream":{"correlation_id":"theirs"}}\
        """,
        """
        {"gate":"policy","upstream":[],"tool":"t"} | \
        {"tool":"t","upstream":{"gate":"policy","upstream":[]}}\
        """,
        """
        {"sk-secret":1,"[REDACTED]":2} | {"[REDACTED]":1,"[REDACTED] 2":2}\
        """
      })
  void aPassedErrorKeepsItsCodeAndData(@Nullable String data, String expectedData) {
    assertThat(response(MCP, new ForeignError("tools", -32_022, "bad sk-secret", json(data), 400)))
        .isEqualTo(
            new ErrorResponse(
                Dialect.MCP, -32_022, "bad [REDACTED]", withOwnMembers(expectedData), 200));
  }

  /** The correlation id comes first; {@code upstream} comes last, also when it is empty. */
  private static JsonValue withOwnMembers(String theirs) {
    String members = theirs.substring(1, theirs.length() - 1);
    return JsonValue.parse(
        """
        {"correlation_id":"c-1"%s%s}\
        """
            .formatted(
                members.isEmpty() ? "" : "," + members,
                members.contains("\"upstream\"") ? "" : ",\"upstream\":{}"));
  }

  @Test
  void longTextsAreShortenedInResponses() {
    String text = "é".repeat(2_000);
    ForeignError error =
        new ForeignError(
            "tools", 7, text, JsonValue.parse("{\"a\":[\"%s\"]}".formatted(text)), 200);

    assertThat(response(MCP, error))
        .isEqualTo(
            new ErrorResponse(
                Dialect.MCP,
                7,
                "é".repeat(512),
                JsonValue.parse(
                    """
                    {"correlation_id":"c-1","a":["%s"],"upstream":{}}\
                    """
                        .formatted("é".repeat(512))),
                200));
  }

  @Test
  void tooLargeDataIsAShortenedString() {
    String large = "[" + "1,".repeat(UpstreamErrors.KEPT_BYTES_MAX / 2) + "1]";

    assertThat(response(MCP, new ForeignError("tools", 7, "x", JsonValue.parse(large), 200)).data())
        .isEqualTo(withOwnMembers("{\"upstream\":\"%s\"}".formatted(large.substring(0, 1_024))));
  }

  @Test
  void whatAgentsSayOfARequestIsItsOwnFault() {
    Source agent = source(Source.Kind.A2A, Source.ForeignErrors.WRAP);
    String words = "needs sk-secret";

    assertThat(errors.fault(agent, new ForeignError("a", -32_005, words, null, null)))
        .isEqualTo(new ContentTypeNotSupported("needs [REDACTED]", List.of()));
    assertThat(errors.fault(agent, new ForeignError("a", -32_007, words, null, null)))
        .isEqualTo(new ExtendedAgentCardNotConfigured());
    assertThat(errors.fault(agent, new ForeignError("a", -32_008, words, null, null)))
        .isEqualTo(new ExtensionSupportRequired("needs [REDACTED]"));
    assertThat(errors.fault(agent, new ForeignError("a", -32_600, words, null, null)))
        .isEqualTo(new InvalidRequest(EnvelopeDefect.REFUSED_BY_AGENT, "needs [REDACTED]"));
    assertThat(errors.fault(agent, new ForeignError("a", -32_602, words, null, null)))
        .isEqualTo(
            new InvalidParams(
                List.of(new Problem("params", "needs [REDACTED]", null, null, List.of()))));
    assertThat(errors.fault(MCP, new ForeignError("tools", -32_005, words, null, null)))
        .isEqualTo(new UpstreamError("tools", -32_005, "needs [REDACTED]", null, null, true));
  }

  @Test
  void aMissingMessageIsReplaced() {
    assertThat(response(MCP, new ForeignError("tools", 7, null, JsonValue.parse("1"), 200)))
        .isEqualTo(
            new ErrorResponse(
                Dialect.MCP, 7, "no message was given", withOwnMembers("{\"upstream\":1}"), 200));
  }

  @Test
  void aWrappedErrorIsAGatebookError() {
    ForeignError error =
        new ForeignError("tools", -32_022, "bad sk-secret", JsonValue.parse("[1]"), 200);
    ErrorResponse wrapped =
        new ErrorResponse(
            Dialect.MCP,
            -32_002,
            "The upstream server returned an error",
            withOwnMembers(
                """
                {"details":"bad [REDACTED]"}\
                """),
            200);

    assertThat(response(WRAPPED, error)).isEqualTo(wrapped);
    assertThat(response(JSONRPC, error)).isEqualTo(wrapped);
    assertThat(response(MCP, new ForeignError("tools", null, "bad sk-secret", null, 200)))
        .as("an error without a code is not a JSON-RPC error")
        .isEqualTo(
            new ErrorResponse(Dialect.MCP, wrapped.code(), wrapped.message(), wrapped.data(), 200));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-32022 | 200",
        "       | 200",
        "       |    ",
      })
  void everyErrorOfASourceKeepsItsGateAndCorrelationId(
      @Nullable Integer code, @Nullable Integer status) {
    JsonValue data =
        JsonValue.parse(
            """
            {"gate":"policy","correlation_id":"at sk-secret","tool":"t"}\
            """);

    assertThat(response(WRAPPED, new ForeignError("tools", code, "no", data, status)).data())
        .isEqualTo(
            withOwnMembers(
                """
                {"details":"no","upstream":{"gate":"policy","correlation_id":"at [REDACTED]"}}\
                """));
  }

  @ParameterizedTest
  @CsvSource({"500, true", "400, true", "302, false", "200, false"})
  void aStatusForErrorsIsAnErrorOfTheSource(int status, boolean isError) {
    UpstreamError fault = new UpstreamError("tools", null, "status", null, status);
    DialectVersion mcp = new DialectVersion(Dialect.MCP, null);

    assertThat(errorTranslation.translate(fault, mcp, "c-1").data())
        .asString()
        .matches(isError ? ".*\"upstream\":\\{}}" : ".*\"details\":\"status\"}");
  }

  @Test
  void theFaultKeepsTheErrorHoweverItIsReported() {
    ForeignError error = new ForeignError("tools", 7, "sk-secret", JsonValue.parse("[1]"), 404);

    assertThat(errors.fault(MCP, error))
        .isEqualTo(new UpstreamError("tools", 7, "[REDACTED]", JsonValue.parse("[1]"), 404, true));
    assertThat(errors.fault(WRAPPED, error))
        .isEqualTo(new UpstreamError("tools", 7, "[REDACTED]", JsonValue.parse("[1]"), 404));
  }

  private ErrorResponse response(Source source, ForeignError error) {
    return errorTranslation.translate(
        errors.fault(source, error), new DialectVersion(Dialect.MCP, null), "c-1");
  }

  private static @Nullable JsonValue json(@Nullable String text) {
    return text == null ? null : JsonValue.parse(text);
  }

  private static Source source(Source.Kind kind, Source.ForeignErrors errors) {
    Source source = TestSources.source(URI.create("http://x/"), kind, "", Map.of(), 5_000, 30_000);
    return new Source(
        source.id(),
        kind,
        source.url(),
        "",
        true,
        source.expose(),
        Map.of(),
        errors,
        source.connectMillis(),
        source.answerMillis());
  }

  private static String scrubbed(String text) {
    return text.replace("sk-secret", "[REDACTED]");
  }
}
