package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.browser.AriaRole;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.browser.Keys;
import gatebook.api.upstream.source.StubServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators do in the console, alone and at the same time. */
@Order(2)
final class ConsoleActionsProcessTest {
  @TempDir private static Path temp;

  private static Chromium browser;
  private static ConsoleNode node;
  private static ConsoleWindow window;
  private static ConsoleWindow otherWindow;

  @BeforeAll
  static void start() {
    browser =
        Chromium.start(
            temp.resolve("browser"),
            "--host-resolver-rules=MAP %s 127.0.0.1".formatted(ConsoleNode.NAME),
            "--proxy-bypass-list=" + ConsoleNode.NAME);
    node = ConsoleNode.start(temp.resolve("node"), ConsoleWords.PLAIN);
    window = ConsoleWindow.open(browser, node.url());
    otherWindow = ConsoleWindow.open(browser, node.otherUrl());
  }

  @AfterAll
  static void stop() {
    try (Chromium _ = browser;
        ConsoleNode _ = node) {
      // both are closed, also when the start failed half-way
    }
  }

  @AfterEach
  void nothingFailed() {
    window.browser().deleteCookies();
    otherWindow.browser().deleteCookies();
    ConsoleErrors.assertNone(browser);
  }

  private static BrowserWindow signIn(ConsoleOperator operator) {
    return signIn(window, operator);
  }

  private static BrowserWindow signIn(ConsoleWindow consoleWindow, ConsoleOperator operator) {
    consoleWindow.show("/");
    consoleWindow.signIn(operator.token());
    return consoleWindow.browser();
  }

  @Test
  void anOperatorSignsInAndOut() {
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);
    page.awaitText("viewer");
    window.show("/console/calls");
    window.awaitSignedIn();
    assertThat(page.script("return document.cookie").asText()).isEmpty();

    page.find(AriaRole.BUTTON, "Sign out").click();

    window.awaitSignedOut();
    window.show("/console/calls");
    window.awaitSignedOut();
  }

  @Test
  void anUnknownTokenIsRefused() {
    window.show("/");
    window.browser().find("#token").fill("a-guess");
    window.browser().find(AriaRole.BUTTON, "Sign in").click();

    window.browser().awaitText("No operator has this token.");
    window.awaitSignedOut();
  }

  @Test
  void aLinkSignsInOnce() {
    JsonNode link = node.server().request("operator.consoleLink", "{}");
    String path = "/#code=" + link.path("code").asText();
    window.show(path);
    window.awaitSignedIn();
    assertThat(window.browser().address()).isEqualTo(node.url().resolve("/"));

    otherWindow.show(path);

    otherWindow.awaitSignedOut();
    otherWindow.browser().awaitText("This link was used");
  }

  @Test
  void aRotatedTokenEndsTheSession() {
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);

    node.rotateToken(ConsoleOperator.VIEWER, "another-token");
    page.find(AriaRole.LINK, "Calls").click();

    window.awaitSignedOut();
    page.awaitText("Your session has ended");
    window.signIn("another-token");
    node.rotateToken(ConsoleOperator.VIEWER, ConsoleOperator.VIEWER.token());
  }

  @Test
  void aViewerSeesNoArgumentsAndDecidesNothing() {
    var held = node.hold(ConsoleNode.ALICE, "viewed-1");
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);
    window.show("/console/call/" + node.callId("viewed-1"));
    page.awaitText("Arguments are shown to operators with the role");
    assertThat(page.text()).doesNotContain("\"marker\"");

    window.show("/console/approvals");

    page.awaitText("viewed-1");
    assertThat(page.all(AriaRole.BUTTON, "Approve")).isEmpty();
    assertThat(page.all(AriaRole.BUTTON, "Reject")).isEmpty();
    decide("approvals.approve", "viewed-1");
    assertThat(held.join()).contains("\"result\"");
  }

  private static void decide(String method, String marker) {
    node.server().request(method, "{\"callId\":\"%s\"}".formatted(node.callId(marker)));
  }

  @Test
  void rulesPageSaysWhichRoleItNeeds() {
    BrowserWindow page = signIn(ConsoleOperator.APPROVER);

    window.show("/console/rules");

    page.awaitText("admin");
    assertThat(page.text()).doesNotContain("delete_order");
  }

  @Test
  void anOperatorApprovesByKeyboardAlone() {
    CompletableFuture<String> held = node.hold(ConsoleNode.ALICE, "keys-1");
    BrowserWindow page = window.browser();
    window.show("/");
    var _ = page.find("#sign-in");
    page.type(ConsoleOperator.APPROVER.token());
    page.press(Keys.ENTER);
    window.awaitSignedIn();

    page.press("/");
    page.type("keys-1");
    page.press(Keys.ENTER);
    window.awaitHeading("alice called deploy, which waits for a person");

    page.press("g", "a");
    window.awaitHeading("Approvals");
    window.awaitRow("keys-1");
    page.press("j", "a");
    var _ = page.find(AriaRole.DIALOG, "Approve this call?");
    page.type("as discussed");
    page.press(Keys.ENTER);

    page.awaitText("You approved this: as discussed. The call goes on.");
    assertThat(held.join()).contains("\"result\"");
    assertThat(decision("keys-1")).isEqualTo("granted by approver: as discussed");
  }

  private static String decision(String marker) {
    for (JsonNode approval :
        node.server().request("approvals.list", "{\"decided\":true}").path("approvals")) {
      if (approval.path("correlationId").asText().equals(marker)) {
        return "%s by %s: %s"
            .formatted(
                approval.path("outcome").asText(),
                approval.path("by").asText(),
                approval.path("reason").asText());
      }
    }
    return "not decided";
  }

  @Test
  void oneOperatorSeesWhatAnotherDecided() {
    BrowserWindow page = signIn(window, ConsoleOperator.APPROVER);
    BrowserWindow otherPage = signIn(otherWindow, ConsoleOperator.SECOND_APPROVER);
    CompletableFuture<String> held = node.hold(ConsoleNode.BOB, "both-1");
    window.show("/console/approvals");
    otherWindow.show("/console/approvals");
    window.awaitRow("both-1");
    otherWindow.awaitRow("both-1");
    page.await("document.title.startsWith('(1)')");
    otherPage.await("document.title.startsWith('(1)')");

    otherPage.press("j", "r");
    var _ = otherPage.find(AriaRole.DIALOG, "Reject this call?");
    otherPage.type("not today");
    otherPage.press(Keys.ENTER);

    page.awaitText("second-approver rejected this: not today. The caller gets an error.");
    assertThat(page.all(AriaRole.BUTTON, "Approve")).isEmpty();
    page.await("!document.title.startsWith('(')");
    page.await("document.querySelector('#waiting-count').hidden");
    assertThat(held.join()).contains("-32007");
  }

  @Test
  void aDecisionIsListedAndShownWithItsCall() {
    CompletableFuture<String> held = node.hold(ConsoleNode.ALICE, "listed-1");
    BrowserWindow page = signIn(ConsoleOperator.APPROVER);
    window.show("/console/call/" + node.callId("listed-1"));
    page.awaitText("waits for a person");

    decide("approvals.approve", "listed-1");

    page.awaitText("and was answered");
    assertThat(held.join()).contains("\"result\"");
    window.show("/console/approvals?view=decided");
    window.awaitRow("granted", "operator", "alice");
  }

  @Test
  void liveIsPausedAndResumed() {
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);
    window.show("/console/live");
    page.awaitText("Live.");

    page.press("p");
    page.awaitText("Paused.");
    var _ = node.call(ConsoleNode.ALICE, "paused-1", "paused_tool", 1);
    page.awaitText("4 events came meanwhile");
    assertThat(page.find("#page").text()).doesNotContain("paused_tool");
    page.press("p");

    window.awaitRow("paused_tool", "answered");
    page.awaitText("Live.");
  }

  @Test
  void liveShowsWhatMatchesItsFilter() {
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);
    window.show("/console/live?q=status:denied");
    page.awaitText("Live.");

    var _ = node.call(ConsoleNode.ALICE, "passing-1", "passing_tool", 1);
    var _ = node.call(ConsoleNode.ALICE, "denied-1", "delete_order", 1);

    window.awaitRow("delete_order", "denied");
    window.awaitNoRow("passing_tool");
  }

  @Test
  void approvalsAreSortedByDeadlineOrAge() {
    CompletableFuture<String> older = node.hold(ConsoleNode.ALICE, "older-1");
    CompletableFuture<String> sooner = node.holdTool(ConsoleNode.BOB, "sooner-1", "publish");
    BrowserWindow page = signIn(ConsoleOperator.APPROVER);
    window.show("/console/approvals");
    window.awaitRow("older-1");
    assertThat(page.find(AriaRole.COMBOBOX, "Sorted by").value()).isEqualTo("deadline");
    assertThat(waiting()).containsExactly("sooner-1", "older-1");

    page.find(AriaRole.COMBOBOX, "Sorted by").choose("age");

    page.await("document.querySelector('#page [data-row]').innerText.includes('older-1')");
    assertThat(waiting()).containsExactly("older-1", "sooner-1");
    decide("approvals.approve", "older-1");
    decide("approvals.approve", "sooner-1");
    assertThat(older.join()).contains("\"result\"");
    assertThat(sooner.join()).contains("\"result\"");
  }

  /** The correlation ids of the calls that wait, in the order of the page. */
  private static List<String> waiting() {
    List<String> markers = new ArrayList<>();
    window
        .browser()
        .script(
            """
            return [...document.querySelectorAll('#page [data-row]')]
              .map(row => /(older|sooner)-1/.exec(row.innerText)?.[0] ?? row.innerText)
            """)
        .forEach(marker -> markers.add(marker.asText()));
    return markers;
  }

  @Test
  void aViewerChangesNoViews() {
    BrowserWindow page = signIn(ConsoleOperator.VIEWER);

    window.show("/console/node");

    page.awaitText("Views");
    page.awaitText("denials");
    assertThat(page.all(AriaRole.BUTTON, "Rebuild denials")).isEmpty();
  }

  @Test
  void liveWorksWithoutASharedWorker() {
    ConsoleWindow phone = ConsoleWindow.open(browser, node.otherUrl());
    phone.browser().beforeEachPage("delete window.SharedWorker;");
    BrowserWindow page = signIn(phone, ConsoleOperator.VIEWER);
    phone.show("/console/live");
    page.awaitText("Live.");
    assertThat(page.script("return 'SharedWorker' in window").asBoolean()).isFalse();

    var _ = node.call(ConsoleNode.ALICE, "phone-1", "phone_tool", 1);

    phone.awaitRow("phone_tool", "answered");
    phone.close();
  }

  /** A page that is neither at this machine nor by TLS has no cryptography and no clipboard. */
  @Test
  void anInsecurePageSaysSoAndCopies() {
    var _ = node.call(ConsoleNode.ALICE, "insecure-1", "delete_order", 1);
    ConsoleWindow insecure = ConsoleWindow.open(browser, node.namedUrl());
    BrowserWindow page = signIn(insecure, ConsoleOperator.VIEWER);
    insecure.show("/console/call/" + node.callId("insecure-1"));

    page.awaitText("Not verified here");
    page.awaitText("The browser offers its cryptography only in a secure context");
    assertThat(page.script("return isSecureContext || 'clipboard' in navigator").asBoolean())
        .isFalse();
    assertThat(insecure.copied(page.find(AriaRole.BUTTON, "Copy the call id")))
        .isEqualTo(node.callId("insecure-1"));
    insecure.close();
    ConsoleErrors.assertOnlyInsecure(browser);
  }

  /** Cookies are sent to every port of a host, so a page at another port has this one's. */
  @Test
  void aForeignPageDecidesNothing() throws IOException {
    CompletableFuture<String> held = node.hold(ConsoleNode.ALICE, "foreign-1");
    BrowserWindow page = signIn(ConsoleOperator.APPROVER);
    ConsoleErrors.assertNone(browser);
    try (StubServer foreign =
        StubServer.each(peer -> {
          var _ = peer.requestOrHandshake();
          peer.answer(200, "Content-Type: text/html\r\n", "<!doctype html><title>Foreign</title>");
        })) {
      page.open(foreign.url("/"));
      for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
        var _ =
            page.script(
                """
                const [url, type, body] = arguments;
                return fetch(url, {method: 'POST', mode: 'no-cors', credentials: 'include',
                  headers: {'Content-Type': type}, body}).then(response => response.type);
                """,
                node.url().resolve("/operator").toString(),
                type,
                """
                {"jsonrpc":"2.0","id":1,"method":"approvals.approve","params":{"callId":"%s"}}\
                """
                    .formatted(node.callId("foreign-1")));
      }
    }
    assertThat(browser.takeErrors()).hasSize(2).allMatch(error -> error.contains("status of 403"));
    assertThat(node.server().status("foreign-1")).isEqualTo("held");

    window.show("/");
    window.awaitSignedIn();
    decide("approvals.reject", "foreign-1");
    assertThat(held.join()).contains("-32007");
  }
}
