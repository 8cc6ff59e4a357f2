package gatebook.api.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A window of a browser, with one page. What it looks for it waits for. Elements are found as a
 * person finds them: by role and accessible name.
 */
public final class BrowserWindow {
  private static final Duration LOOK = Duration.ofMillis(30);
  private static final int TOUCH_STEPS = 4;

  /** Makes an error of the console of what a page's own policy refused. */
  private static final String REPORT_VIOLATIONS =
      """
      addEventListener('securitypolicyviolation', event => console.error(
        'violates ' + event.effectiveDirective + ': ' + event.blockedURI + ' at '
        + event.sourceFile + ':' + event.lineNumber));
      """;

  /** The visible elements of a selector in which a name occurs, however they get it. */
  private static final String CANDIDATES =
      """
      const [selector, name] = arguments;
      const plain = text => (text ?? '').replace(/\\s+/g, ' ');
      const texts = element => [
        element.textContent, element.ariaLabel, element.title, element.placeholder, element.value,
        ...[...(element.labels ?? [])].map(label => label.textContent),
        ...(element.getAttribute('aria-labelledby') ?? '').split(' ')
          .map(id => document.getElementById(id)?.textContent)];
      return [...document.querySelectorAll(selector)].filter(element =>
        element.checkVisibility({visibilityProperty: true})
        && texts(element).some(text => plain(text).includes(name)));
      """;

  private final Chromium browser;
  private final String handle;

  BrowserWindow(Chromium browser, String handle) {
    this.browser = browser;
    this.handle = handle;
  }

  void prepare() {
    var _ = devTools("Page.enable", Map.of());
    var _ = devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", REPORT_VIOLATIONS));
  }

  /** Runs a script in each page that is opened from now on, before any of the page's own. */
  public void beforeEachPage(String script) {
    var _ = devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  /** Opens an address, and returns once its page and its modules are loaded. */
  public void open(URI address) {
    var _ = post("/url", Map.of("url", address.toString()));
  }

  /** Goes to the page before, as the browser's button does. */
  public void back() {
    var _ = post("/back", Map.of());
  }

  public URI address() {
    return URI.create(get("/url").asText());
  }

  public String title() {
    return get("/title").asText();
  }

  /**
   * Runs a script in the page; a promise is waited for.
   *
   * @param body of a function, whose arguments are {@code arguments}
   */
  public JsonNode script(String body, Object... arguments) {
    return post("/execute/sync", Map.of("script", body, "args", Arrays.asList(arguments)));
  }

  /** Waits until an expression of the page is true. */
  public void await(String expression, Object... arguments) {
    try {
      waiting().until(() -> script("return Boolean(" + expression + ")", arguments).asBoolean());
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError("never true: %s; %s".formatted(expression, shown()), e);
    }
  }

  /** The only visible element with a role and an accessible name. */
  public PageElement find(AriaRole role, String name) {
    List<PageElement> found = new ArrayList<>();
    try {
      waiting()
          .until(() -> {
            found.clear();
            found.addAll(all(role, name));
            return found.size() == 1;
          });
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(
          "%d elements are a %s named %s; %s".formatted(found.size(), role.word(), name, shown()),
          e);
    }
    return found.getFirst();
  }

  /** All visible elements with a role and an accessible name, as they are now. */
  public List<PageElement> all(AriaRole role, String name) {
    List<PageElement> found = new ArrayList<>();
    for (JsonNode candidate : script(CANDIDATES, role.selector(), name)) {
      PageElement element = new PageElement(this, candidate);
      if (element.isNow(role, name)) {
        found.add(element);
      }
    }
    return found;
  }

  /** The only visible element that a selector selects. */
  public PageElement find(String selector) {
    await(
        "document.querySelector(arguments[0])?.checkVisibility({visibilityProperty: true})",
        selector);
    return new PageElement(this, script("return document.querySelector(arguments[0])", selector));
  }

  /** What the page shows, and where the focus is, for the message of a test that failed. */
  private String shown() {
    String focus =
        script(
                """
                const element = document.activeElement;
                return element.outerHTML.slice(0, 200) + ' with the value ' + element.value;
                """)
            .asText();
    return "the page is %s, the focus is at %s%n%s".formatted(address(), focus, text());
  }

  /** What a person reads on the page. */
  public String text() {
    return script("return document.body.innerText").asText();
  }

  /** Waits until the page shows a text. */
  public void awaitText(String text) {
    await("document.body.innerText.includes(arguments[0])", text);
  }

  /** Waits until the page does not show a text. */
  public void awaitNoText(String text) {
    await("!document.body.innerText.includes(arguments[0])", text);
  }

  /** Presses keys, one after another; where they go decides the focus of the page. */
  public void press(String... keys) {
    List<Map<String, ?>> strokes = new ArrayList<>();
    for (String key : keys) {
      strokes.add(Map.of("type", "keyDown", "value", key));
      strokes.add(Map.of("type", "keyUp", "value", key));
    }
    var _ =
        post(
            "/actions",
            Map.of(
                "actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", strokes))));
  }

  /** Types a text on the keyboard. */
  public void type(String text) {
    press(text.codePoints().mapToObj(Character::toString).toArray(String[]::new));
  }

  /** What a person gets who pastes here: the text that was copied. */
  public String pasted() {
    var _ =
        script(
            """
            const area = document.createElement('textarea');
            area.id = 'pasted';
            document.body.append(area);
            area.focus();
            """);
    for (String type : List.of("keyDown", "keyUp")) {
      var _ =
          devTools(
              "Input.dispatchKeyEvent",
              Map.of(
                  "type",
                  type,
                  "key",
                  "v",
                  "code",
                  "KeyV",
                  "windowsVirtualKeyCode",
                  86,
                  "modifiers",
                  2,
                  "commands",
                  type.equals("keyDown") ? List.of("paste") : List.of()));
    }
    await("document.getElementById('pasted').value !== ''");
    return script(
            """
            const area = document.getElementById('pasted');
            area.remove();
            return area.value;
            """)
        .asText();
  }

  /**
   * Touches an element with a finger, moves the finger to the side, and lifts it.
   *
   * @param from where it touches, as a share of the element's width
   * @param to where it is lifted
   */
  public void touch(String selector, double from, double to) {
    JsonNode box =
        script(
            """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({block: 'center'});
            const {left, top, width, height} = element.getBoundingClientRect();
            return {left, top, width, height};
            """,
            selector);
    double y = box.path("top").asDouble() + box.path("height").asDouble() / 2;
    var _ = devTools("Emulation.setTouchEmulationEnabled", Map.of("enabled", true));
    finger("touchStart", List.of(point(box, from, y)));
    for (int step = 1; step <= TOUCH_STEPS && from != to; step++) {
      finger("touchMove", List.of(point(box, from + (to - from) * step / TOUCH_STEPS, y)));
    }
    finger("touchEnd", List.of());
    var _ = devTools("Emulation.setTouchEmulationEnabled", Map.of("enabled", false));
  }

  private static Map<String, Double> point(JsonNode box, double share, double y) {
    return Map.of("x", box.path("left").asDouble() + share * box.path("width").asDouble(), "y", y);
  }

  private void finger(String type, List<Map<String, Double>> points) {
    var _ = devTools("Input.dispatchTouchEvent", Map.of("type", type, "touchPoints", points));
  }

  /** Changes how wide the page is, and in which colours. */
  public void look(ColourScheme colourScheme, int width) {
    var _ =
        devTools(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    var _ =
        devTools(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(
                    Map.of("name", "prefers-color-scheme", "value", colourScheme.word()),
                    Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Pretends to be in a time zone. */
  public void timeZone(String id) {
    var _ = devTools("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
  }

  /** Saves a picture of the whole page. */
  public void savePicture(Path file) {
    JsonNode picture =
        devTools("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, Base64.getDecoder().decode(picture.path("data").asText()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes all cookies that the page's address has. */
  public void deleteCookies() {
    var _ = browser.delete(handle, "/cookie");
  }

  /** Closes the window. */
  public void close() {
    var _ = browser.delete(handle, "/window");
  }

  /** A command of Chromium's own protocol. */
  public JsonNode devTools(String command, Map<String, ?> parameters) {
    return post("/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
  }

  JsonNode post(String path, Map<String, ?> parameters) {
    return browser.post(handle, path, parameters);
  }

  JsonNode get(String path) {
    return browser.get(handle, path);
  }

  private static org.awaitility.core.ConditionFactory waiting() {
    return org.awaitility.Awaitility.await().pollDelay(Duration.ZERO).pollInterval(LOOK);
  }
}
