package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.fault.Malformed.BadCharset;
import gatebook.events.fault.Malformed.UnsupportedContentType;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentTypeTest {

  private static final ContentType.Accepted JSON =
      new ContentType.Accepted(Set.of("application/json"), Set.of("utf-8"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        " Application/JSON ;\t; charset=UTF-8 ;",
        "application/json; x=\"a; charset=latin1\"; y=\"\"; charset=\"ut\\f-8\""
      })
  void valuesAreTokensOrQuotedStrings(String value) {
    assertThat(ContentType.fault(value, JSON)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "application/json; charset=latin1, latin1",
        "application/json; x=\"\\\"; charset=\"; charset=utf-16, utf-16",
        "application/json; charset=utf-8; charset=\"utf 16\", utf 16",
        "application/json; charset = utf-8, utf-8",
        "application/json; charset= latin1, latin1",
        "application/json; charset=, ``",
        "application/json; charset=\"utf-8, utf-8",
        "application/json; charset=utf-8 x, utf-8 x"
      })
  void otherOrMisspeltCharsetIsRefused(String value, String charset) {
    assertThat(ContentType.fault(value, JSON)).isEqualTo(new BadCharset(charset));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "text/json; charset=utf-8, text/json",
        "application/json x; y=z, application/json x",
        "application/json; x = y, application/json; x = y",
        "application/json; x, application/json; x",
        "application/json; x=\"\\\", application/json; x=\\"
      })
  void otherTypeOrMisspeltParameterIsRefused(String value, String type) {
    assertThat(ContentType.fault(value, JSON)).isEqualTo(new UnsupportedContentType(type));
  }
}
