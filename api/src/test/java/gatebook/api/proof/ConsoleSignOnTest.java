package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.browser.AccessibilityCheck;
import gatebook.api.browser.AriaRole;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.browser.Keys;
import gatebook.api.http.Port;
import gatebook.api.node.WatchedNode;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators sign in to the console with a real browser at a real authorization server, which is
 * another site than the console.
 */
@Order(2)
final class ConsoleSignOnTest {
  @TempDir private static Path temp;

  private static AuthorizationServer authorizationServer;
  private static WatchedNode node;
  private static Chromium browser;
  private static ConsoleWindow window;

  @BeforeAll
  static void start() throws IOException {
    authorizationServer = AuthorizationServer.start();
    browser = Chromium.start(temp.resolve("browser"));
    node =
        WatchedNode.start(
            Files.createDirectory(temp.resolve("node")),
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: deny}}
            sign_on:
              - name: company
                issuer: %s
                audience: gatebook
                operators:
                  gatebook-admins: [view, admin]
                  gatebook-viewers: [view]
                console: {client_id: %s, client_secret: %s}
            """
                .formatted(
                    authorizationServer.issuer(),
                    AuthorizationServer.CONSOLE,
                    AuthorizationServer.CONSOLE_SECRET));
    // the server has the number 127.0.0.1, which is no site of this name
    window =
        ConsoleWindow.open(browser, URI.create("http://localhost:" + node.at(Port.ADMIN).port()));
  }

  @AfterAll
  static void stop() {
    try (AuthorizationServer _ = authorizationServer;
        Chromium _ = browser;
        WatchedNode _ = node) {
      // all are closed, also when the start failed half-way
    }
  }

  @AfterEach
  void nothingFailed() {
    ConsoleErrors.assertNone(browser);
    window.browser().open(authorizationServer.issuer());
    window.browser().deleteCookies();
    window.show("/");
    window.browser().deleteCookies();
    var _ = browser.takeErrors(); // the first page of the authorization server does not exist
  }

  /** Ends at the page on which the sign-in began. */
  @Test
  void anOperatorSignsInAndOut() throws IOException {
    window.show("/console/denials");
    assertThat(AccessibilityCheck.violations(window.browser())).isEmpty();

    BrowserWindow page = signIn(AuthorizationServer.ALICE);

    window.awaitSignedIn();
    assertThat(page.address().getPath()).isEqualTo("/console/denials");
    assertThat(page.address().getFragment()).isNull();
    page.awaitText("company:alice");
    page.awaitText("roles: view, admin");
    assertThat(page.script("return document.cookie").asText()).isEmpty();
    assertThat(node.events())
        .contains(
            new OperatorActed(
                "company:alice",
                "console.signIn",
                JsonValue.parse("{\"by\":\"sign-on\",\"issuer\":\"company\"}"),
                null,
                true));

    page.find(AriaRole.BUTTON, "Sign out").click();

    window.awaitSignedOut();
    window.show("/console/denials");
    window.awaitSignedOut();
  }

  @Test
  void aPersonWithoutAGroupIsToldWhatToDo() throws IOException {
    window.show("/");

    BrowserWindow page = signIn(AuthorizationServer.CAROL);

    page.awaitText("none of your groups has a role here. Ask an admin of Gatebook");
    window.awaitSignedOut();
    assertThat(page.address().getFragment()).isNull();
    assertThat(AccessibilityCheck.violations(page)).isEmpty();
  }

  @Test
  void aRefusalThereIsToldInOurWords() throws IOException {
    window.show("/");

    BrowserWindow page = signIn(AuthorizationServer.REFUSING);

    page.awaitText("The authorization server did not sign you in.");
    assertThat(page.text()).doesNotContain("the user said no");
    window.awaitSignedOut();
  }

  private static BrowserWindow signIn(String user) {
    BrowserWindow page = window.browser();
    page.find(AriaRole.LINK, "Sign in with company").click();
    page.find("#name").fill(user);
    page.press(Keys.ENTER);
    return page;
  }
}
