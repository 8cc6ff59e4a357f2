package gatebook.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListenAddressTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, https://127.0.0.1:7469",
    "::, https://[::1]:7469",
    "10.0.0.7, https://10.0.0.7:7469",
  })
  void thisMachineReachesTheAddress(String host, String url) {
    assertThat(new ListenAddress(host, 7469, Set.of(), TlsMode.ON).localUrl()).isEqualTo(url);
  }
}
