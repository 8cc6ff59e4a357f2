package gatebook.events.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPrefixTest {

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "abc, abc",
    "abcd, abc",
    "ab\uD83D\uDE00, ab",
    "a\uD83D\uDE00b, a\uD83D\uDE00",
    "\uD83D\uDE00\uD83D\uDE00, \uD83D\uDE00"
  })
  void aPrefixIsNeverCutWithinACharacter(String text, String beginning) {
    assertThat(TextPrefix.of(text, 3)).isEqualTo(beginning);
  }

  @Test
  void aPrefixMayBeEmpty() {
    assertThat(TextPrefix.of("abc", 0)).isEmpty();
  }
}
