package gatebook.api.browser;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The accessibility check of pages by axe, which npm installs. */
public final class AccessibilityCheck {
  private static final Path PEERS =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/console");

  private static final String RUN =
      """
      const only = arguments[0].length === 0 ? {} : {runOnly: {type: 'rule', values: arguments[0]}};
      const options = {resultTypes: ['violations'], preload: false, ...only};
      return axe.run(document, options).then(result => result.violations
        .filter(rule => rule.impact === 'serious' || rule.impact === 'critical')
        .flatMap(rule => rule.nodes.map(node =>
          rule.id + ' (' + rule.impact + '): ' + node.target.join(' ') + ': '
          + node.failureSummary.split('\\n').slice(1).join(';').trim())));
      """;

  /** The rules of axe whose result depends on colours. */
  private static final List<String> COLOURS = List.of("color-contrast", "link-in-text-block");

  private AccessibilityCheck() {}

  /** What is wrong with a page as it is shown now, seriously or critically. */
  public static List<String> violations(BrowserWindow window) {
    return violations(window, List.of());
  }

  /** What is wrong with the colours of a page as it is shown now, seriously or critically. */
  public static List<String> violationsOfColours(BrowserWindow window) {
    return violations(window, COLOURS);
  }

  /**
   * @param rules of axe; empty for all
   */
  private static List<String> violations(BrowserWindow window, List<String> rules) {
    if (!window.script("return 'axe' in window").asBoolean()) {
      var _ = window.script(axe());
    }
    List<String> violations = new ArrayList<>();
    for (JsonNode violation : window.script(RUN, rules)) {
      violations.add(violation.asText());
    }
    return violations;
  }

  private static String axe() {
    Requires.packages(PEERS);
    try {
      return Files.readString(PEERS.resolve("node_modules/axe-core/axe.min.js"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
