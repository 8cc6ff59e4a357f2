package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.browser.AccessibilityCheck;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.operator.OldDenials;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.kept.KeptEvents;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console shows of what was erased, archived and dropped. */
@Order(2)
final class ConsoleKeptProcessTest {
  private static final int CALLS = 60;
  private static final int ARCHIVED = 30;
  private static final long SEGMENT_BYTES = 20_000;
  private static final String TOKEN = "token-of-caller-alice";

  @TempDir private static Path temp;

  private static ServerProcess server;
  private static Chromium browser;
  private static ConsoleWindow window;

  /** The oldest events are dropped, and those after them are in an archive. */
  @BeforeAll
  static void start() throws IOException {
    ServerDirectory directory =
        ServerDirectory.withRules(
            temp.resolve("place"),
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: forward}}
            principals: [{name: alice, token_hash: "%s"}]
            operators:
            %s
            retention: {archive: "%s", events: {days: 36500}}
            """
                .formatted(ConsoleOperator.hash(TOKEN), ConsoleOperator.ADMIN.rule(), archive()));
    fill(directory.data());
    server = ServerProcess.start(directory.directory(), ServerProcess.StartOptions.DEFAULTS);
    browser = Chromium.start(temp.resolve("browser"));
    window = ConsoleWindow.signedIn(browser, server.admin(), ConsoleOperator.ADMIN.token());
  }

  private static Path archive() {
    return temp.resolve("archive");
  }

  private static void fill(Path data) throws IOException {
    JournalSettings settings =
        Journals.withSegments(
            new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of()),
            SEGMENT_BYTES);
    SegmentRetention archiving =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> new ArchiveAddress.Directory(archive()).open()),
            Duration.ofMillis(50));
    try (var _ = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory()) {
      try (Journal journal = Journals.opened(settings);
          ContentKeyStore contentKeys = KeysOnDisk.open(data, journal)) {
        OldDenials.append(journal, new EventVocabulary(contentKeys, OldKeys.NONE), CALLS);
        TestDrops.dropOldest(TestDrops.of(journal, new KeptEvents(() -> Instant.MAX)));
      }
      SegmentLocation location = ((SegmentLocation) settings.location()).with(archiving);
      try (Journal journal = Journals.opened(Journals.at(location, settings))) {
        await().until(() -> journal.isArchived(3 * ARCHIVED + 4));
      }
    }
  }

  @AfterAll
  static void stop() {
    try (ServerProcess _ = server;
        Chromium _ = browser) {
      // both are closed, also when the start failed half-way
    }
  }

  @AfterEach
  void nothingFailed() {
    ConsoleErrors.assertNone(browser);
  }

  @Test
  void anErasedCallSaysWhatIsGone() throws Exception {
    call("erased-1", "said by alice");
    String path = "/console/call/" + server.lookup("erased-1").path(0).path("callId").asText();
    window.show(path);
    window.browser().awaitText("said by alice");

    server.request("content.forget", "{\"principal\":\"alice\",\"reason\":\"asked\"}");

    window.show(path);
    BrowserWindow page = window.browser();
    page.awaitText("What was said in it was erased.");
    page.awaitText("alice called echo and was answered");
    page.awaitText("Proven");
    assertThat(page.text()).contains("[erased]").doesNotContain("said by alice");
    assertThat(AccessibilityCheck.violations(page)).isEmpty();
  }

  private static void call(String marker, String note) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.mcp())
              .header("Content-Type", "application/json")
              .header("X-Correlation-Id", marker)
              .header("Authorization", "Bearer " + TOKEN)
              .POST(
                  BodyPublishers.ofString(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
                      {"name":"echo","arguments":{"note":"%s"}}}\
                      """
                          .formatted(note)))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("result");
    }
  }

  @Test
  void anArchivedCallSaysWhereItIs() {
    window.show("/console/call/" + OldDenials.call(ARCHIVED));

    window.browser().awaitText("Events of it are in the archive");
    window.browser().awaitText("governance, denied it");
    window.browser().awaitText("Proven");
  }

  @Test
  void aDroppedCallSaysThroughWhen() {
    window.show("/console/call/" + OldDenials.call(0));

    window.browser().awaitText("Nothing that is kept has this id");
    window.browser().awaitText("Events were dropped through 2026-01-0");
  }

  @Test
  void listsAndCountsSayWhatTheyLack() {
    for (String page :
        List.of("calls", "denials?since=all&by=tool", "errors?since=all", "rules?view=history")) {
      window.show("/console/" + page);

      window.browser().awaitText("Events were dropped through 2026-01-0");
    }
  }

  @Test
  void theNodeSaysThroughWhenEventsWereDropped() {
    window.show("/console/node");

    window.browser().awaitText("events through 2026-01-0");
  }
}
