package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.ForeignErrors;
import gatebook.command.rules.Source.Kind;
import gatebook.command.rules.SourceProgram;
import gatebook.events.CallForwarded;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ForwardRecordTest {

  @ParameterizedTest
  @CsvSource({
    "https://ada:pw@example.com:8443/mcp?key=k#part, https://example.com:8443/mcp",
    "http://example.com,                             http://example.com",
    "http://example.com?key=k,                       http://example.com",
    "http://[::1]:80/a/b,                            http://[::1]:80/a/b",
    "http://example.com/a%20b%2Fc?k,                 http://example.com/a%20b%2Fc",
    "http://example.com/%C3%BC?k,                    http://example.com/%C3%BC"
  })
  void anEndpointHasNoUserQueryOrFragment(URI url, String endpoint) {
    assertThat(ForwardRecord.endpoint(at(url))).isEqualTo(endpoint);
  }

  @Test
  void theFirstAttemptHasNoFailure() {
    assertThat(ForwardRecord.firstAttempt(CALL, at(URI.create("http://u:p@h/mcp?k")), "read"))
        .isEqualTo(new CallForwarded(CALL, 1, "s", "http://h/mcp", 900, null));
  }

  @Test
  void aFurtherAttemptSaysWhyThePreviousFailed() {
    assertThat(ForwardRecord.attempt(CALL, at(null), "read", 3, "refused"))
        .isEqualTo(new CallForwarded(CALL, 3, "s", "built-in", 900, "refused"));
  }

  @ParameterizedTest
  @CsvSource({
    "planner/SendMessage, 2000",
    "planner/SendStreamingMessage planner/skills/route, 2000",
    "planner/GetTask, 900",
    "SendMessage, 900"
  })
  void aMessageToAnAgentHasItsOwnTimeout(String target, long timeoutMillis) {
    Source planner =
        new Source(
            "planner",
            Kind.A2A,
            URI.create("http://h/agent"),
            null,
            "planner/",
            true,
            ExposeRules.ALL,
            List.of(),
            Map.of(),
            ClientTlsFiles.NONE,
            ForeignErrors.WRAP,
            5,
            900,
            2_000);

    assertThat(ForwardRecord.firstAttempt(CALL, planner, target))
        .isEqualTo(new CallForwarded(CALL, 1, "planner", "http://h/agent", timeoutMillis, null));
  }

  @Test
  void aProgramsEndpointHidesItsCommand() {
    SourceProgram sourceProgram =
        new SourceProgram(List.of("server", "--key", "k"), Map.of(), null);

    assertThat(
            ForwardRecord.endpoint(
                new Source(
                    "s",
                    Kind.MCP,
                    null,
                    sourceProgram,
                    "",
                    true,
                    ExposeRules.ALL,
                    List.of(),
                    Map.of(),
                    ForeignErrors.PASS,
                    5,
                    900)))
        .isEqualTo("stdio");
  }

  private static Source at(@Nullable URI url) {
    return new Source(
        "s", Kind.MCP, url, "", true, ExposeRules.ALL, Map.of(), ForeignErrors.PASS, 5, 900);
  }
}
