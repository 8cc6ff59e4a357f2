package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The console of a node where every word from outside tries to be a script. Nothing is executed,
 * and each word is shown as it is.
 */
@Order(2)
final class ConsoleHostileProcessTest {
  /** Leaves a mark in the page when it is executed; without quotes, it fits into JSON anywhere. */
  private static final String HOSTILE =
      "<img src=x onerror=window.hit=1><script>window.hit=1</script>";

  private static final String ARGUMENTS =
      """
      {"marker":"%1$s","%1$s":"%1$s","amount":7,"link":"javascript:window.hit=1",\
      "end":"</script></style></textarea></title>%1$s","__proto__":{"isAdmin":true},\
      "bidi":"\\u202etxt.exe","template":"${window.hit=1}{{constructor}}"}\
      """
          .formatted(HOSTILE);

  /** What a page never has, whatever it shows. */
  private static final String INTRUDERS =
      """
      return [...document.querySelectorAll(
          'img, iframe, object, embed, base, #page script, #page style, #page link, [style*="url("]')]
        .concat([...document.querySelectorAll('*')].filter(element =>
          [...element.attributes].some(it => it.name.startsWith('on'))
          || /^\\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '')))
        .map(element => element.outerHTML)
        .concat('hit' in window ? ['a script was executed'] : [])
      """;

  @TempDir private static Path temp;

  private static Chromium browser;
  private static ConsoleNode node;
  private static ConsoleWindow window;

  /** The hostile calls; the name of each is its correlation id. */
  enum HostileCall {
    DENIED(HOSTILE),
    ANSWERED("read_order"),
    FAILED("fail"),
    NOT_PERMITTED("pay"),
    HELD("deploy");

    private final String tool;

    HostileCall(String tool) {
      this.tool = tool;
    }

    private void send(String marker) {
      String body =
          """
          {"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"%s","arguments":%s}}\
          """
              .formatted(HOSTILE, tool, ARGUMENTS);
      if (this == HELD) {
        var _ = node.hold(HOSTILE, marker, body);
      } else {
        var _ = node.post("/mcp", HOSTILE, marker, body);
      }
    }
  }

  @BeforeAll
  static void start() {
    browser = Chromium.start(temp.resolve("browser"));
    node = ConsoleNode.start(temp.resolve("node"), ConsoleWords.all(HOSTILE));
    for (HostileCall call : HostileCall.values()) {
      call.send(call.name());
    }
    window = ConsoleWindow.signedIn(browser, node.url(), ConsoleNode.NAMED_OPERATOR_TOKEN);
  }

  @AfterAll
  static void stop() {
    try (Chromium _ = browser;
        ConsoleNode _ = node) {
      // both are closed, also when the start failed half-way
    }
  }

  @AfterEach
  void nothingWasExecuted() {
    assertThat(intruders(window.browser())).isEmpty();
    ConsoleErrors.assertNone(browser);
  }

  private static List<String> intruders(BrowserWindow browserWindow) {
    List<String> found = new ArrayList<>();
    browserWindow.script(INTRUDERS).forEach(it -> found.add(it.asText()));
    return found;
  }

  private static void assertHarmless() {
    assertThat(intruders(window.browser())).isEmpty();
  }

  private static void awaitWhole(String text) {
    window.browser().await("document.body.textContent.includes(arguments[0])", text);
  }

  @ParameterizedTest
  @EnumSource
  void everyPartOfACallIsText(HostileCall call) {
    window.show("/console/call/" + node.callId(call.name()));
    awaitWhole(HOSTILE);
    window.browser().find("#decide-again").click();
    var _ =
        window
            .browser()
            .script("document.querySelectorAll('details').forEach(it => { it.open = true; })");

    awaitWhole("javascript:window.hit=1");
    awaitWhole("</script></style></textarea></title>" + HOSTILE);
    awaitWhole("U+202E");
    window.browser().await("document.querySelector('#decide-again').disabled === false");
    assertHarmless();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/console/calls",
        "/console/denials?since=all&by=tool",
        "/console/denials?since=all&by=principal",
        "/console/errors?since=all",
        "/console/approvals",
        "/console/rules"
      })
  void everyPageShowsTheTextItself(String path) {
    window.show(path);

    awaitWhole(HOSTILE.substring(0, 20));
    assertHarmless();
  }

  @Test
  void searchForHostileTextShowsTheText() {
    window.show("/console/node");
    window.search("\"" + HOSTILE + "\"");

    awaitWhole("onerror=window.hit=1");
    assertHarmless();
  }

  @Test
  void filtersWithHostileTextFindItsCalls() {
    window.show("/console/calls?principal=" + URLEncoder.encode(HOSTILE, UTF_8));

    window.awaitRow("denied", HostileCall.DENIED.name());
    assertHarmless();
  }

  @Test
  void hostileCallIsShownLive() {
    window.show("/console/live");
    window.browser().await("document.querySelector('#page h1')");

    HostileCall.DENIED.send("live-1");

    awaitWhole(HOSTILE.substring(0, 20));
    assertHarmless();
  }
}
