package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.DuplicateKey;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidIdType;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.TooDeep;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageReaderTest {

  private final MessageReader reader = new MessageReader(MessageReader.DEPTH_MAX);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "0",
        "-0",
        "-7",
        "12345678901234567890",
        "\"1\"",
        "\"\"",
        "\"\\u0061\\n\\/\"",
        "\"\\ud83d\\ude00\"",
        "\"\u00e9\ud83d\ude00\"",
        "null"
      })
  void idIsTheTokenThatWasSent(String id) {
    assertThat(
            read(
                """
                {"jsonrpc":"2.0","id":\
                """
                    + id
                    + " ,\"method\":\"m\"}"))
        .isEqualTo(new RpcMessage.Request(id, "m", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "{ \"a\" : 1.50 }", "[1,\"\\u0041\u00e9\ud83d\ude00\"]"})
  void paramsAreReadAsTheyWereSent(String params) {
    assertThat(
            read(
                """
                {"params": %s ,"id":1,"method":"m","jsonrpc":"2.0"}\
                """
                    .formatted(params)))
        .isEqualTo(new RpcMessage.Request("1", "m", params));
  }

  @Test
  void loneSurrogatesOfSourcesStay() {
    MessageReader ofSource = MessageReader.ofSource(MessageReader.DEPTH_MAX);
    String params =
        """
        {"a\\ud800":"\\udc00"}\
        """;
    String members =
        """
        {"x":%s,"params":%s,"method":"m","jsonrpc":"2.0","id":1}\
        """
            .formatted(params, params);

    assertThat(ofSource.read(members.getBytes(UTF_8)))
        .isEqualTo(new RpcMessage.Request("1", "m", params));
  }

  @Test
  void paramsThatAreNullCountAsAbsent() {
    assertThat(
            read(
                """
                {"jsonrpc":"2.0","id":1,"method":"m","params":null}\
                """))
        .isEqualTo(new RpcMessage.Request("1", "m", null));
  }

  @Test
  void messageWithoutIdIsANotification() {
    assertThat(
            read(
                """
                {"jsonrpc":"2.0","method":"m","params":[]}\
                """))
        .isEqualTo(new RpcMessage.Notification("m", "[]"));
  }

  @Test
  void escapesAndUnknownMembersChangeNothing() {
    assertThat(
            read(
                """
                \r\n\t {"json\\u0072pc":"2\\u002e0","x":{"id":9},"i\\u0064":1,\
                "method":"\\u006d"} \n\
                """))
        .isEqualTo(new RpcMessage.Request("1", "m", null));
  }

  static Stream<Arguments> unparsable() {
    return Stream.of(
        arguments("", ParseDefect.EMPTY, 0L),
        arguments(" \n", ParseDefect.EMPTY, 0L),
        arguments("{\"jsonrpc\":", ParseDefect.SYNTAX, 11L),
        arguments("nope", ParseDefect.SYNTAX, 0L),
        arguments("[1,2", ParseDefect.SYNTAX, 4L),
        arguments("{} {}", ParseDefect.TRAILING_BYTES, 2L),
        arguments("[]]", ParseDefect.TRAILING_BYTES, 2L),
        arguments("\"\u00e9\"x", ParseDefect.TRAILING_BYTES, 4L),
        arguments("{\"\u00e9\":\"\\ud800\"}", ParseDefect.LONE_SURROGATE, 6L),
        arguments("{\"\\udc00\":1}", ParseDefect.LONE_SURROGATE, 1L),
        arguments("{\"a\":\"\\udc00\\ud800\"}", ParseDefect.LONE_SURROGATE, 5L),
        arguments("{\"a\":'b'}", ParseDefect.SYNTAX, 5L),
        arguments("{\"a\":NaN}", ParseDefect.SYNTAX, 8L),
        arguments("{\"a\":01}", ParseDefect.SYNTAX, 6L),
        arguments("{\"a\":1,}", ParseDefect.SYNTAX, 7L),
        arguments("{\"a\":\"\u0000\"}", ParseDefect.SYNTAX, 6L),
        arguments("{\"a\":1 /* b */}", ParseDefect.SYNTAX, 7L),
        arguments("\u0000{\u0000}\u0000", ParseDefect.SYNTAX, 1L));
  }

  @ParameterizedTest
  @MethodSource("unparsable")
  void defectInJsonIsReportedWithItsOffset(String body, ParseDefect defect, long offsetBytes) {
    assertThat(read(body)).isEqualTo(unreadable(new ParseError(defect, offsetBytes), null));
  }

  @ParameterizedTest
  @CsvSource({
    "7b2261223a22ff227d, 6", // a byte that is never UTF-8
    "7b2261223a22c0af227d, 6", // an overlong slash
    "7b2261223a22eda080227d, 6", // a surrogate, encoded by itself
    "7b2261223a22eda080edb080227d, 6", // a pair of them
    "7b2261223a22f4908080227d, 6", // beyond the last code point
    "7b7de282, 2", // broken off
    "fffe7b007d00, 0" // UTF-16
  })
  void invalidUtf8IsReportedWithItsOffset(String hex, long offsetBytes) {
    assertThat(reader.read(HexFormat.of().parseHex(hex)))
        .isEqualTo(unreadable(new ParseError(ParseDefect.INVALID_UTF8, offsetBytes), null));
  }

  @Test
  void byteOrderMarkIsRefusedAndTheIdIsRead() {
    assertThat(
            read(
                """
                \ufeff{"jsonrpc":"2.0","id":7,"method":"m"}\
                """))
        .isEqualTo(unreadable(new ParseError(ParseDefect.BYTE_ORDER_MARK, 0L), "7"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          7                                                  | NOT_AN_OBJECT         |
          "text"                                             | NOT_AN_OBJECT         |
          null                                               | NOT_AN_OBJECT         |
          {}                                                 | VERSION_MISSING       |
          {"id":1,"method":"m"}                              | VERSION_MISSING       | 1
          {"jsonrpc":"1.0","id":1,"method":1}                | VERSION_WRONG         | 1
          {"jsonrpc":2.0,"id":1,"method":"m"}                | VERSION_WRONG         | 1
          {"jsonrpc":"2.0","id":1}                           | METHOD_MISSING        | 1
          {"jsonrpc":"2.0","method":[],"id":1}               | METHOD_NOT_TEXT       | 1
          {"jsonrpc":"2.0","method":null}                    | METHOD_NOT_TEXT       |
          {"jsonrpc":"2.0","method":"m","params":1,"id":1}   | PARAMS_NOT_STRUCTURED | 1
          {"jsonrpc":"2.0","method":"m","params":"a","id":1} | PARAMS_NOT_STRUCTURED | 1
          """)
  void invalidRequestIsReportedWithItsDefect(
      String body, EnvelopeDefect defect, @Nullable String id) {
    assertThat(read(body)).isEqualTo(unreadable(new InvalidRequest(defect), id));
  }

  @ParameterizedTest
  @CsvSource({
    "1.5, fraction",
    "1.0, fraction",
    "1e2, fraction",
    "true, boolean",
    "false, boolean",
    "{}, object",
    "'[1,{\"a\":[]}]', array"
  })
  void idOfAnotherTypeIsRefusedAndNotReturned(String id, String received) {
    assertThat(
            read(
                """
                {"jsonrpc":"2.0","id":\
                """
                    + id
                    + ",\"method\":\"m\"}"))
        .isEqualTo(unreadable(new InvalidIdType(received), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        """
        [{"jsonrpc":"2.0","id":1,"method":"m"}]\
        """,
        " [1,[2]]"
      })
  void batchIsRefused(String body) {
    assertThat(read(body)).isEqualTo(unreadable(new BatchNotSupported(), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"a":2,"id":1}                               | 7  | 1
          {"id":1,"params":{"\u00e9":[{"x":1,"\\u0078":2}]}} | 31 | 1
          {"id":1,"id":1}                                    | 8  |
          {"id":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"b":2} | 62 | 1
          {"id":[],"id":1}                                   | 9  |
          """)
  void duplicateKeyIsRefusedAtAnyDepth(String body, long offsetBytes, @Nullable String id) {
    assertThat(read(body)).isEqualTo(unreadable(new DuplicateKey(offsetBytes), id));
  }

  @Test
  void messageIsReadUpToTheDepthLimit() {
    String deepest = nested(255);

    assertThat(
            read(
                """
                {"jsonrpc":"2.0","id":1,"method":"m","params":\
                """
                    + deepest
                    + "}"))
        .isEqualTo(new RpcMessage.Request("1", "m", deepest));
    assertThat(
            read(
                """
                {"jsonrpc":"2.0","id":1,"method":"m","params":\
                """
                    + nested(256)
                    + "}"))
        .isEqualTo(unreadable(new TooDeep(256), "1"));
  }

  @Test
  void tooMuchDepthIsRefusedEarly() {
    assertThat(read("[".repeat(1_000_000))).isEqualTo(unreadable(new TooDeep(256), null));
    assertThat(read("{\"a\":".repeat(1_000_000))).isEqualTo(unreadable(new TooDeep(256), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"jsonrpc":"2.0","id":"a\\u0062","method":\
        """,
        """
        {"id":"a\\u0062","method":"\\ud800"}\
        """,
        "{\"id\":\"a\\u0062\"} x",
        """
        {"id":"a\\u0062","a":1,"a":2}\
        """,
        """
        {"method":1,"params":7,"id":"a\\u0062"}\
        """
      })
  void idIsReadFromAnInvalidMessage(String body) {
    assertThat(read(body))
        .isInstanceOfSatisfying(
            RpcMessage.Unreadable.class,
            unreadable -> assertThat(unreadable.id()).isEqualTo("\"a\\u0062\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "absent",
      value = {
        "{'id':12 | absent",
        "{'method':'m','id':-1 | absent",
        "{'id':12x} | absent",
        "{'id':12, | 12",
        "{'id':12} x | 12",
        "{'id':'a': | 'a'",
        "{'id':1,'params':[2 | 1"
      })
  void numberThatMayGoOnIsNoId(String body, @Nullable String id) {
    assertThat(read(body.replace('\'', '"')))
        .isInstanceOfSatisfying(
            RpcMessage.Unreadable.class,
            unreadable ->
                assertThat(unreadable.id()).isEqualTo(id == null ? null : id.replace('\'', '"')));
  }

  @Test
  void idIsReadBeforeInvalidUtf8() {
    byte[] good =
        """
        {"jsonrpc":"2.0","id":3,"method":"\
        """
            .getBytes(UTF_8);

    assertThat(reader.read(ByteBuffer.allocate(good.length + 1).put(good).put((byte) 0xff).array()))
        .isEqualTo(unreadable(new ParseError(ParseDefect.INVALID_UTF8, (long) good.length), "3"));
  }

  private RpcMessage read(String body) {
    return reader.read(body.getBytes(UTF_8));
  }

  private static RpcMessage unreadable(Malformed fault, @Nullable String id) {
    return new RpcMessage.Unreadable(fault, id);
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }
}
