package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.JsonValue;
import org.junit.jupiter.api.Test;

final class MessageWriterTest {

  @Test
  void resultIsWrittenAsItIs() {
    assertThat(MessageWriter.result("\"\\u0061\"", "{ \"n\": 1.50 }"))
        .asString()
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":"\\u0061","result":{ "n": 1.50 }}\
            """);
  }

  @Test
  void errorHasTheIdOrNull() {
    assertThat(
            MessageWriter.error(
                "7", -32601, "no \"such\"\nmethod \u00e9", JsonValue.parse("{\"a\":1}")))
        .asString()
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":7,"error":{"code":-32601,\
            "message":"no \\"such\\"\\nmethod \u00e9","data":{"a":1}}}\
            """);
    assertThat(MessageWriter.error(null, -32700, "Parse error", null))
        .asString()
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\
            """);
  }
}
