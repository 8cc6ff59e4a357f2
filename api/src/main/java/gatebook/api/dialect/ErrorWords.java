package gatebook.api.dialect;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.PublicFault.NamedTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Words of a vocabulary for a fault: a code, a message, and the members of data in the order in
 * which they are put. Absent members are left out. Nothing is cut or scrubbed yet.
 */
final class ErrorWords {

  private static final int OK = 200;

  private final int code;
  private final String message;
  private final List<Member> members = new ArrayList<>();
  private int httpStatus = OK;

  /** A member of data. */
  record Member(String name, Value value) {}

  /** The value of a member. */
  sealed interface Value {
    record Text(String text) implements Value {}

    /** An id that the caller sent: it may look like a secret, and is nobody else's. */
    record Id(String text) implements Value {}

    /** A word or name that was checked before, and is written as it is. */
    record Checked(String text) implements Value {}

    record Texts(List<String> texts) implements Value {}

    record Literal(JsonValue json) implements Value {}

    record Nested(List<Member> members) implements Value {}

    record NestedList(List<List<Member>> objects) implements Value {}
  }

  private ErrorWords(int code, String message) {
    this.code = code;
    this.message = message;
  }

  static ErrorWords of(int code, String message) {
    return new ErrorWords(code, message);
  }

  static ErrorWords of(JsonRpcError jsonRpcError) {
    return new ErrorWords(jsonRpcError.code(), jsonRpcError.message());
  }

  ErrorWords put(String name, @Nullable String text) {
    return text == null ? this : put(name, new Value.Text(text));
  }

  /** An id that the caller sent. */
  ErrorWords putId(String name, @Nullable String id) {
    return id == null ? this : put(name, new Value.Id(id));
  }

  /** The name of a tool, a resource or a prompt, as the member of that name. */
  ErrorWords put(@Nullable NamedTarget namedTarget) {
    return namedTarget == null ? this : put(namedTarget.kind(), namedTarget.name());
  }

  ErrorWords put(String name, @Nullable JsonValue value) {
    return value == null ? this : put(name, new Value.Literal(value));
  }

  ErrorWords put(String name, @Nullable Long number) {
    return number == null ? this : put(name, JsonValue.ofText(number.toString()));
  }

  ErrorWords put(String name, List<String> texts) {
    return texts.isEmpty() ? this : put(name, new Value.Texts(texts));
  }

  /** A value that does not fit. */
  ErrorWords put(Problem problem) {
    return put("param", problem.param())
        .put("expected", problem.expectation())
        .put("received", problem.received())
        .put("accepted", problem.accepted());
  }

  /** The first value that does not fit. */
  ErrorWords putFirst(List<Problem> problems) {
    return problems.isEmpty() ? this : put(problems.getFirst());
  }

  ErrorWords put(String name, Value value) {
    members.add(new Member(name, value));
    return this;
  }

  ErrorWords http(int status) {
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
