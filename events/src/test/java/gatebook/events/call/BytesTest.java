package gatebook.events.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {
  @Test
  void bytesAreImmutableAndEqualByContent() {
    byte[] array = {1, 2, (byte) 0xff};
    var bytes = Bytes.of(array);

    array[0] = 9;
    bytes.toArray()[1] = 9;

    assertThat(bytes).isEqualTo(Bytes.of(new byte[] {1, 2, (byte) 0xff}));
    assertThat(bytes.toArray()).containsExactly(1, 2, 0xff);
    assertThat(bytes.base64()).isEqualTo("AQL/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"A", "AQ", "AQL_", "AR==", "AQJ=", "A===", "====", "=AQL", "AQ==" + "\n", "AQL/ "})
  void onlyOneEncodingOfEachContentIsAccepted(String base64) {
    assertThatThrownBy(() -> new Bytes(base64)).isInstanceOf(IllegalArgumentException.class);
  }
}
