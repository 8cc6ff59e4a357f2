package gatebook.api.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ColoursTest {
  private static final Colours COLOURS = Colours.of(true, Map.of());

  @Test
  void wordsHaveTheColourOfTheirMeaning() {
    assertThat(COLOURS.word("answered")).isEqualTo("\u001b[32manswered\u001b[0m");
    assertThat(COLOURS.word("denied")).isEqualTo("\u001b[31mdenied\u001b[0m");
    assertThat(COLOURS.word("held")).isEqualTo("\u001b[33mheld\u001b[0m");
    assertThat(COLOURS.word("steady")).isEqualTo("steady");
    assertThat(COLOURS.bad("")).isEmpty();
  }

  @Test
  void coloursAreOffWithoutATerminalOrOnRequest() {
    assertThat(
            List.of(
                Colours.of(false, Map.of()).word("denied"),
                Colours.of(true, Map.of("NO_COLOR", "1")).word("denied"),
                Colours.of(true, Map.of("TERM", "dumb")).word("denied")))
        .containsOnly("denied");
    assertThat(Colours.of(true, Map.of("NO_COLOR", "")).word("denied")).startsWith("\u001b[31m");
  }

  @Test
  void coloursTakeNoWidthInATable() throws Exception {
    var rows =
        new JsonMapper()
            .readTree(
                """
                [{"state":"failing\\u001b[2J","at":"2026-01-02T03:04:05.123Z"},\
                {"state":"held","at":null}]\
                """);

    assertThat(
            TextCells.table(
                List.of("state", "at", "name"),
                rows,
                (column, text) -> column.equals("state") ? COLOURS.word(text) : text))
        .containsExactly(
            "state               at                    name",
            "failing⟨U+001B⟩[2J  2026-01-02T03:04:05Z  -",
            "\u001b[33mheld\u001b[0m                -                     -");
  }
}
