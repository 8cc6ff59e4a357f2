package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mistake of broken rules, in {@code broken.txt}: a title, a file, and its mistakes. A file
 * that begins with {@code +} continues the three lines of the minimal rules.
 */
final class BrokenRulesTest {

  record Broken(String title, String text, List<String> mistakes) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Broken> files() throws IOException {
    try (InputStream table = BrokenRulesTest.class.getResourceAsStream("broken.txt")) {
      String text = new String(table.readAllBytes(), UTF_8);
      return Arrays.stream(text.split("(?m)^=== ")).skip(1).map(BrokenRulesTest::broken);
    }
  }

  private static Broken broken(String entry) {
    int title = entry.indexOf('\n');
    int line = entry.indexOf("\nmistakes:\n");
    String text = entry.substring(title + 1, line + 1);
    return new Broken(
        entry.substring(0, title),
        text.startsWith("+\n") ? GivenRules.MINIMAL + text.substring(2) : text,
        entry
            .substring(line + "\nmistakes:\n".length())
            .lines()
            .filter(it -> !it.isBlank())
            .toList());
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyMistakeIsReportedAtItsPosition(Broken broken) {
    assertThat(given(broken).mistakes()).containsExactlyElementsOf(broken.mistakes());
    assertThat(broken.mistakes()).isNotEmpty().noneMatch(it -> it.contains("hunter2"));
  }

  static GivenRules given(Broken broken) {
    return GivenRules.rules(broken.text())
        .file("good.cedar", "permit(principal, action, resource);")
        .file("latin.cedar", new byte[] {(byte) 0xe4})
        .file("huge.cedar", new byte[(1 << 20) + 1])
        .variable("QUOTED", "a\" b")
        .variable("HASH", "http://host/a #b")
        .variable("TWO_LINES", "hunter2\nb")
        .variable("LIST", "a, hunter2")
        .variable("ALIAS", "*hunter2")
        .variable("COLON", "hunter2: b")
        .variable("LONG_VALUE", "hunter2 and more than the name of its variable")
        .variable("SECRET", "hunter2");
  }
}
