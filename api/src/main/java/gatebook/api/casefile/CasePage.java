package gatebook.api.casefile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.log.VisibleText;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import org.axonframework.messaging.core.QualifiedName;

/**
 * The page of a case file for people: HTML that runs no scripts and loads nothing. Every character
 * of what was recorded is shown as a character.
 */
final class CasePage {
  private static final JsonMapper JSON = new JsonMapper();

  /** What the words of redactions mean. */
  private static final Map<String, String> REASONS =
      Map.of(
          "role-arguments",
          "not given to an operator without the role arguments",
          "role-admin",
          "not given to an operator without the role admin",
          "erased",
          "erased: its key was destroyed on purpose",
          "key-missing",
          "its key is missing",
          "refused",
          "its key does not open it",
          "not-recorded",
          "these rules are not in the journal",
          "dropped",
          "these rules are not in the journal any longer");

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Case file</title>
      <style>
      body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em }
      pre { background: #f4f4f4; color: #111; overflow-wrap: anywhere; padding: 0.5em; white-space: pre-wrap }
      h2 { border-top: 1px solid; font-size: 1.1em; padding-top: 0.5em }
      </style>
      </head>
      <body>
      <h1>Case file</h1>
      """;

  private final StringBuilder html = new StringBuilder(HEAD);

  private CasePage() {}

  static String of(CaseDraft draft) {
    CasePage page = new CasePage();
    page.paragraph(
        "This shows what was recorded of "
            + String.join(", ", draft.subjects())
            + " in the log "
            + draft.origin()
            + ", as of "
            + draft.made()
            + ".");
    page.paragraph(
        "It does not prove that there are no other events. README.txt says what it proves and how"
            + " to check it. Where this page and an event differ, believe the event.");
    draft.dropped().ifPresent(page::dropped);
    draft.redactions().forEach(page::redaction);
    draft.events().forEach(page::event);
    page.element("h2", "Checkpoint");
    page.element("pre", draft.note());
    return page.html.append("</body>\n</html>\n").toString();
  }

  private void dropped(Instant through) {
    paragraph(
        "Events through "
            + through
            + " were dropped for good, unless they are shown: earlier"
            + " events may be among them.");
  }

  private void redaction(CaseRedaction redaction) {
    paragraph(
        "Not shown: "
            + redaction.part()
            + " of "
            + redaction.of()
            + " ("
            + REASONS.getOrDefault(redaction.reason(), redaction.reason())
            + ").");
  }

  private void event(CaseEvent event) {
    String name = new QualifiedName(event.entry().name()).localName();
    element("h2", "%d %s".formatted(event.entry().position(), name));
    paragraph(event.entry().at() + " on node " + event.entry().node());
    event.data().ifPresent(data -> element("pre", text(data)));
  }

  private static String text(JsonNode data) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void paragraph(String text) {
    element("p", text);
  }

  private void element(String name, String text) {
    html.append('<').append(name).append('>').append(escaped(text));
    html.append("</").append(name).append(">\n");
  }

  private static String escaped(String text) {
    return VisibleText.lines(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
