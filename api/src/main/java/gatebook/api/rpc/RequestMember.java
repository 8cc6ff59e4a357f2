package gatebook.api.rpc;

import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A member of the params of a method, or of an object in them, declared once: the checks and the
 * documentation are made from it.
 *
 * @param alias its other name, under which it is read where it is not there under the first
 * @param recording what the record of a request has of its values
 * @param byDefault the JSON of the value that it has where it is absent, if that is one
 * @param meaning one sentence or more
 */
public record RequestMember(
    String name,
    @Nullable String alias,
    MemberType type,
    boolean required,
    Recording recording,
    @Nullable String byDefault,
    String meaning) {

  /** What the record of a request has of a value. */
  public enum Recording {
    VALUE,
    /** It may have secrets. */
    DIGEST,
    /** It is content of a caller, and in an event that is sealed with the caller's key. */
    NOTHING
  }

  /** Longer numbers are not shown. */
  private static final int DIGITS_MAX = 20;

  /** Longer words are not shown. */
  private static final int WORD_CHARS_MAX = 64;

  /** What was received where a member is absent. */
  public static final JsonValue NOTHING = JsonValue.parse("\"nothing\"");

  private static final JsonValue NULL = JsonValue.parse("null");

  public static RequestMember required(String name, MemberType type, String meaning) {
    return new RequestMember(name, null, type, true, Recording.VALUE, null, meaning);
  }

  public static RequestMember optional(String name, MemberType type, String meaning) {
    return new RequestMember(name, null, type, false, Recording.VALUE, null, meaning);
  }

  public RequestMember secret() {
    return recorded(Recording.DIGEST);
  }

  public RequestMember ofCaller() {
    return recorded(Recording.NOTHING);
  }

  private RequestMember recorded(Recording other) {
    return new RequestMember(name, alias, type, required, other, byDefault, meaning);
  }

  /** The same member, which must be there. */
  public RequestMember mandatory() {
    return new RequestMember(name, alias, type, true, recording, byDefault, meaning);
  }

  /** The same member, which has another name, too. */
  public RequestMember or(String otherName) {
    return new RequestMember(name, otherName, type, required, recording, byDefault, meaning);
  }

  /** The same member, which has a value where it is absent. */
  public RequestMember byDefault(Object value) {
    return new RequestMember(name, alias, type, required, recording, value.toString(), meaning);
  }

  /**
   * What is wrong with the member of an object; {@code null} is the same as no member.
   *
   * @param path what stands before its name in the problem
   */
  Optional<Problem> problem(String path, ObjectMembers members) {
    Optional<String> jsonType = members.type(name);
    if (jsonType.filter(it -> !it.equals("null") || required).isEmpty()) {
      return required
          ? Optional.of(
              problem(path, type.words(), type instanceof MemberType.Word ? NULL : NOTHING))
          : Optional.empty();
    }
    if (!type.isOf(jsonType.get())) {
      return Optional.of(problem(path, type.words(), shown(members)));
    }
    if (type.isUnbounded()) {
      return Optional.empty();
    }
    if (type instanceof MemberType.Members(var declared, _)) {
      return firstOf(declared, path + name + ".", members.members(name));
    }
    return type.isWithin(members.json(name).orElseThrow())
        ? Optional.empty()
        : Optional.of(problem(path, type.expected(), shown(members)));
  }

  static Optional<Problem> firstOf(
      List<RequestMember> declared, String path, ObjectMembers members) {
    for (RequestMember member : declared) {
      Optional<Problem> problem = member.problem(path, members);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Problem problem(String path, String expected, JsonValue received) {
    return new Problem(
        path + name,
        null,
        expected,
        received,
        type instanceof MemberType.Word(var accepted, _, _) ? accepted : List.of());
  }

  /** A word and a number as they are; other values only by their type, as they may be secrets. */
  private JsonValue shown(ObjectMembers members) {
    String json = members.json(name).orElse("null");
    boolean isNumber = json.length() <= DIGITS_MAX && type.isOf("number");
    boolean isWord = json.length() <= WORD_CHARS_MAX && type instanceof MemberType.Word;
    return isWord || (isNumber && JsonType.of(json).equals("number"))
        ? JsonValue.parse(json)
        : JsonType.quotedOf(json);
  }
}
