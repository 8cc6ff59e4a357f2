package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The members of an object that was part of a message, each exactly as it was written. */
public final class ObjectMembers {

  private static final ObjectMembers NONE = new ObjectMembers(Map.of());

  /**
   * A member.
   *
   * @param from the offset of its value in the object's text
   */
  private record Member(int from, String slice, @Nullable String text) {
    int to() {
      return from + slice.length();
    }
  }

  private final Map<String, Member> byName;

  private ObjectMembers(Map<String, Member> byName) {
    this.byName = byName;
  }

  /** The members of a value that a {@link MessageReader} accepted; none when it is no object. */
  public static ObjectMembers of(@Nullable String json) {
    if (json == null) {
      return NONE;
    }
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      return jsonTokens.next() == JsonToken.START_OBJECT ? read(jsonTokens, 0) : NONE;
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  /** A member that is a string, without quotes and escapes. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(byName.get(name)).map(Member::text);
  }

  /** A member of any type, as it was written. */
  public Optional<String> json(String name) {
    return Optional.ofNullable(byName.get(name)).map(Member::slice);
  }

  /** The members of a member; none when it is absent or no object. */
  public ObjectMembers members(String name) {
    return of(json(name).orElse(null));
  }

  /**
   * The object's text with another value of a member, if it has that member.
   *
   * @param json the text from which these members were read
   * @param value the text of any JSON value
   */
  public String replace(String json, String name, String value) {
    Member member = byName.get(name);
    return member == null
        ? json
        : json.substring(0, member.from) + value + json.substring(member.to());
  }

  /** Passes every member, in the order of the object, with its name without escapes. */
  public void forEach(BiConsumer<String, String> action) {
    byName.forEach((name, member) -> action.accept(name, member.slice));
  }

  /**
   * Reads the members of the object that begins at the current token, to its end.
   *
   * @param begin the offset of the object's text
   */
  static ObjectMembers read(JsonTokens jsonTokens, long begin) throws JsonSyntaxError {
    Map<String, Member> members = new LinkedHashMap<>();
    while (jsonTokens.next() == JsonToken.FIELD_NAME) {
      String name = jsonTokens.string();
      JsonToken type = jsonTokens.nextValue();
      String text = type == JsonToken.VALUE_STRING ? jsonTokens.string() : null;
      int from = (int) (jsonTokens.start() - begin);
      members.put(name, new Member(from, jsonTokens.slice(), text));
    }
    return new ObjectMembers(members);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectMembers members && byName.equals(members.byName);
  }

  @Override
  public int hashCode() {
    return byName.hashCode();
  }

  @Override
  public String toString() {
    return byName.keySet().toString();
  }
}
