package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.command.call.DialectVersion;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BadCharset;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.DuplicateKey;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidIdType;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.TooDeep;
import gatebook.events.fault.Malformed.UnsupportedContentType;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.ServerFault.InternalError;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
  private static final byte[] NOTHING = "{}".getBytes(UTF_8);

  private static final ErrorTranslation TRANSLATION =
      new ErrorTranslation(UnaryOperator.identity());

  /** A dialect's path. */
  enum DialectPath {
    MCP("/mcp", Dialect.MCP),
    MCP_V1("/mcp/v1", Dialect.MCP),
    RPC("/rpc", Dialect.DAEMON),
    FLOW("/flow", Dialect.FLOW),
    FLOW_TASKS("/flow/tasks", Dialect.FLOW),
    A2A("/a2a", Dialect.A2A);

    final String path;
    final Dialect dialect;

    DialectPath(String path, Dialect dialect) {
      this.path = path;
      this.dialect = dialect;
    }

    /** Status and body of the error that the dialect's table has for the fault. */
    String error(String id, Fault fault) {
      ErrorResponse row = TRANSLATION.translate(fault, new DialectVersion(dialect, null), "c");
      return "%d ".formatted(row.httpStatus())
          + body(id, row.code(), row.message(), String.valueOf(row.data()));
    }

    static String body(String id, int code, String message, String data) {
      return """
      {"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s","data":%s}}\
      """
          .formatted(id, code, message, data);
    }
  }

  /** A malformed body, the id of its error, and its fault. */
  @SuppressWarnings("ArrayRecordComponent") // sent once and never compared
  record MalformedCase(byte[] body, String id, Malformed fault) {

    static MalformedCase of(String body, String id, Malformed fault) {
      return new MalformedCase(body.getBytes(ISO_8859_1), id, fault);
    }

    static MalformedCase parse(String body, String id, ParseDefect defect, int offset) {
      return of(body, id, new ParseError(defect, (long) offset));
    }

    static MalformedCase request(String body, String id, EnvelopeDefect defect) {
      return of(body, id, new InvalidRequest(defect));
    }
  }

  private static List<MalformedCase> rows() {
    String begun =
        """
        {"jsonrpc":"2.0","id":7,"method":\
        """;
    String call = begun + "\"m\",\"params\":{}}";
    String twice = begun + "\"m\",\"params\":{\"a\":1,";
    return List.of(
        MalformedCase.parse("{\"id\":3,\"jsonrpc\":", "3", ParseDefect.SYNTAX, 18),
        MalformedCase.parse("", "null", ParseDefect.EMPTY, 0),
        MalformedCase.parse(
            begun + "\"\u00ff\"}", "7", ParseDefect.INVALID_UTF8, begun.length() + 1),
        MalformedCase.parse("\u00ef\u00bb\u00bf" + call, "7", ParseDefect.BYTE_ORDER_MARK, 0),
        MalformedCase.parse(
            begun + "\"\\ud800\"}", "7", ParseDefect.LONE_SURROGATE, begun.length()),
        MalformedCase.parse(call + " x", "7", ParseDefect.TRAILING_BYTES, call.length()),
        MalformedCase.request("7", "null", EnvelopeDefect.NOT_AN_OBJECT),
        MalformedCase.request(call.replace("2.0", "1.0"), "7", EnvelopeDefect.VERSION_WRONG),
        MalformedCase.request(
            call.replace("\"jsonrpc\":\"2.0\",", ""), "7", EnvelopeDefect.VERSION_MISSING),
        MalformedCase.request(
            call.replace("\"method\":\"m\",", ""), "7", EnvelopeDefect.METHOD_MISSING),
        MalformedCase.request(begun + "1,\"params\":{}}", "7", EnvelopeDefect.METHOD_NOT_TEXT),
        MalformedCase.request(
            begun + "\"m\",\"params\":1}", "7", EnvelopeDefect.PARAMS_NOT_STRUCTURED),
        MalformedCase.of(twice + "\"a\":2}}", "7", new DuplicateKey((long) twice.length())),
        MalformedCase.of(
            begun + "\"m\",\"params\":" + "[".repeat(DEPTH_MAX) + "]".repeat(DEPTH_MAX) + "}",
            "7",
            new TooDeep(DEPTH_MAX)),
        MalformedCase.of("[" + call + "]", "null", new BatchNotSupported()),
        MalformedCase.of("[]", "null", new BatchNotSupported()),
        MalformedCase.of(call.replace(":7,", ":1.5,"), "null", new InvalidIdType("fraction")),
        MalformedCase.of(call.replace(":7,", ":true,"), "null", new InvalidIdType("boolean")),
        MalformedCase.of(call.replace(":7,", ":{},"), "null", new InvalidIdType("object")),
        MalformedCase.of(call.replace(":7,", ":[],"), "null", new InvalidIdType("array")),
        MalformedCase.of(
            call + " ".repeat(BODY_BYTES_MAX + 1 - call.length()),
            "null",
            new Oversize(BODY_BYTES_MAX, BODY_BYTES_MAX + 1L)));
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

      assertThat(shown(answer)).isEqualTo(way.error(row.id, row.fault));
      assertThat(((MessageRefused) lastEvent()).fault()).isEqualTo(row.fault);
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongMediaTypeOrCharsetIsADialectError(DialectPath way) throws IOException {
    assertThat(shown(post(way, NOTHING, "Content-Type: text/plain")))
        .isEqualTo(way.error("null", new UnsupportedContentType("text/plain")));
    assertThat(shown(post(way, NOTHING, JSON + "; charset=latin1")))
        .isEqualTo(way.error("null", new BadCharset("latin1")));
  }

  @ParameterizedTest
  @EnumSource
  void idIsReturnedAsTheTokenThatWasSent(DialectPath way) throws IOException {
    for (String id : List.of("1", "\"1\"", "12345678901234567890", "\"\\u0061\"", "null", "-0")) {
      Answer answer =
          post(
              way,
              """
              {"jsonrpc":"2.0","method":"no/such","params":{},"id":%s}\
              """
                  .formatted(id));

      assertThat(shown(answer)).isEqualTo(way.error(id, new MethodNotFound("no/such")));
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
        "{'jsonrpc':'2.0','method':'m','params':{}} | null | ID_MISSING",
        "{'jsonrpc':'2.0','method':'m'} | null | ID_MISSING",
        "{'jsonrpc':'2.0','id':7,'method':'m'} | 7 | PARAMS_MISSING",
        "{'jsonrpc':'2.0','id':7,'method':'m','params':null} | 7 | PARAMS_MISSING"
      })
  void onlyFlowRequiresIdAndParams(String body, String id, EnvelopeDefect defect)
      throws IOException {
    assertThat(shown(post(DialectPath.FLOW, body.replace('\'', '"'))))
        .isEqualTo(DialectPath.FLOW.error(id, new InvalidRequest(defect)));
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
            "X-Test-Failing-Path: yes");

    InternalError fault = new InternalError("serving a message", "IllegalStateException");
    assertThat(shown(answer)).isEqualTo(way.error("null", fault));
    assertThat(answer.headers()).contains("x-correlation-id: c");
    assertThat(((MessageRefused) lastEvent()).fault()).isEqualTo(fault);
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
                      {"correlation_id":"c","details":"method not allowed",\
                      "reason":"method-not-allowed"}\
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

  private static String shown(Answer answer) {
    return answer.status() + " " + answer.body();
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
