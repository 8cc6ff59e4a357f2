package gatebook.events.call;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {
  @Test
  void onlyWhitespaceAndEscapesAreNormalised() {
    var jsonValue =
        JsonValue.parse(" { \"b\" : [ 1.50 , -0 , 1E+2 ] ,\n\t\"a\" : \"\\u0041\\/\" }");

    assertThat(jsonValue)
        .hasToString(
            """
            {"b":[1.50,-0,1E+2],"a":"A/"}\
            """);
    assertThat(jsonValue)
        .isEqualTo(
            JsonValue.parse(
                """
                {"b":[1.50,-0,1E+2],"a":"A/"}\
                """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "[1", "{} {}", "01", "nul", "NaN", "\"a", "{\"a\"}", "]"})
  void anythingButOneJsonValueIsRefused(String text) {
    assertThatThrownBy(() -> JsonValue.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not JSON");
  }

  /** A parser that guards its table of names against collisions would fail. */
  @Test
  void namesWithCollidingHashesAreRead() {
    String json =
        IntStream.range(0, 1_024)
            .mapToObj(bits ->
                IntStream.range(0, 10)
                    .mapToObj(bit -> (bits >> bit & 1) == 0 ? "ab" : "bA")
                    .collect(joining("", "\"", "\":1")))
            .collect(joining(",", "{", "}"));

    assertThat(JsonValue.parse(json)).hasToString(json);
  }
}
