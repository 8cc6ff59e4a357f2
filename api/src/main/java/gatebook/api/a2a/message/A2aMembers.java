package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.TimeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object of a request, in the manner of its version. In 1.0 each may be written
 * in {@code snake_case}, too, and an empty text is none.
 */
public final class A2aMembers {
  public static final int ID_CHARS_MAX = 256;
  private static final String STRING = "string";

  private final CheckedMembers members;
  private final A2aVersion version;

  A2aMembers(CheckedMembers members, A2aVersion version) {
    this.members = members;
    this.version = version;
  }

  CheckedMembers checked() {
    return members;
  }

  A2aVersion version() {
    return version;
  }

  /** The name under which a member is there; that of the specification where it is not. */
  String used(String name) {
    String snakeCase = name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return version == A2aVersion.V1_0 && !members.has(name) && members.has(snakeCase)
        ? snakeCase
        : name;
  }

  boolean has(String name) {
    return members.has(used(name));
  }

  /** A text that must be there, such as the id of a task or a message. */
  String required(String name, int charsMax) {
    String used = used(name);
    boolean isThere = members.json(used).filter(json -> !json.equals("\"\"")).isPresent();
    if (!isThere) {
      members.add(name, CheckedMembers.MISSING, STRING, null);
    }
    return isThere ? members.text(used, charsMax).orElse("") : "";
  }

  String requiredId(String name) {
    return required(name, ID_CHARS_MAX);
  }

  @Nullable String optionalId(String name) {
    return text(name, ID_CHARS_MAX).orElse(null);
  }

  /** A text that is not empty. */
  Optional<String> text(String name, int charsMax) {
    return members.text(used(name), 0, charsMax).filter(text -> !text.isEmpty());
  }

  Optional<Boolean> flag(String name) {
    return members.flag(used(name));
  }

  @Nullable Integer whole(String name, int min, int max) {
    return members.whole(used(name), min, max).orElse(null);
  }

  <E> Optional<E> word(String name, Map<String, E> words) {
    return members.word(used(name), words);
  }

  Optional<Instant> time(String name) {
    return members.time(used(name), TimeText::parse);
  }

  /** The text of a member that is an object. */
  @Nullable String object(String name) {
    return members.object(used(name)).orElse(null);
  }

  /** The members of a member that is an object; none when it is absent. */
  A2aMembers inner(String name) {
    return new A2aMembers(members.inner(used(name)), version);
  }

  /** A list of texts; empty when it is absent. */
  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    List<String> elements = members.array(used(name)).orElse(List.of());
    for (int index = 0; index < elements.size(); index++) {
      String element = elements.get(index);
      Optional<String> text = JsonStrings.text(element);
      text.ifPresent(texts::add);
      if (text.isEmpty()) {
        members.add(
            "%s[%d]".formatted(used(name), index),
            CheckedMembers.WRONG_TYPE,
            STRING,
            JsonType.quotedOf(element));
      }
    }
    return texts;
  }

  /** The objects of a list, each with its members. */
  List<A2aMembers> objects(String name) {
    List<A2aMembers> objects = new ArrayList<>();
    List<String> elements = members.array(used(name)).orElse(List.of());
    for (int index = 0; index < elements.size(); index++) {
      String element = elements.get(index);
      if (JsonType.of(element).equals("object")) {
        objects.add(new A2aMembers(members.element(used(name), index, element), version));
      } else {
        members.addWrongType("%s[%d]".formatted(used(name), index), "object", element);
      }
    }
    return objects;
  }
}
