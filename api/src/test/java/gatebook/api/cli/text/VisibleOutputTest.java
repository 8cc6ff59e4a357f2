package gatebook.api.cli.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.FakeOperatorServer;
import gatebook.api.cli.lookup.LookupCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VisibleOutputTest {

  @ParameterizedTest
  @CsvSource({
    "\u202e,⟨U+202E⟩",
    "\u2066,⟨U+2066⟩",
    "\u200b,⟨U+200B⟩",
    "\u009b,⟨U+009B⟩",
    "\u00ad,⟨U+00AD⟩",
    "\udb40\udc41,⟨U+E0041⟩",
    "é中😀,é中😀",
  })
  void hiddenCharactersAreShownByTheirNames(String written, String shown) {
    assertThat(printed("a" + written + "b")).isEqualTo("a" + shown + "b");
  }

  @Test
  void onlyTheCommandsOwnSequencesReachTheTerminal() {
    assertThat(printed("\u001b[31mdenied\u001b[0m\u001b[K\n\tx\u001b[2J\u001b]0;t\u0007"))
        .isEqualTo("\u001b[31mdenied\u001b[0m\u001b[K\n\tx⟨U+001B⟩[2J⟨U+001B⟩]0;t⟨U+0007⟩");
  }

  @Test
  void jsonEscapesThemAndKeepsItsContent() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returns(
          "audit.lookup",
          """
          {"calls":[],"notFound":{"message":"a\u202eb\udb40\udc41"}}\
          """);

      assertThat(server.run(new LookupCommand(), "x", "--json").out())
          .contains("a\\u202eb\\udb40\\udc41")
          .doesNotContain("\u202e");
    }
  }

  private static String printed(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var out = VisibleOutput.to(new PrintStream(bytes, true, UTF_8));
    out.print(text);
    out.flush();
    return bytes.toString(UTF_8);
  }
}
