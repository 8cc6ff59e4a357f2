package gatebook.api.dialect;

import gatebook.api.dialect.Account.Named;
import gatebook.events.call.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a vocabulary has for a fault: a code, a message, and the members of data in the order in
 * which they are put; absent ones are left out. Nothing of it is cut or cleaned yet.
 */
final class Words {

  private static final int OK = 200;

  private final int code;
  private final String message;
  private final List<Member> members = new ArrayList<>();
  private int httpStatus = OK;

  /** A member of data. */
  record Member(String name, Value value) {}

  /** What a member holds. */
  sealed interface Value {
    record Text(String text) implements Value {}

    /** A word or name that was checked before, and is told as it is. */
    record Checked(String text) implements Value {}

    record Texts(List<String> texts) implements Value {}

    record Literal(Json json) implements Value {}

    record Nested(List<Member> members) implements Value {}

    record NestedList(List<List<Member>> objects) implements Value {}
  }

  private Words(int code, String message) {
    this.code = code;
    this.message = message;
  }

  static Words of(int code, String message) {
    return new Words(code, message);
  }

  static Words of(Standard standard) {
    return new Words(standard.code(), standard.message());
  }

  Words put(String name, @Nullable String text) {
    return text == null ? this : put(name, new Value.Text(text));
  }

  /** By what it is called: a tool, a resource or a prompt. */
  Words put(@Nullable Named named) {
    return named == null ? this : put(named.kind(), named.name());
  }

  Words put(String name, @Nullable Json value) {
    return value == null ? this : put(name, new Value.Literal(value));
  }

  Words put(String name, @Nullable Long number) {
    return number == null ? this : put(name, Json.parse(number.toString()));
  }

  Words put(String name, List<String> texts) {
    return texts.isEmpty() ? this : put(name, new Value.Texts(texts));
  }

  Words put(String name, Value value) {
    members.add(new Member(name, value));
    return this;
  }

  Words http(int status) {
    httpStatus = status;
    return this;
  }

  int code() {
    return code;
  }

  String message() {
    return message;
  }

  int httpStatus() {
    return httpStatus;
  }

  List<Member> members() {
    return List.copyOf(members);
  }
}
