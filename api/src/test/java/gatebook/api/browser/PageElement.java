package gatebook.api.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** An element of a page. Actions on it are those of a person with a mouse and a keyboard. */
public final class PageElement {
  private final BrowserWindow window;
  private final JsonNode reference;

  /**
   * @param reference as the driver gave it
   */
  PageElement(BrowserWindow window, JsonNode reference) {
    this.window = window;
    this.reference = reference;
  }

  private String path(String command) {
    return "/element/" + reference.elements().next().asText() + command;
  }

  /** Whether the element is still in the page and has this role and accessible name. */
  boolean isNow(AriaRole role, String name) {
    try {
      return name().equals(name) && role().equals(role.word());
    } catch (WebDriverClient.CommandFailed e) {
      if (e.error().equals("stale element reference")) {
        return false;
      }
      throw e;
    }
  }

  /** The role that assistive technology tells. */
  public String role() {
    return window.get(path("/computedrole")).asText();
  }

  /** The name that assistive technology tells. */
  public String name() {
    return window.get(path("/computedlabel")).asText();
  }

  /** What a person reads in it. */
  public String text() {
    return script("return arguments[0].innerText").asText();
  }

  public String value() {
    return script("return arguments[0].value").asText();
  }

  /** Runs a script whose only argument is the element. */
  public JsonNode script(String body) {
    return window.script(body, reference);
  }

  public void click() {
    var _ = window.post(path("/click"), Map.of());
  }

  /** Chooses an option of a list, as the value that it stands for. */
  public void choose(String value) {
    var _ =
        window.script(
            """
            const [list, value] = arguments;
            list.value = value;
            list.dispatchEvent(new Event('change', {bubbles: true}));
            """,
            reference,
            value);
  }

  /** Replaces the text of a field by typing. */
  public void fill(String text) {
    var _ = window.post(path("/clear"), Map.of());
    var _ = window.post(path("/value"), Map.of("text", text));
  }
}
