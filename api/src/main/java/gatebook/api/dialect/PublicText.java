package gatebook.api.dialect;

import static gatebook.api.rpc.JsonStrings.quote;

import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.JsonValue;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Makes every text in an error response public: scrubbed, well-formed, and not long. Ids that the
 * caller sent are not scrubbed: the caller has no other name for the task.
 */
final class PublicText {

  /** The longest message, and the longest text in its data, in bytes of UTF-8. */
  static final int BYTES_MAX = 1_024;

  /** How many characters most data has at most. */
  private static final int JSON_CHARS = 192;

  private final UnaryOperator<String> scrub;

  PublicText(UnaryOperator<String> scrub) {
    this.scrub = scrub;
  }

  String clean(String text) {
    return Scrubber.truncate(scrub.apply(text), BYTES_MAX);
  }

  /** An object as a text, where only texts are allowed. */
  Value asText(List<Member> members) {
    return new Value.Checked(json(new Value.Nested(members)).toString());
  }

  /** The JSON of a value. */
  JsonValue json(Value value) {
    StringBuilder json = new StringBuilder(JSON_CHARS);
    value(value, json);
    return JsonValue.ofText(json.toString());
  }

  private void value(Value value, StringBuilder json) {
    switch (value) {
      case Value.Text(var text) -> quote(clean(text), json);
      case Value.Id(var text) -> quote(Scrubber.truncate(text, BYTES_MAX), json);
      case Value.Checked(var text) -> quote(text, json);
      case Value.Texts(var texts) -> list('[', texts, text -> quote(clean(text), json), ']', json);
      case Value.Literal(var literal) -> literal(literal, json);
      case Value.Nested(var members) ->
          list('{', members, member -> member(member, json), '}', json);
      case Value.NestedList(var objects) ->
          list('[', objects, members -> value(new Value.Nested(members), json), ']', json);
    }
  }

  private void member(Member member, StringBuilder json) {
    quote(member.name(), json);
    json.append(':');
    value(member.value(), json);
  }

  private static <T> void list(
      char open, List<T> elements, Consumer<T> element, char close, StringBuilder json) {
    json.append(open);
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) {
        json.append(',');
      }
      element.accept(elements.get(i));
    }
    json.append(close);
  }

  /** A value that has to be changed is written as a text. */
  private void literal(JsonValue literal, StringBuilder json) {
    String whole = literal.toString();
    String clean = clean(whole);
    if (clean.equals(whole)) {
      json.append(whole);
    } else {
      quote(clean, json);
    }
  }
}
