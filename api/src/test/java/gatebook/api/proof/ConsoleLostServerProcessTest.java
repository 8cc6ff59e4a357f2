package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.browser.Chromium;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live page while the connection is cut, and while the node is killed and started again. */
@Order(2)
final class ConsoleLostServerProcessTest {
  private static final String SILENT =
      "The node does not answer. This page goes on by itself once it does.";

  @TempDir private static Path temp;

  private static ConsoleNode node;
  private static CuttableProxy proxy;
  private static Chromium browser;
  private static ConsoleWindow window;

  @BeforeAll
  static void start() {
    node = ConsoleNode.start(temp.resolve("node"), ConsoleWords.PLAIN);
    proxy = new CuttableProxy();
    proxy.forwardTo(node.url().getPort());
    browser =
        Chromium.start(
            temp.resolve("browser"),
            "--host-resolver-rules=MAP 127.0.0.1:%d 127.0.0.1:%d"
                .formatted(node.url().getPort(), proxy.port()));
    window = ConsoleWindow.open(browser, node.url());
  }

  @AfterAll
  static void stop() {
    try (ConsoleNode _ = node;
        CuttableProxy _ = proxy;
        Chromium _ = browser) {
      // all are closed, also when the start failed half-way
    }
  }

  @BeforeEach
  void signIn() {
    window.show("/");
    window.signIn(ConsoleOperator.VIEWER.token());
    window.show("/console/live");
    window.browser().awaitText("Live.");
  }

  @AfterEach
  void signOut() {
    proxy.mend();
    window.browser().deleteCookies();
    ConsoleErrors.assertOnlyUnreachable(browser);
  }

  @Test
  void liveResumesWithoutAGapAfterACut() {
    call("before_cut");
    window.awaitRow("before_cut", "answered");

    proxy.cut();
    window.browser().awaitText("The node does not answer. Next attempt");
    call("during_cut");
    proxy.mend();
    window.browser().awaitText("Live.");
    call("after_cut");

    window.awaitRow("after_cut", "answered");
    window.awaitRow("during_cut", "answered");
    assertThat(received()).isEqualTo(3);
  }

  @Test
  void liveResumesWithoutAGapAfterAKill() {
    call("before_kill");
    window.awaitRow("before_kill", "answered");

    node.server().kill();
    window.browser().awaitText("The node does not answer. Next attempt");
    node.startAgain();
    window.awaitSignedOut();
    window.browser().awaitText("Your session has ended");
    call("during_sign_in");
    window.signIn(ConsoleOperator.VIEWER.token());
    window.browser().awaitText("Live.");
    call("after_sign_in");

    window.awaitRow("after_sign_in", "answered");
    window.awaitRow("during_sign_in", "answered");
    window.awaitRow("before_kill", "answered");
    assertThat(received()).isEqualTo(3);
  }

  @Test
  void pagesTellThatTheNodeIsSilentAndGoOn() {
    for (String path : List.of("/", "/console/denials", "/console/node")) {
      window.show(path);
      window.awaitSignedIn();

      proxy.cut();
      window.browser().awaitText(SILENT);
      proxy.mend();
      awaitAnswer();
    }

    proxy.cut();
    window.browser().awaitText(SILENT);
    window.browser().script("document.querySelector('#pages [data-page=errors]').click()");
    window.awaitHeading("This page cannot be shown");
    proxy.mend();

    window.awaitHeading("Errors");
    awaitAnswer();
  }

  private static void awaitAnswer() {
    window.browser().await("document.getElementById('outage').hidden");
  }

  private static void call(String tool) {
    assertThat(node.call(ConsoleNode.ALICE, tool, tool, 1)).contains("\"result\"");
  }

  /** The number of calls that the page says it received. */
  private static int received() {
    return window
        .browser()
        .script(
            """
            return [...document.querySelectorAll('.live-stats div')]
              .filter(it => it.querySelector('dt').innerText === 'received')
              .map(it => Number(it.querySelector('dd').innerText))[0]
            """)
        .asInt();
  }
}
