package gatebook.api.dialect;

import static gatebook.api.rpc.Quoted.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.Quoted;
import gatebook.events.call.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of an error's data, in the order in which they are put; absent ones are left out. */
final class ErrorData {

  private final List<String> members = new ArrayList<>();

  ErrorData put(String name, @Nullable String text) {
    return text == null ? this : putJson(name, quoted(Cut.text(text)));
  }

  /** A value beyond the limit is told as a text, cut off. */
  ErrorData put(String name, @Nullable Json value) {
    if (value == null) {
      return this;
    }
    String cut = Cut.text(value.toString());
    return putJson(name, cut.equals(value.toString()) ? cut : quoted(cut));
  }

  ErrorData put(String name, List<String> texts) {
    return texts.isEmpty()
        ? this
        : putJson(
            name,
            texts.stream().map(Cut::text).map(Quoted::quoted).collect(joining(",", "[", "]")));
  }

  Json json() {
    return Json.parse("{" + String.join(",", members) + "}");
  }

  private ErrorData putJson(String name, String json) {
    members.add(quoted(name) + ":" + json);
    return this;
  }
}
