package gatebook.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TrustedProxiesTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.7, 10.0.0.7, true",
    "10.0.0.7, 10.0.0.8, false",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "192.0.2.128/25, 192.0.2.127, false",
    "192.0.2.128/25, 192.0.2.200, true",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, ::1, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe00::1, false",
    "::1, ::1, true"
  })
  void anAddressIsTrustedWhenItIsNamedOrInANetwork(String named, String address, boolean isTrusted)
      throws UnknownHostException {
    TrustedProxies proxies = TrustedProxies.of(List.of(named)).orElseThrow();

    assertThat(proxies.has(InetAddress.getByName(address))).isEqualTo(isTrusted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy.example",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "::1/129",
        "10/8/8",
        "10.0.0.256"
      })
  void whatIsNeitherIsRefused(String text) {
    assertThat(TrustedProxies.of(List.of(text))).isEmpty();
  }
}
