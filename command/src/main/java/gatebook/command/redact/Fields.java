package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.call.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/** Hides chosen members of arguments from whoever is asked to approve them. */
public final class Fields {

  /** What stands where a value was hidden. */
  public static final String HIDDEN = "[REDACTED]";

  private final Set<String> paths;

  /**
   * @param paths names of members with dots between them, from the outermost; they lead through
   *     objects only, never into arrays
   */
  public Fields(List<String> paths) {
    this.paths = Set.copyOf(paths);
  }

  /** The value with every chosen member's value replaced, of whatever type it is. */
  public Json hiddenIn(Json value) {
    if (paths.isEmpty()) {
      return value;
    }
    StringWriter text = new StringWriter();
    try (JsonParser parser = JsonScrubber.FACTORY.createParser(value.toString());
        JsonGenerator generator = JsonScrubber.FACTORY.createGenerator(text)) {
      parser.nextToken();
      value(parser, generator, "");
    } catch (IOException e) {
      throw new UncheckedIOException("what was JSON is no more", e);
    }
    return Json.parse(text.toString());
  }

  private void value(JsonParser parser, JsonGenerator generator, String path) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      whole(parser, generator);
      return;
    }
    generator.writeStartObject();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      member(parser, generator, path + parser.currentName());
    }
    generator.writeEndObject();
  }

  private void member(JsonParser parser, JsonGenerator generator, String path) throws IOException {
    generator.writeFieldName(parser.currentName());
    parser.nextToken();
    if (paths.contains(path)) {
      parser.skipChildren();
      generator.writeString(HIDDEN);
    } else {
      value(parser, generator, path + ".");
    }
  }

  private static void whole(JsonParser parser, JsonGenerator generator) throws IOException {
    int depth = 0;
    do {
      JsonToken token = parser.currentToken();
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (token.isNumeric()) {
        generator.writeNumber(parser.getText()); // by value, 1.50 would come back as 1.5
      } else {
        generator.copyCurrentEvent(parser);
      }
    } while (depth > 0 && parser.nextToken() != null);
  }
}
