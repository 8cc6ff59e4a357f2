package gatebook.api.upstream.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StatelessMetaTest {

  @Test
  void anOlderClientIsPromisedWhatItsSourceServes() {
    String discovered =
        """
        {"supportedVersions":["2026-07-28"],"capabilities":{
          "completions":{},
          "extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{}},
          "logging":{},
          "prompts":{"listChanged":true},
          "resources":{"subscribe":true,"listChanged":true},
          "tools":{"listChanged":true}}}\
        """;

    assertThat(
            StatelessMeta.initializeResult(
                    discovered.replace("\n", "").replace("  ", ""),
                    "{\"protocolVersion\":\"2025-11-25\"}")
                .replace(" ", ""))
        .isEqualTo(
            """
            {"protocolVersion":"2025-11-25","capabilities":{"completions":{},"extensions":{"io.modelcontextprotocol/ui":{}},"prompts":{},"resources":{},"tools":{}},"serverInfo":{"name":"unnamed","version":"0"}}\
            """);
  }

  @Test
  void aRequestNamesItsVersionCapabilitiesAndSender() {
    assertThat(StatelessMeta.withMeta(null, "2026-07-28", "{}", StatelessMeta.clientInfo("1.0")))
        .isEqualTo(
            """
            {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"gatebook","version":"1.0"}}}\
            """);
  }
}
