package gatebook.events.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
