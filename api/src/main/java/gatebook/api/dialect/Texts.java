package gatebook.api.dialect;

import static gatebook.api.rpc.Quoted.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.dialect.Words.Member;
import gatebook.api.dialect.Words.Value;
import gatebook.api.rpc.Quoted;
import gatebook.events.call.Json;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes every text that leaves the house fit to be told: scrubbed, well-formed, and not long. */
final class Texts {

  private final UnaryOperator<String> scrub;

  Texts(UnaryOperator<String> scrub) {
    this.scrub = scrub;
  }

  String tellable(String text) {
    return Cut.text(scrub.apply(text));
  }

  /** An object's JSON text. */
  String object(List<Member> members) {
    return members.stream()
        .map(member -> quoted(member.name()) + ":" + value(member.value()))
        .collect(joining(",", "{", "}"));
  }

  private String value(Value value) {
    return switch (value) {
      case Value.Text(var text) -> quoted(tellable(text));
      case Value.Checked(var text) -> quoted(text);
      case Value.Texts(var texts) ->
          texts.stream().map(this::tellable).map(Quoted::quoted).collect(joining(",", "[", "]"));
      case Value.Literal(var json) -> literal(json);
      case Value.Nested(var members) -> object(members);
      case Value.NestedList(var objects) ->
          objects.stream().map(this::object).collect(joining(",", "[", "]"));
    };
  }

  /** A value that has to be changed to be told is told as a text. */
  private String literal(Json json) {
    String whole = json.toString();
    String told = tellable(whole);
    return told.equals(whole) ? whole : quoted(told);
  }
}
