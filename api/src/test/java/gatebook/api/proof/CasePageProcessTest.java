package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.browser.AccessibilityCheck;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.casefile.CaseEdits;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.api.rpc.JsonStrings;
import gatebook.events.CallEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a case file in a browser, for a call in which every word is hostile. */
@Order(2)
@Timeout(300)
final class CasePageProcessTest {
  private static final String HOSTILE =
      "</pre></style></title><img src=http://127.0.0.1:1/x onerror=window.hit=1>"
          + "<script>window.hit=1</script>\u202etxt.exe\u0000\u2028";

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}, rules: [{match: "<*", action: deny}]}
      """
          + NodeCaller.people("view, arguments, admin");

  /** What only a page that was broken out of has, and whether something was executed. */
  private static final String INTRUDERS =
      """
      return [...document.querySelectorAll('body *')]
        .filter(it => !['H1', 'H2', 'P', 'PRE'].includes(it.tagName) || it.attributes.length > 0)
        .map(it => it.outerHTML)
        .concat('hit' in window ? ['a script was executed'] : [])
        .concat(performance.getEntriesByType('resource').map(it => it.name))
      """;

  @TempDir private Path temp;

  @Test
  void hostileWordsAreShownHarmlessly() throws IOException {
    Path page = temp.resolve("page.html");
    try (WatchedNode node = WatchedNode.start(Files.createDirectory(temp.resolve("n")), RULES)) {
      Files.write(page, page(node));
    }
    try (Chromium browser = Chromium.start(temp.resolve("browser"))) {
      BrowserWindow window = browser.newWindow();
      window.open(page.toUri());

      assertThat(window.title()).isEqualTo("Case file");
      assertThat(window.text())
          .contains("<script>window.hit=1</script>⟨U+202E⟩txt.exe")
          .contains("</pre></style></title><img src=")
          .doesNotContain("\u202e", "\u0000");
      assertThat(window.script(INTRUDERS)).isEmpty();
      assertThat(AccessibilityCheck.violations(window)).isEmpty();
      assertThat(browser.foreignRequests()).isEmpty();
    }
  }

  private static byte[] page(WatchedNode node) throws IOException {
    String hostile = JsonStrings.quoted(HOSTILE);
    String arguments =
        "{%s:%s,\"large\":\"%s\"}".formatted(hostile, hostile, "<b>".repeat(1 << 18));
    NodeReply reply =
        node.joe()
            .mcp("tools/call", "{\"name\":%s,\"arguments\":%s}".formatted(hostile, arguments));
    NodeReply small =
        node.joe()
            .mcp("tools/call", "{\"name\":%1$s,\"arguments\":{%1$s:%1$s}}".formatted(hostile));
    byte[] large = page(node, reply);
    assertThat(new String(large, UTF_8)).doesNotContain("<b>").contains("&lt;b&gt;");
    return page(node, small);
  }

  private static byte[] page(WatchedNode node, NodeReply reply) throws IOException {
    String id = ((CallEvent) reply.events().getFirst()).callId().toString();
    JsonNode made = node.operator(NodeCaller.ALICE, "audit.case", "{\"id\":\"%s\"}".formatted(id));
    byte[] file = Base64.getDecoder().decode(made.at("/result/file").asText());
    return Objects.requireNonNull(CaseEdits.members(file).get("page.html"));
  }
}
