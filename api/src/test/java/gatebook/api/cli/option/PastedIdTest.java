package gatebook.api.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import gatebook.api.cli.lookup.LookupCommand;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PastedIdTest {

  private static final String CALL = "0199c0de-0000-7000-8000-000000000000";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "last-tuesday|last-tuesday",
        "  \"last-tuesday\", |last-tuesday",
        "'a:b.c_d',|a:b.c_d",
        "correlation_id: last-tuesday|last-tuesday",
        "correlation_id=last-tuesday,|last-tuesday",
        "X-Correlation-Id: last-tuesday|last-tuesday",
        "\"correlation_id\" : \"last-tuesday\"|last-tuesday",
        "\\\"correlation_id\\\":\\\"last-tuesday\\\"|last-tuesday",
        "{\"error\":{\"code\":-32003,\"data\":{\"correlation_id\":\"last-tuesday\"}}}|last-tuesday",
        "{\"correlation_id\":\"last-tuesday\",\"call_id\":\"" + CALL + "\"}|" + CALL,
        "why was " + CALL + " refused?|" + CALL,
        "00-" + TRACE + "-00f067aa0ba902b7-01|" + TRACE,
        "traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01|" + TRACE,
        "order-" + CALL + "|order-" + CALL,
        "\u200b" + CALL + "\u00a0|" + CALL,
      })
  void theIdIsFoundInAPastedText(String pasted, String id) {
    assertThat(PastedId.find(pasted)).isEqualTo(Optional.of(id));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "why was it refused?", "\"\"", "{}", "correlation_id: null"})
  void aTextWithoutAnIdIsWrongUsage(String pasted) {
    var run = CommandRun.of(new LookupCommand(), List.of("--url", "http://127.0.0.1:1"), pasted);

    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void wordsOfACommandAreOnePastedText() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returns(
          "audit.lookup",
          """
          {"calls":[],"notFound":{"message":"never seen"}}\
          """);

      server.run(new LookupCommand(), "correlation_id:", "\"last-tuesday\",");

      assertThat(server.requests())
          .containsExactly(
              """
              audit.lookup {"id":"last-tuesday"}\
              """);
    }
  }
}
