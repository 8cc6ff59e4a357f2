package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.fault.ServerFault.InternalError;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The errors of each dialect for malformed messages, unknown methods and unexpected exceptions. */
final class DialectErrorsTest {

  private static final String JSON = "Content-Type: application/json";
  private static final int BODY_BYTES_MAX = 10_485_760;
  private static final int DEPTH_MAX = 256;
  private static final int PARSE_ERROR = -32_700;
  private static final int INVALID_REQUEST = -32_600;

  /** A dialect's path, and the form its errors have. */
  enum DialectPath {
    MCP("/mcp") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        String reason = code == INVALID_REQUEST ? ",\"reason\":\"" + row.reason + "\"" : "";
        return body(id, code, message, "\"details\":\"" + row.details + "\"" + reason);
      }
    },
    MCP_V1("/mcp/v1") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        return MCP.error(id, code, message, row);
      }
    },
    RPC("/rpc") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        String reason = code == INVALID_REQUEST ? "\"reason\":\"" + row.reason + "\"" : "";
        boolean isBatch = row.reason.equals("batch-not-supported");
        return body(
            id,
            code,
            isBatch ? "Batch requests not supported" : message + ": " + row.details,
            reason);
      }
    },
    FLOW("/flow") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        String field = row.field == null ? "" : "\"field\":\"" + row.field + "\",";
        return body(
            id,
            code,
            message,
            """
            %s"reason":"%s","details":"%s"\
            """
                .formatted(field, row.reason, row.details));
      }
    },
    FLOW_TASKS("/flow/tasks") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        return FLOW.error(id, code, message, row);
      }
    },
    A2A("/a2a") {
      @Override
      String error(String id, int code, String message, MalformedCase row) {
        return body(
            id,
            code,
            message,
            """
            "details":"%s","reason":"%s"\
            """
                .formatted(row.details, row.reason));
      }
    };

    final String path;

    DialectPath(String path) {
      this.path = path;
    }

    abstract String error(String id, int code, String message, MalformedCase row);

    static String body(String id, int code, String message, String moreData) {
      return """
      {"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s",\
      "data":{"correlation_id":"c"%s}}}\
      """
          .formatted(id, code, message, moreData.isEmpty() ? "" : "," + moreData);
    }
  }

  /** A malformed body and its expected error. */
  @SuppressWarnings("ArrayRecordComponent") // sent once and never compared
  record MalformedCase(
      byte[] body, String id, int code, String reason, String details, @Nullable String field) {

    static MalformedCase unparsable(String body, String id, String reason, String details) {
      return new MalformedCase(body.getBytes(ISO_8859_1), id, PARSE_ERROR, reason, details, null);
    }

    static MalformedCase invalid(String body, String id, String reason, String details) {
      return invalid(body, id, reason, details, null);
    }

    static MalformedCase invalid(
        String body, String id, String reason, String details, @Nullable String field) {
      return new MalformedCase(
          body.getBytes(ISO_8859_1), id, INVALID_REQUEST, reason, details, field);
    }

    String message() {
      return code == PARSE_ERROR ? "Parse error" : "Invalid Request";
    }
  }

  private static List<MalformedCase> rows() {
    String begun =
        """
        {"jsonrpc":"2.0","id":7,"method":\
        """;
    String call = begun + "\"m\",\"params\":{}}";
    String twice = begun + "\"m\",\"params\":{\"a\":1,";
    String idKind = "an id is text, a whole number or null";
    String batch = "Batch requests not supported: send one message at a time";
    return List.of(
        MalformedCase.unparsable("{\"id\":3,\"jsonrpc\":", "3", "syntax", "syntax at byte 18"),
        MalformedCase.unparsable("", "null", "empty", "empty at byte 0"),
        MalformedCase.unparsable(
            begun + "\"\u00ff\"}",
            "7",
            "invalid-utf8",
            "invalid-utf8 at byte " + (begun.length() + 1)),
        MalformedCase.unparsable(
            "\u00ef\u00bb\u00bf" + call, "7", "byte-order-mark", "byte-order-mark at byte 0"),
        MalformedCase.unparsable(
            begun + "\"\\ud800\"}",
            "7",
            "lone-surrogate",
            "lone-surrogate at byte " + begun.length()),
        MalformedCase.unparsable(
            call + " x", "7", "trailing-bytes", "trailing-bytes at byte " + call.length()),
        MalformedCase.invalid("7", "null", "not-an-object", "not an object"),
        MalformedCase.invalid(
            call.replace("2.0", "1.0"), "7", "version-wrong", "version wrong", "jsonrpc"),
        MalformedCase.invalid(
            """
            {"id":7,"method":"m","params":{}}\
            """,
            "7",
            "version-missing",
            "version missing",
            "jsonrpc"),
        MalformedCase.invalid(
            """
            {"jsonrpc":"2.0","id":7,"params":{}}\
            """,
            "7",
            "method-missing",
            "method missing",
            "method"),
        MalformedCase.invalid(
            begun + "1,\"params\":{}}", "7", "method-not-text", "method not text", "method"),
        MalformedCase.invalid(
            begun + "\"m\",\"params\":1}",
            "7",
            "params-not-structured",
            "params not structured",
            "params"),
        MalformedCase.invalid(
            twice + "\"a\":2}}", "7", "duplicate-key", "at byte " + twice.length()),
        MalformedCase.invalid(
            begun + "\"m\",\"params\":" + "[".repeat(DEPTH_MAX) + "]".repeat(DEPTH_MAX) + "}",
            "7",
            "too-deep",
            "at most 256 levels"),
        MalformedCase.invalid("[" + call + "]", "null", "batch-not-supported", batch),
        MalformedCase.invalid("[]", "null", "batch-not-supported", batch),
        MalformedCase.invalid(call.replace(":7,", ":1.5,"), "null", "invalid-id-type", idKind),
        MalformedCase.invalid(call.replace(":7,", ":true,"), "null", "invalid-id-type", idKind),
        MalformedCase.invalid(call.replace(":7,", ":{},"), "null", "invalid-id-type", idKind),
        MalformedCase.invalid(call.replace(":7,", ":[],"), "null", "invalid-id-type", idKind),
        MalformedCase.invalid(
            call + " ".repeat(BODY_BYTES_MAX + 1 - call.length()),
            "null",
            "oversize",
            "at most 10485760 bytes"));
  }

  /** A limit so high that every refusal of these tests is recorded, not only counted. */
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      limits: {refusals_per_second_max: 10000}
      """;

  @RegisterExtension private static final TestNodes NODES = new TestNodes();
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node = NODES.shared(RULES);
  }

  @ParameterizedTest
  @EnumSource
  void malformedMessageIsADialectError(DialectPath way) throws IOException {
    for (MalformedCase row : rows()) {
      Answer answer = post(way, row.body, JSON);

      assertThat(answer.status() + " " + answer.body())
          .isEqualTo("200 " + way.error(row.id, row.code, row.message(), row));
      assertThat(lastEvent()).isInstanceOf(MessageRefused.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongMediaTypeOrCharsetIsADialectError(DialectPath way) throws IOException {
    String right = way == DialectPath.RPC ? "application/vscode-jsonrpc" : "application/json";
    MalformedCase type =
        MalformedCase.invalid("{}", "null", "unsupported-content-type", "send " + right);
    MalformedCase charset = MalformedCase.invalid("{}", "null", "bad-charset", "send utf-8");

    assertThat(post(way, type.body, "Content-Type: text/plain").body())
        .isEqualTo(way.error("null", INVALID_REQUEST, "Invalid Request", type));
    assertThat(post(way, charset.body, JSON + "; charset=latin1").body())
        .isEqualTo(way.error("null", INVALID_REQUEST, "Invalid Request", charset));
  }

  @ParameterizedTest
  @EnumSource
  void idIsReturnedAsTheTokenThatWasSent(DialectPath way) throws IOException {
    for (String id : List.of("1", "\"1\"", "12345678901234567890", "\"\\u0061\"", "null", "-0")) {
      assertThat(
              post(
                      way,
                      """
                      {"jsonrpc":"2.0","method":"no/such","params":{},"id":%s}\
                      """
                          .formatted(id))
                  .body())
          .isEqualTo(
              switch (way) {
                case MCP, MCP_V1, A2A ->
                    DialectPath.body(id, -32601, "Method not found", "\"details\":\"no/such\"");
                case RPC -> DialectPath.body(id, -32601, "Method not found: no/such", "");
                case FLOW, FLOW_TASKS ->
                    DialectPath.body(id, -32601, "Method not found", "\"method\":\"no/such\"");
              });
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"FLOW", "FLOW_TASKS"},
      mode = EnumSource.Mode.EXCLUDE)
  void errorOfANotificationIsOnlyRecorded(DialectPath way) throws IOException {
    Answer answer =
        post(
            way,
            """
            {"jsonrpc":"2.0","method":"no/such"}\
            """);

    assertThat(answer.status() + answer.body()).isEqualTo("202");
    assertThat(lastEvent()).isInstanceOf(ErrorTranslated.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'jsonrpc':'2.0','method':'m','params':{}} | null | id",
        "{'jsonrpc':'2.0','method':'m'} | null | id",
        "{'jsonrpc':'2.0','id':7,'method':'m'} | 7 | params",
        "{'jsonrpc':'2.0','id':7,'method':'m','params':null} | 7 | params"
      })
  void onlyFlowRequiresIdAndParams(String body, String id, String field) throws IOException {
    MalformedCase row =
        MalformedCase.invalid("", id, field + "-missing", field + " missing", field);

    assertThat(post(DialectPath.FLOW, body.replace('\'', '"')).body())
        .isEqualTo(DialectPath.FLOW.error(id, INVALID_REQUEST, "Invalid Request", row));
  }

  @ParameterizedTest
  @EnumSource
  void exceptionBeforeReadingIsARecordedInternalError(DialectPath way) throws IOException {
    Answer answer =
        post(
            way,
            """
            {"jsonrpc":"2.0","id":7,"method":"ping"}\
            """
                .getBytes(UTF_8),
            JSON,
            "X-Test-Failing-Filter: yes");

    assertThat(answer.status() + " " + answer.body())
        .isEqualTo(
            (way == DialectPath.A2A ? "500 " : "200 ")
                + DialectPath.body("null", -32603, "Internal error", ""));
    assertThat(answer.headers()).contains("x-correlation-id: c");
    assertThat(((MessageRefused) lastEvent()).fault())
        .isEqualTo(new InternalError("serving a message", "IllegalStateException"));
  }

  @ParameterizedTest
  @EnumSource
  void otherHttpMethodsGetTheAllowHeader(DialectPath way) throws IOException {
    for (String method : List.of("GET", "PUT", "DELETE")) {
      Answer answer =
          RawHttp.request(
              callers(),
              method,
              way.path,
              "Host: localhost:" + callers().port(),
              "X-Correlation-Id: c");

      assertThat(answer.status() + " " + answer.body())
          .isEqualTo(
              "405 "
                  + DialectPath.body(
                      "null",
                      -32600,
                      "Invalid Request",
                      """
                      "details":"method not allowed","reason":"method-not-allowed"\
                      """));
      assertThat(answer.headers()).contains("x-correlation-id: c");
      assertThat(answer.headers()).anyMatch(header -> header.matches("allow: .*\\bpost\\b.*"));
    }
  }

  @Test
  void oversizeHeaderSectionIsRefusedOnBothPorts() throws IOException {
    ListenAddress admin = node.at(Port.ADMIN);

    assertThat(withHeader(callers(), "/mcp", 8_000).status()).isEqualTo(405);
    assertThat(withHeader(admin, "/health", 8_000).status()).isEqualTo(200);
    Answer refused = withHeader(callers(), "/mcp", 8_300);
    assertThat(refused.status()).isEqualTo(431);
    assertThat(refused.body())
        .matches(
            """
            \\{"jsonrpc":"2.0","id":null,"error":\\{"code":-32600,"message":"Invalid \
            Request","data":\\{"correlation_id":"[^"]+","details":"the header \
            section is too large: send less","reason":"header-too-large"}}}\
            """);
    Answer atAdmin = withHeader(admin, "/health", 8_300);
    assertThat(atAdmin.status() + " " + atAdmin.body())
        .matches(
            """
            431 \\{"error":"the header section is too large: send less",\
            "correlation_id":"[^"]+"}\
            """);
  }

  private static Answer withHeader(ListenAddress at, String path, int bytes) throws IOException {
    return RawHttp.request(
        at, "GET", path, "Host: localhost:" + at.port(), "X-Long: " + "x".repeat(bytes));
  }

  private Answer post(DialectPath way, String body) throws IOException {
    return post(way, body.getBytes(UTF_8), JSON);
  }

  private Answer post(DialectPath way, byte[] body, String... headers) throws IOException {
    String[] all =
        Stream.concat(Stream.of("X-Correlation-Id: c"), Stream.of(headers)).toArray(String[]::new);
    return node.send(Port.CALLERS, way.path, body, all);
  }

  private ListenAddress callers() {
    return node.at(Port.CALLERS);
  }

  private Event lastEvent() {
    return node.events().getLast();
  }
}
