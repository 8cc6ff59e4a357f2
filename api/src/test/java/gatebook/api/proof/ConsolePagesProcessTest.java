package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.browser.AccessibilityCheck;
import gatebook.api.browser.AriaRole;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.browser.ColourScheme;
import gatebook.api.browser.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages of the console show to an operator who may see everything. */
@Order(2)
final class ConsolePagesProcessTest {
  private static final int NARROW = 360;
  private static final Path PICTURES =
      Path.of(System.getProperty("gatebook.root"), "api/target/console");

  /** A call of the agent protocol, without what its method needs. */
  private static final String AGENT_CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}\
      """;

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.of("Asia/Kathmandu"));

  @TempDir private static Path temp;

  private static Chromium browser;
  private static ConsoleNode node;
  private static ConsoleWindow window;
  private static String tree;
  private static String call;

  @BeforeAll
  static void start() {
    browser = Chromium.start(temp.resolve("browser"));
    node = ConsoleNode.startAfterUnreadableEvent(temp.resolve("node"), ConsoleWords.PLAIN);
    tree = node.fill();
    call = node.callId("pay-3");
    node.call(ConsoleNode.ALICE, "archived-1", "archive_log", 1);
    node.addRule("{match: \"archive_*\", action: deny}");
    node.call(ConsoleNode.ALICE, "archived-2", "archive_log", 1);
    node.post("/a2a", ConsoleNode.ALICE, "agent-1", AGENT_CALL);
    node.call(ConsoleNode.ALICE, "observed-1", "observed_plan", 1);
    window = ConsoleWindow.signedIn(browser, node.url(), ConsoleOperator.ADMIN.token());
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
    window.browser().look(ColourScheme.LIGHT, ConsoleWindow.WIDE);
    ConsoleErrors.assertNone(browser);
  }

  @ParameterizedTest
  @EnumSource
  void pageIsAccessibleInBothSchemesAndWidths(ConsolePage page) {
    page.open(window, call, tree);

    assertThat(violations(page.word())).isEmpty();
  }

  @Test
  void signInIsAccessibleInBothSchemesAndWidths() {
    ConsoleWindow other = ConsoleWindow.open(browser, node.otherUrl());
    other.awaitSignedOut();

    assertThat(violations("sign-in", other.browser())).isEmpty();
    other.close();
  }

  private static List<String> violations(String name) {
    return violations(name, window.browser());
  }

  /**
   * What axe finds, at each width and in each scheme; a picture of each is saved. Of the second
   * scheme, which is the same page in other colours, only the colours are checked.
   */
  private static List<String> violations(String name, BrowserWindow browserWindow) {
    List<String> violations = new ArrayList<>();
    for (int width : List.of(ConsoleWindow.WIDE, NARROW)) {
      for (ColourScheme scheme : ColourScheme.values()) {
        browserWindow.look(scheme, width);
        String picture = "%s-%s-%d".formatted(name, scheme.word(), width);
        browserWindow.savePicture(PICTURES.resolve(picture + ".png"));
        List<String> found =
            scheme == ColourScheme.LIGHT
                ? AccessibilityCheck.violations(browserWindow)
                : AccessibilityCheck.violationsOfColours(browserWindow);
        found.forEach(it -> violations.add(picture + ": " + it));
        if (!isAsWideAs(browserWindow, width)) {
          violations.add(picture + ": the page is wider than the window");
        }
      }
    }
    return violations;
  }

  private static boolean isAsWideAs(BrowserWindow browserWindow, int width) {
    return browserWindow.script("return document.documentElement.scrollWidth").asInt() <= width;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "  \"%s\" ",
        "{\"correlation_id\":\"pay-3\",\"gate\":\"policy\"}",
        "2026-01-02T03:04:05Z WARN denied call_id=%s gate=policy",
        "pay-3"
      })
  void searchFindsACallByWhatIsPasted(String pasted) {
    window.show("/console/node");
    window.search(pasted.formatted(call));

    window.browser().await("location.pathname === '/console/call/' + arguments[0]", call);
    window.browser().awaitText("no policy permits it");
  }

  @Test
  void searchSaysWhyNothingIsFound() {
    window.search("never-heard-of");

    window.browser().awaitText("nothing up to position");
  }

  @Test
  void filtersAreInTheAddress() {
    window.search("status:denied gate:policy");
    window.browser().await("location.search.includes('gate=policy')");
    window.awaitRow("pay-3");
    window.awaitNoRow("delete-3");

    String address = window.browser().address().toString();
    window.show("/console/node");
    window.show(address.substring(node.url().toString().length()));

    window.awaitRow("pay-3");
    window.awaitNoRow("delete-3");
    assertThat(window.browser().find("#search").value()).isEqualTo("status:denied gate:policy");
  }

  @Test
  void numbersOfDenialsAreThoseOfAuditDenials() {
    for (String by : List.of("gate", "tool", "principal", "reason", "code")) {
      window.show("/console/denials?since=all&by=" + by);
      JsonNode counted = counted("audit.denials", "{\"by\":[\"%s\"]}".formatted(by));

      window.browser().awaitText(counted.path("total") + " calls in all");
      assertThat(counts(counted)).as(by).isEqualTo(countsOf(counted));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "error,",
    "fault,\"fault\"",
    "code,\"code\"",
    "tool,\"target\"",
    "gate,\"gate\"",
    "agent,\"agent\"",
    "skill,\"skill\""
  })
  void numbersOfErrorsAreThoseOfAuditErrors(String by, @Nullable String member) {
    window.show("/console/errors?since=all&by=" + by);
    JsonNode counted =
        counted("audit.errors", member == null ? "{}" : "{\"by\":[%s]}".formatted(member));

    assertThat(counts(counted)).isEqualTo(countsOf(counted));
  }

  @Test
  void agentsAreCombinedWithFaultsAndGates() {
    window.show("/console/errors?since=all&by=agent");
    window.browser().find(AriaRole.LINK, "1 call, show").click();
    window.browser().awaitText("1 error in all, newest first.");

    window.browser().find(AriaRole.LINK, "Fault").click();

    JsonNode counted = counted("audit.errors", "{\"by\":[\"fault\"],\"agent\":null}");
    window.awaitRow(counted.at("/groups/0/fault").asText());
    assertThat(counts(counted)).isEqualTo(List.of(1)).isEqualTo(countsOf(counted));
    window.browser().find(AriaRole.BUTTON, "Remove the filter agent").click();
    window.awaitRow("GovernanceRuleDenied");
  }

  @Test
  void errorsAreFilteredByAllTheyHave() {
    window.show("/console/errors?since=all&fault=GovernanceRuleDenied&tool=delete_order");
    window.browser().awaitText("GovernanceRuleDenied");
    JsonNode counted =
        counted(
            "audit.errors",
            """
            {"fault":"GovernanceRuleDenied","target":"delete_order"}\
            """);
    assertThat(counts(counted)).isEqualTo(countsOf(counted));

    window.show("/console/errors?since=all&fault=GovernanceRuleDenied&tool=pay");

    window.browser().awaitText("No caller got an error in this time.");
    window.browser().awaitText("No call matches.");
  }

  @Test
  void barsOfErrorsAreMinutes() {
    window.show("/console/errors?since=1h");
    window.browser().await("document.querySelector('.chart-plot canvas')");
    window.browser().find(".chart-table summary").click();

    window.browser().await("document.querySelector('.chart-table tbody th')");
    assertThat(window.browser().find(".chart-table tbody th").text())
        .matches("\\d{4}-\\d\\d-\\d\\d (\\d\\d:\\d\\d) – (\\d\\d:\\d\\d)");
  }

  @Test
  void firstAndLastSeenAreThoseOfTheNode() {
    window.show("/console/denials?since=all&by=tool");
    String row = // and not that of a call, which the page may have first
        """
        [...document.querySelectorAll('#page [data-row]:has([data-label="First seen"] time)')]
          .find(it => it.innerText.includes('delete_order'))\
        """;
    window.browser().await(row);
    JsonNode group =
        counted("audit.denials", "{\"by\":[\"tool\"],\"tool\":\"delete_order\"}").at("/groups/0");

    JsonNode shown =
        window
            .browser()
            .script(
                """
                const row = %s;
                return ['First seen', 'Last seen']
                  .map(it => row.querySelector(`[data-label="${it}"] time`).dateTime);
                """
                    .formatted(row));
    assertThat(List.of(shown.get(0), shown.get(1)))
        .containsExactly(group.path("firstAt"), group.path("lastAt"));
    window.browser().awaitText("The trend compares the later half of this time");
  }

  private static JsonNode counted(String method, String params) {
    return node.server().request(method, params);
  }

  /** The counts of the groups, in order of size, once there are as many as the node has. */
  private static List<Integer> counts(JsonNode counted) {
    window
        .browser()
        .await(
            "document.querySelectorAll('#page [data-label=Count]').length === arguments[0]",
            counted.path("groups").size());
    List<Integer> counts = new ArrayList<>();
    window
        .browser()
        .script(
            """
            return [...document.querySelectorAll('#page [data-label=Count]')]
              .map(cell => Number(cell.innerText.replaceAll(',', '')))
            """)
        .forEach(count -> counts.add(count.asInt()));
    return counts.stream().sorted().toList();
  }

  private static List<Integer> countsOf(JsonNode answer) {
    List<Integer> counts = new ArrayList<>();
    answer.path("groups").forEach(group -> counts.add(group.path("count").asInt()));
    return counts.stream().sorted().toList();
  }

  @Test
  void timesAreLocalWithUtcOnHover() {
    window.browser().timeZone("Asia/Kathmandu");
    window.show("/console/call/" + call);
    window.browser().await("document.querySelector('#page time')");
    JsonNode shown =
        window
            .browser()
            .script(
                """
                const time = document.querySelector('#page time');
                return [time.dateTime, time.title, time.innerText];
                """);
    window.browser().timeZone("");

    String utc = shown.get(0).asText();
    assertThat(shown.get(1).asText()).isEqualTo(utc.replace('T', ' ').replace("Z", "") + " UTC");
    assertThat(shown.get(2).asText()).startsWith(LOCAL.format(Instant.parse(utc)));
  }

  @Test
  void aNumberLeadsToItsCalls() {
    window.show("/console/denials?since=all");
    window.browser().find(AriaRole.LINK, "5 calls, show").click();

    window.browser().awaitText("5 calls in all, newest first.");
  }

  @Test
  void bothVerdictsOfAnObservedCallAreShown() {
    window.show("/console/denials?since=all&by=code");
    window.browser().find(AriaRole.LINK, "the candidate").click();
    window.awaitRow(
        "observed_plan",
        "alice",
        "forwarded, no other gate is asked",
        "would be denied: a rule denies it");

    window.show("/console/call/" + node.callId("observed-1"));
    window.browser().awaitText("What a candidate would have decided. It had no effect.");
    window.browser().awaitText("would be denied: a rule denies it");
    assertThat(violations("observed-call")).isEmpty();
  }

  @Test
  void aBarNarrowsTheTime() {
    window.show("/console/denials");
    window.browser().await("document.querySelector('.chart-plot canvas')");
    var _ = window.browser().script("document.querySelector('.chart-plot').focus()");
    window.browser().press(Keys.END);
    String counted = window.browser().find(".chart-count").text();
    window.browser().press(Keys.ENTER);

    window.browser().await("new URLSearchParams(location.search).has('until')");
    window
        .browser()
        .await("document.querySelector('.chart-count')?.innerText === arguments[0]", counted);
  }

  @Test
  void aBarIsClicked() {
    openChartOfAnHour();
    window.browser().find(".u-over").click();

    assertThat(chosenTime()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aBarIsTouched() {
    openChartOfAnHour();
    window.browser().touch(".u-over", 0.5, 0.5);

    assertThat(chosenTime()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aFingerChoosesSeveralBars() {
    openChartOfAnHour();
    window.browser().touch(".u-over", 0.25, 0.75);

    assertThat(chosenTime()).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(32));
  }

  private static void openChartOfAnHour() {
    window.show("/console/denials?since=1h");
    window.browser().await("document.querySelector('.chart-plot canvas')");
  }

  /** The time to which the chart narrowed the page. */
  private static Duration chosenTime() {
    window.browser().await("new URLSearchParams(location.search).has('until')");
    JsonNode chosen =
        window
            .browser()
            .script(
                """
                const query = new URLSearchParams(location.search);
                return [query.get('since'), query.get('until')];
                """);
    return Duration.between(
        Instant.parse(chosen.get(0).asText()), Instant.parse(chosen.get(1).asText()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/console/calls?tool=none | No call matches all of these filters. | show all calls",
        "/console/denials?tool=none | Nothing was denied in this time. | Choose a longer time",
        "/console/errors?tool=none | No caller got an error in this time. | Choose a longer time",
        "/console/live?q=tool:none | No call since this page was opened. | as they are decided"
      })
  void anEmptyPageSaysWhatToDo(String path, String sentence, String next) {
    window.show(path);

    window.browser().awaitText(sentence);
    window.browser().awaitText(next);
  }

  @Test
  void anErrorHasItsCorrelationId() {
    window.show("/console/calls?q=pay-3&asOf=nonsense");

    window.browser().awaitText("The node refused what was asked.");
    window.browser().awaitText("Correlation id ");
    String id = copied("Copy the correlation id");
    assertThat(window.browser().text()).contains("Correlation id " + id);
  }

  @Test
  void aFilterIsChosenAndTakenAway() {
    window.show("/console/calls");
    window.awaitRow("pay-3");
    choose("status", "held");
    window.awaitNoRow("pay-3");
    window.awaitRow("deploy-1");

    window.browser().find(AriaRole.LINK, "Clear").click();
    window.awaitRow("pay-3");

    window.browser().back();
    window.awaitNoRow("pay-3");
    assertThat(window.browser().address().getQuery()).isEqualTo("status=held");
  }

  private static void choose(String label, String value) {
    window.browser().find(AriaRole.COMBOBOX, label).choose(value);
  }

  @Test
  void moreCallsAreShownOnRequest() {
    window.show("/console/calls");
    window.awaitRow("pay-3");
    window.awaitNoRow("orders-0");

    window.browser().find(AriaRole.BUTTON, "Show more").click();

    window.awaitRow("orders-0");
  }

  @Test
  void aCallIsDecidedAgain() {
    window.show("/console/call/" + call);
    window.browser().find("#decide-again").click();

    window.browser().awaitText("The rules of then decide as it was recorded.");
    window.browser().awaitText("Today it would come to the same.");
    assertThat(window.browser().script("return !document.querySelector('.different')").asBoolean())
        .isTrue();
  }

  @Test
  void whatTodayIsDecidedOtherwiseIsMarked() {
    window.show("/console/call/" + node.callId("archived-1"));
    window.browser().find("#decide-again").click();

    window.browser().awaitText("The rules of then decide as it was recorded.");
    window.browser().awaitText("Today it would be denied");
    assertThat(window.browser().find(".comparison .outcome .is-different").text())
        .contains("differs");
  }

  @Test
  void whatCameBackIsShown() {
    window.show("/console/call/" + node.callId("named-1"));

    window.browser().awaitText("A result came back");
    window.browser().awaitText("The caller got the result, unchanged.");
  }

  @Test
  void theProofIsVerifiedInTheBrowser() {
    window.show("/console/call/" + call);

    window.browser().awaitText("Proven");
    window.browser().awaitText("All 3 events are in the tree");
    assertThat(
            window
                .browser()
                .script("return document.querySelectorAll('.events .proof-mark.ok').length")
                .asInt())
        .isEqualTo(3);
  }

  @Test
  void theRuleAndThePolicyOfACallAreShown() {
    window.show("/console/call/" + call);

    window.browser().awaitText("resource.arguments.amount < 100");
    window.browser().awaitText("{match: \"pay\", action: policy, policy_id: payments}");
  }

  @Test
  void whatTheCallerWasToldIsCopiedExactly() {
    String told =
        node.post(
            "/mcp",
            ConsoleNode.BOB,
            "told-1",
            """
            {"jsonrpc":"2.0","id":"\u00e9 \u202e\\u202e\ud83d\ude00 \\/","method":"tools/call",\
            "params":{"name":"delete_order","arguments":{}}}\
            """);
    window.show("/console/call/" + node.callId("told-1"));
    window.browser().awaitText("U+202E");

    assertThat(copied("Copy: What the caller was told, byte for byte")).isEqualTo(told);
  }

  @Test
  void idsAndRulesAreCopiedExactly() {
    window.show("/console/call/" + call);
    assertThat(copied("Copy the call id")).isEqualTo(call);
    assertThat(copied("Copy the correlation id")).isEqualTo("pay-3");

    window.show("/console/rules");
    assertThat(window.copied(window.browser().find(".listing-block .copy")))
        .isEqualTo(counted("rules.show", "{}").path("text").asText());
  }

  private static String copied(String button) {
    return window.copied(window.browser().find(AriaRole.BUTTON, button));
  }

  @Test
  void anEventHasItsLeafHash() {
    window.show("/console/call/" + call);
    window.browser().awaitText("All 3 events are in the tree");
    window.browser().find(".events summary").click();

    assertThat(copied("Copy the leaf hash"))
        .isEqualTo(
            counted("audit.proof", "{\"callId\":\"%s\"}".formatted(call))
                .at("/events/0/leafHash")
                .asText());
  }

  @Test
  void aTaskOfATreeIsShown() {
    window.show("/console/tree/" + tree);
    window.browser().find(AriaRole.BUTTON, "notify the shop").click();

    assertThat(window.browser().find(AriaRole.DIALOG, "notify the shop").text())
        .contains("The calls that ran it");
    window.browser().press(Keys.ESCAPE);
    window.browser().await("!document.querySelector('dialog')");
  }

  @Test
  void aDrawnTaskLeadsToItsCall() {
    window.show("/console/tree/" + tree);
    window.browser().await("document.querySelectorAll('svg.tree a.task').length === 2");
    var _ =
        window
            .browser()
            .script(
                """
                [...document.querySelectorAll('svg.tree a.task')]
                  .find(it => it.textContent.includes('read the orders'))
                  .dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
                """);

    window.awaitHeading("alice called read_order and was answered");
  }

  @Test
  void aParkedEventIsRetriedAndDiscarded() {
    window.show("/console/node");
    window.browser().find(AriaRole.BUTTON, "Retry position 1 of calls").click();
    window.browser().awaitText("It failed again: ");
    window.awaitRow("calls", "CallReceived", "2");

    window.browser().find(AriaRole.BUTTON, "Discard position 1 of calls").click();
    window.browser().find(AriaRole.BUTTON, "Discard").click();

    window
        .browser()
        .await("document.getElementById('announcer').innerText === 'Position 1 is discarded.'");
    window.browser().await("!document.querySelector('[data-row=\"calls-1\"]')");
    assertThat(counted("audit.parked", "{\"projection\":\"calls\"}").path("parked")).isEmpty();
  }

  @Test
  void theJournalIsVerifiedOnRequest() {
    window.show("/console/node");
    window.browser().find(AriaRole.BUTTON, "Verify now").click();

    window.browser().awaitText("unaltered");
  }

  @Test
  void aViewIsRebuiltOnRequest() {
    window.show("/console/node");
    window.browser().find(AriaRole.BUTTON, "Rebuild denials").click();
    window.browser().find(AriaRole.BUTTON, "Rebuild").click();

    window.browser().await("!document.querySelector('dialog')");
    window.browser().awaitText("replaced ");
    window
        .browser()
        .await(
            "document.getElementById('announcer').innerText"
                + ".startsWith('The rebuild of denials ended: replaced.')");
  }

  @Test
  void aCandidateOfRulesIsChecked() {
    window.show("/console/rules?view=check");
    window
        .browser()
        .find("#candidate")
        .fill(
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: perhaps}}
            """);
    window.browser().find(AriaRole.BUTTON, "Check").click();

    window.browser().awaitText("1 mistake. The node would refuse these rules.");
    window.browser().awaitText("line 3, column 33");
  }

  @Test
  void whatACandidateWouldChangeIsShown() {
    window.show("/console/whatif");
    window
        .browser()
        .find("#candidate")
        .fill(
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: deny}}
            """);
    window.browser().find(AriaRole.BUTTON, "Decide again").click();

    window.browser().awaitText("would change.");
    window.browser().awaitText("unservable: Unauthorized");
  }

  @Test
  void theDifferenceOfTwoRulesIsShown() {
    node.breakRules();
    window.show("/console/rules?view=history");
    window.awaitRow("rejected", "1 mistake");
    window.browser().await("document.querySelectorAll('#page [data-row] a').length === 2");
    var _ = window.browser().script("document.querySelector('#page [data-row] a').click()");

    window.browser().awaitText("1 line added, 0 lines removed");
    window.browser().awaitText("{match: \"archive_*\", action: deny}");
    window.browser().awaitText("Whom it affected");
    window.awaitRow("archive_log", "alice", "newly denied");
  }

  @Test
  void theKeysAreListed() {
    window.show("/console/calls");
    window.awaitRow("pay-3");
    window.browser().press("?");

    assertThat(window.browser().find(AriaRole.DIALOG, "Keys").text()).contains("search");
    window.browser().press(Keys.ESCAPE);
    window.browser().await("!document.querySelector('dialog')");
  }
}
