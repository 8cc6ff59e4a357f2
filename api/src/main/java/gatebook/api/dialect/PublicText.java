package gatebook.api.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Makes every text in an error response public: scrubbed, well-formed, and not long. Ids that the
 * caller sent are not scrubbed: the caller has no other name for the task.
 */
final class PublicText {

  /** The longest message, and the longest text in its data, in bytes of UTF-8. */
  static final int BYTES_MAX = 1_024;

  private final UnaryOperator<String> scrub;

  PublicText(UnaryOperator<String> scrub) {
    this.scrub = scrub;
  }

  String clean(String text) {
    return Scrubber.truncate(scrub.apply(text), BYTES_MAX);
  }

  /** An object as a text, where only texts are allowed. */
  Value asText(List<Member> members) {
    return new Value.Checked(JsonValue.written(json -> object(members, json)).toString());
  }

  /** Writes an object. */
  void object(List<Member> members, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (Member member : members) {
      json.writeFieldName(member.name());
      value(member.value(), json);
    }
    json.writeEndObject();
  }

  private void value(Value value, JsonGenerator json) throws IOException {
    switch (value) {
      case Value.Text(var text) -> json.writeString(clean(text));
      case Value.Id(var text) -> json.writeString(Scrubber.truncate(text, BYTES_MAX));
      case Value.Checked(var text) -> json.writeString(text);
      case Value.Texts(var texts) -> texts(texts, json);
      case Value.Literal(var literal) -> literal(literal, json);
      case Value.Nested(var members) -> object(members, json);
      case Value.NestedList(var objects) -> objects(objects, json);
    }
  }

  private void texts(List<String> texts, JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (String text : texts) {
      json.writeString(clean(text));
    }
    json.writeEndArray();
  }

  /** Writes an array of objects. */
  void objects(List<List<Member>> objects, JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (List<Member> members : objects) {
      object(members, json);
    }
    json.writeEndArray();
  }

  /** A value that has to be changed is written as a text. */
  private void literal(JsonValue literal, JsonGenerator json) throws IOException {
    String whole = literal.toString();
    String clean = clean(whole);
    if (clean.equals(whole)) {
      json.writeRawValue(whole);
    } else {
      json.writeString(clean);
    }
  }
}
