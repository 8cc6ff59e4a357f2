package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonEqualityTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null | null | true",
        "{\"a\":1,\"b\":[2]} | { \"b\": [2], \"a\": 1 } | true",
        "\"\\u0061\" | \"a\" | true",
        "2.50 | 2.5 | true",
        "[1,2] | [2,1] | false",
        "1 | \"1\" | false",
        "{\"a\":null} | {} | false"
      })
  void textsAreEqualWhenTheyMeanTheSame(String one, String other, boolean areEqual) {
    assertThat(JsonEquality.areEqual(one, other)).isEqualTo(areEqual);
  }

  /** Computing with such a number would take time beyond all bounds. */
  @Test
  void aNumberBeyondTheLimitEqualsOnlyItself() {
    String longest = "1".repeat(1_000);
    String tooLong = longest + "1";

    assertThat(JsonEquality.areEqual("[" + longest + "]", "[ " + longest + "]")).isTrue();
    assertThat(JsonEquality.areEqual("[" + tooLong + "]", "[ " + tooLong + "]")).isFalse();
    assertThat(JsonEquality.areEqual("[" + tooLong + "]", "[" + tooLong + "]")).isTrue();
  }
}
