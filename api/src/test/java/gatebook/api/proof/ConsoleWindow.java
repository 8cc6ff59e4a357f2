package gatebook.api.proof;

import gatebook.api.browser.AriaRole;
import gatebook.api.browser.BrowserWindow;
import gatebook.api.browser.Chromium;
import gatebook.api.browser.ColourScheme;
import gatebook.api.browser.Keys;
import gatebook.api.browser.PageElement;
import java.net.URI;
import java.util.List;

/** A window that shows the console to one operator. */
final class ConsoleWindow {
  static final int WIDE = 1_280;

  private final BrowserWindow window;
  private final URI base;

  private ConsoleWindow(BrowserWindow window, URI base) {
    this.window = window;
    this.base = base;
  }

  /** Opens a window on the first page. */
  static ConsoleWindow open(Chromium browser, URI base) {
    ConsoleWindow opened = new ConsoleWindow(browser.newWindow(), base);
    opened.window.look(ColourScheme.LIGHT, WIDE);
    opened.show("/");
    return opened;
  }

  /** Opens a window in which an operator is signed in. */
  static ConsoleWindow signedIn(Chromium browser, URI base, String token) {
    ConsoleWindow opened = open(browser, base);
    opened.signIn(token);
    return opened;
  }

  BrowserWindow browser() {
    return window;
  }

  /** Opens a page by its address, as from a link in a chat. */
  void show(String path) {
    window.open(base.resolve(path));
  }

  /** By the keyboard: a pointer would rest where the next page may show a call. */
  void signIn(String token) {
    window.find("#token").fill(token);
    window.press(Keys.ENTER);
    awaitSignedIn();
  }

  void awaitSignedIn() {
    window.await("document.documentElement.dataset.session === 'in'");
  }

  void awaitSignedOut() {
    window.await("document.documentElement.dataset.session === 'out'");
    var _ = window.find("#sign-in");
  }

  /** Searches by the box that is on every page. */
  void search(String text) {
    window.find("#search").fill(text);
    window.press(Keys.ENTER);
  }

  /** Waits until the heading of the page is this. */
  void awaitHeading(String heading) {
    var _ = window.find(AriaRole.HEADING, heading);
  }

  /** Waits until a table has a row with all these texts. */
  void awaitRow(String... texts) {
    window.await(
        "[...document.querySelectorAll('#page [data-row]')].some(row =>"
            + " arguments[0].every(text => row.innerText.includes(text)))",
        List.of(texts));
  }

  /** Waits until no row has all these texts. */
  void awaitNoRow(String... texts) {
    window.await(
        "![...document.querySelectorAll('#page [data-row]')].some(row =>"
            + " arguments[0].every(text => row.innerText.includes(text)))",
        List.of(texts));
  }

  /** Presses a button that copies, and returns what is pasted then. */
  String copied(PageElement button) {
    var _ = window.script("document.getElementById('announcer').textContent = ''");
    button.click();
    window.await("document.getElementById('announcer').textContent === 'Copied.'");
    return window.pasted();
  }

  /** Closes the window and ends the operator's session in it. */
  void close() {
    window.deleteCookies();
    window.close();
  }
}
