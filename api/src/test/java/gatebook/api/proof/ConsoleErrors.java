package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.browser.Chromium;
import java.util.List;
import java.util.regex.Pattern;

/** What a browser's console may say while an operator uses Gatebook's: hardly anything. */
final class ConsoleErrors {
  /** A browser reports each 401, also those that a page expects when nobody is signed in. */
  private static final Pattern UNAUTHORIZED =
      Pattern.compile(
          "network: \\S+/(operator|operator/tail|console/session)\\S* - Failed to load resource:"
              + " the server responded with a status of 401.*");

  /** What a browser reports while a node is down. */
  private static final Pattern UNREACHABLE =
      Pattern.compile("network: \\S+ - Failed to load resource: net::ERR_\\w+");

  /** What a browser reports of a page that is neither of this machine nor by TLS. */
  private static final Pattern INSECURE =
      Pattern.compile("other: .* The Cross-Origin-Opener-Policy header has been ignored, .*");

  private ConsoleErrors() {}

  /** No script failed, nothing violated the policy of the pages, and no other host was asked. */
  static void assertNone(Chromium browser) {
    assertThat(without(UNAUTHORIZED, browser.takeErrors())).isEmpty();
    assertThat(browser.foreignRequests()).isEmpty();
  }

  /** The same, where the node was down in between. */
  static void assertOnlyUnreachable(Chromium browser) {
    assertThat(without(UNREACHABLE, without(UNAUTHORIZED, browser.takeErrors()))).isEmpty();
    assertThat(browser.foreignRequests()).isEmpty();
  }

  /** The same, where a page was opened by a name that browsers do not trust. */
  static void assertOnlyInsecure(Chromium browser) {
    assertThat(without(INSECURE, without(UNAUTHORIZED, browser.takeErrors()))).isEmpty();
    assertThat(browser.foreignRequests()).isEmpty();
  }

  private static List<String> without(Pattern pattern, List<String> errors) {
    return errors.stream().filter(error -> !pattern.matcher(error).matches()).toList();
  }
}
