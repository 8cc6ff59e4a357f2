package gatebook.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AllowedHostsTest {

  @Test
  void addressAndLoopbackNamesAreAllowedWithThePort() {
    AllowedHosts names = AllowedHosts.of(new ListenAddress("10.0.0.1", 7467));

    assertThat(names.hosts())
        .containsExactlyInAnyOrder(
            "10.0.0.1:7467", "localhost:7467", "127.0.0.1:7467", "[::1]:7467");
    assertThat(names.hasOrigins(List.of("http://10.0.0.1:7467"))).isTrue();
    assertThat(names.hasOrigins(List.of("https://10.0.0.1:7467"))).isFalse();
    assertThat(names.hasHost(List.of("10.0.0.1"))).isFalse();
  }

  @Test
  void defaultPortMayBeLeftOut() {
    AllowedHosts names = AllowedHosts.of(new ListenAddress("::1", 80));

    assertThat(names.hosts()).contains("[::1]", "[::1]:80", "localhost", "localhost:80");
  }

  @Test
  void configuredNameIsAllowedWithAndWithoutThePort() {
    AllowedHosts names =
        AllowedHosts.of(new ListenAddress("0.0.0.0", 7467, Set.of("Gate.example"), TlsMode.OFF));

    assertThat(names.hasHost(List.of("gate.EXAMPLE"))).isTrue();
    assertThat(names.hasHost(List.of("gate.example:7467"))).isTrue();
    assertThat(names.hasHost(List.of("gate.example:80"))).isFalse();
    assertThat(names.hasHost(List.of("sub.gate.example"))).isFalse();
    assertThat(names.hasHost(List.of("gate.example", "gate.example"))).isFalse();
    assertThat(names.hasHost(List.of())).isFalse();
    assertThat(names.hasOrigins(List.of("https://gate.example"))).isTrue();
    assertThat(names.hasOrigins(List.of("http://gate.example:7467"))).isTrue();
    assertThat(names.hasOrigins(List.of("https://gate.example", "null"))).isFalse();
    assertThat(names.hasOrigins(List.of())).isTrue();
  }
}
