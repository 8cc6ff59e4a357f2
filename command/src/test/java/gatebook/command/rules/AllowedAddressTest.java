package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AllowedAddressTest {
  private static final AllowedAddress HOST =
      new AllowedAddress("https", "hooks.example.com", 443, "");
  private static final AllowedAddress BELOW =
      new AllowedAddress("https", "*.example.com", 8443, "/ci");
  private static final AllowedAddress FOLDER = new AllowedAddress("http", "127.0.0.1", 80, "/in/");
  private static final AllowedAddress IPV6 = new AllowedAddress("http", "[::1]", 9000, "");

  @ParameterizedTest
  @CsvSource({
    "https://hooks.example.com, true",
    "https://hooks.example.com/any?token=a, true",
    "https://hooks.example.com:443/, true",
    "HTTPS://HOOKS.Example.Com/a, true",
    "http://hooks.example.com/, false",
    "https://hooks.example.com:444/, false",
    "https://hooks.example.com./, false",
    "https://a.hooks.example.com/, false",
    "https://hooks.example.com.evil.org/, false",
    "https://evil.org/hooks.example.com, false",
    "https://joe@hooks.example.com/, false",
    "https://joe:pw@hooks.example.com/, false",
    "https://hooks.example.com@evil.org/, false",
    "https://hooks.example.com/#a, false",
    "mailto:joe@hooks.example.com, false"
  })
  void aHostIsMatchedAsAWhole(URI url, boolean isAllowed) {
    assertThat(HOST.allows(url)).isEqualTo(isAllowed);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example.com:8443/ci, true",
    "https://a.b.EXAMPLE.com:8443/ci/x, true",
    "https://a.example.com:8443/ci/?x=/, true",
    "https://example.com:8443/ci, false",
    "https://badexample.com:8443/ci, false",
    "https://a.example.com/ci, false",
    "https://a.example.com:8443/, false",
    "https://a.example.com:8443/cix, false",
    "https://a.example.com:8443/ci/../x, false",
    "https://a.example.com:8443/ci/%2e%2e/x, false",
    "https://a.example.com:8443/ci/..%2Fx, false",
    "https://a.example.com:8443/ci/%252e%252e/x, false",
    "https://a.example.com:8443/ci/..;a/x, false",
    "https://a.example.com:8443/ci/%zz, false"
  })
  void aWildcardStandsForNamesBelow(String url, boolean isAllowed) {
    assertThat(isUrl(url) && BELOW.allows(URI.create(url))).isEqualTo(isAllowed);
  }

  private static boolean isUrl(String text) {
    try {
      return URI.create(text).getHost() != null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1/in/a, true",
    "http://127.0.0.1:80/in/, true",
    "http://127.0.0.1/in, false",
    "http://127.0.0.1:8080/in/a, false",
    "http://localhost/in/a, false"
  })
  void aPathWithASlashStandsForWhatIsBelow(URI url, boolean isAllowed) {
    assertThat(FOLDER.allows(url)).isEqualTo(isAllowed);
  }

  @ParameterizedTest
  @CsvSource({
    "http://[::1]:9000/a, true",
    "http://[::1]/a, false",
    "http://[::2]:9000/a, false",
    "http://[0:0:0:0:0:0:0:1]:9000/a, false"
  })
  void anIpv6AddressIsMatchedAsItIsWritten(URI url, boolean isAllowed) {
    assertThat(IPV6.allows(url)).isEqualTo(isAllowed);
  }

  @ParameterizedTest
  @CsvSource({
    "https://hooks.example.com, https://hooks.example.com",
    "https://hooks.example.com/, https://hooks.example.com/",
    "https://hooks.example.com/?t=a, https://hooks.example.com/?[REDACTED]",
    "https://hooks.example.com/a/b?t=a, https://hooks.example.com/[REDACTED]",
    "https://a.example.com:8443/ci, https://a.example.com:8443/ci",
    "https://a.example.com:8443/ci?t=a, https://a.example.com:8443/ci?[REDACTED]",
    "https://a.example.com:8443/ci/a, https://a.example.com:8443/ci/[REDACTED]",
    "http://127.0.0.1/in/, http://127.0.0.1/in/",
    "http://127.0.0.1/in/a, http://127.0.0.1/in/[REDACTED]",
    "http://joe:pw@127.0.0.1/in/a, http://127.0.0.1/[REDACTED]",
    "http://127.0.0.1/other, http://127.0.0.1/[REDACTED]",
    "mailto:joe@hooks.example.com, [REDACTED]",
    "'http://a b', [REDACTED]"
  })
  void whatTheRulesDoNotNameIsHidden(String url, String shown) {
    assertThat(rules(HOST, BELOW, FOLDER).shownWebhook(url)).isEqualTo(shown);
  }

  @Test
  void theLongestAddressOfTheRulesIsShown() {
    AllowedAddress any = new AllowedAddress("http", "127.0.0.1", 80, "");

    assertThat(rules(any, FOLDER, any).shownWebhook("http://127.0.0.1/in/a"))
        .isEqualTo("http://127.0.0.1/in/[REDACTED]");
  }

  private static Rules rules(AllowedAddress... webhooks) {
    Rules rest = Rules.NONE;
    return new Rules(
        rest.hash(),
        rest.sources(),
        rest.governance(),
        rest.workflows(),
        rest.policies(),
        rest.inspectors(),
        rest.principals(),
        rest.operators(),
        List.of(webhooks),
        rest.redaction(),
        rest.recording(),
        rest.limits());
  }
}
