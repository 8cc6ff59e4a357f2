package gatebook.api.proof;

import java.util.Locale;

/** The pages of the console. */
enum ConsolePage {
  HOME("/", "deploy-1"),
  CALLS("/console/calls", "secret-1"),
  CALL("/console/call/%call", "no policy permits it"),
  TREE("/console/tree/%tree", "notify the shop"),
  DENIALS("/console/denials", "governance"),
  OBSERVED("/console/denials?observed=yes&since=all", "would be denied"),
  ERRORS("/console/errors", "-32"),
  LIVE("/console/live", ""),
  APPROVALS("/console/approvals", "deploy-2"),
  RULES("/console/rules", "payments"),
  WHATIF("/console/whatif", "Decide again"),
  NODE("/console/node", "denials");

  private final String path;
  private final String text;

  ConsolePage(String path, String text) {
    this.path = path;
    this.text = text;
  }

  /** Opens the page and waits until it shows its data. */
  void open(ConsoleWindow window, String call, String tree) {
    window.show(path.replace("%call", call).replace("%tree", tree));
    window.browser().await("document.querySelector('#page h1')");
    window.browser().awaitText(text);
    window.browser().await("document.querySelector('#page').ariaBusy !== 'true'");
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
