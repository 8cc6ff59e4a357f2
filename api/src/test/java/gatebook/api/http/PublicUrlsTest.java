package gatebook.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URL that clients get for the root of the server. */
final class PublicUrlsTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,7467,localhost:7467,,http://localhost:7467",
    "127.0.0.1,7467,LOCALHOST:7467,https,http://localhost:7467",
    "127.0.0.1,80,localhost,,http://localhost",
    "::1,7467,[::1]:7467,,http://[::1]:7467",
    "10.0.0.7,7467,10.0.0.7:7467,,http://10.0.0.7:7467",
    "10.0.0.7,7467,evil.example,,http://10.0.0.7:7467",
    "::1,7467,,,http://[::1]:7467"
  })
  void withoutNamesItIsTheHostOfTheRequest(
      String bound, int port, @Nullable String host, @Nullable String protocol, String url) {
    assertThat(base(new ListenAddress(bound, port), host, protocol)).isEqualTo(url);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,gate.example,,https://gate.example",
    "127.0.0.1,Gate.Example,https,https://gate.example",
    "127.0.0.1,gate.example,http,http://gate.example",
    "127.0.0.1,gate.example,'https, http',https://gate.example",
    "127.0.0.1,gate.example:7467,https,http://gate.example:7467",
    "127.0.0.1,other.example,,https://other.example",
    "127.0.0.1,localhost:7467,,https://gate.example",
    "127.0.0.1,evil.example,,https://gate.example",
    "127.0.0.1,,,https://gate.example",
    "10.0.0.7,10.0.0.7:7467,,http://gate.example:7467",
    "10.0.0.7,gate.example,,https://gate.example"
  })
  void withNamesItIsOneOfThem(
      String bound, @Nullable String host, @Nullable String protocol, String url) {
    Set<String> names = new LinkedHashSet<>(List.of("gate.example", "other.example"));

    assertThat(base(new ListenAddress(bound, 7467, names, TlsMode.OFF), host, protocol))
        .isEqualTo(url);
  }

  @ParameterizedTest
  @CsvSource({
    "gate.example,,true",
    "Gate.Example,https,true",
    "gate.example,http,false",
    "gate.example:7467,https,false",
    "127.0.0.1:7467,https,false",
    "localhost:7467,,false",
    "evil.example,https,false",
    ",https,false"
  })
  void onlyAProxyWithANameSpeaksTls(
      @Nullable String host, @Nullable String protocol, boolean isByTls) {
    ListenAddress address =
        new ListenAddress("127.0.0.1", 7467, Set.of("gate.example"), TlsMode.OFF);

    assertThat(
            PublicUrls.isByTls(
                address,
                Optional.ofNullable(host).stream().toList(),
                Optional.ofNullable(protocol)))
        .isEqualTo(isByTls);
  }

  private static String base(
      ListenAddress address, @Nullable String host, @Nullable String protocol) {
    return PublicUrls.base(
        address, Optional.ofNullable(host).stream().toList(), Optional.ofNullable(protocol));
  }
}
