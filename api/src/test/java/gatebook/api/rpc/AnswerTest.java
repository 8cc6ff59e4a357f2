package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Json;
import org.junit.jupiter.api.Test;

final class AnswerTest {

  @Test
  void aResultGoesOutAsItIs() {
    assertThat(Answer.result("\"\\u0061\"", "{ \"n\": 1.50 }"))
        .asString()
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"result\":{ \"n\": 1.50 }}");
  }

  @Test
  void anErrorCarriesTheIdOrNull() {
    assertThat(Answer.error("7", -32601, "no \"such\"\nmethod \u00e9", Json.parse("{\"a\":1}")))
        .asString()
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,"
                + "\"message\":\"no \\\"such\\\"\\nmethod \u00e9\",\"data\":{\"a\":1}}}");
    assertThat(Answer.error(null, -32700, "Parse error", null))
        .asString()
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse"
                + " error\"}}");
  }
}
