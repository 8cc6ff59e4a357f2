package gatebook.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientCacheTest {

  @ParameterizedTest
  @ValueSource(strings = {"\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\",W/\"a\"", "*"})
  void aTagInTheListIsCached(String ifNoneMatch) {
    assertThat(ClientCache.has("\"a\"", List.of(ifNoneMatch))).isTrue();
    assertThat(ClientCache.has("\"a\"", List.of("\"c\"", ifNoneMatch))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\"A\"", "\"a", "\"ab\"", "\"a-gzip\"", "w/\"a\""})
  void otherTagsAreNotCached(String ifNoneMatch) {
    assertThat(ClientCache.has("\"a\"", List.of(ifNoneMatch))).isFalse();
    assertThat(ClientCache.has("\"a\"", List.of())).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip              | true",
        "GZIP              | true",
        "br, gzip, deflate | true",
        "gzip;q=0.5        | true",
        "gzip; q=1.0       | true",
        "gzip;q=0.001      | true",
        "gzip;q=0          | false",
        "gzip; q=0.000     | false",
        "br                | false",
        "identity          | false",
        "xgzip             | false",
        "*                 | false"
      })
  void gzipMustBeNamed(String acceptEncoding, boolean accepted) {
    assertThat(ClientCache.acceptsGzip(List.of(acceptEncoding))).isEqualTo(accepted);
    assertThat(ClientCache.acceptsGzip(List.of())).isFalse();
  }
}
