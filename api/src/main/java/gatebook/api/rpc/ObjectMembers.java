package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object that was part of a message, each exactly as it was written. Only the
 * object's text is kept, since a copy of each member would take several times the memory.
 */
public final class ObjectMembers {

  private static final ObjectMembers NONE = new ObjectMembers("", Map.of());

  /**
   * A member.
   *
   * @param from the offset of its value in the object's text
   */
  private record Member(int from, int to) {}

  /** Members of a longer member are read each time, since they take memory. */
  private static final int KEPT_CHARS_MAX = 4_096;

  /** The members of a member that were read last. */
  private record Inner(String name, ObjectMembers members) {}

  private final String object;
  private final Map<String, Member> byName;
  private volatile @Nullable Inner inner;

  private ObjectMembers(String object, Map<String, Member> byName) {
    this.object = object;
    this.byName = byName;
  }

  /** The members of a value that a {@link MessageReader} accepted; none when it is no object. */
  public static ObjectMembers of(@Nullable String json) {
    if (json == null) {
      return NONE;
    }
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      return jsonTokens.next() == JsonToken.START_OBJECT
          ? new ObjectMembers(json, membersOf(jsonTokens, 0))
          : NONE;
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  /** A member that is a string, without quotes and escapes. */
  public Optional<String> text(String name) {
    return json(name).flatMap(JsonStrings::text);
  }

  /** A member of any type, as it was written. */
  public Optional<String> json(String name) {
    return Optional.ofNullable(byName.get(name)).map(this::slice);
  }

  /** The JSON type of a member, as {@link JsonType} names it; empty when it is absent. */
  Optional<String> type(String name) {
    return Optional.ofNullable(byName.get(name))
        .map(member -> JsonType.of(object.charAt(member.from)));
  }

  private String slice(Member member) {
    return object.substring(member.from, member.to);
  }

  /** The text of the object, as it was written. */
  String object() {
    return object;
  }

  /** The members of a member; none when it is absent or no object. */
  public ObjectMembers members(String name) {
    Inner kept = inner;
    if (kept != null && kept.name.equals(name)) {
      return kept.members;
    }
    ObjectMembers members = of(json(name).orElse(null));
    if (members.object.length() <= KEPT_CHARS_MAX) {
      inner = new Inner(name, members);
    }
    return members;
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
        : json.substring(0, member.from) + value + json.substring(member.to);
  }

  /** The names of all members, in the order of the object, without escapes. */
  public Set<String> names() {
    return Collections.unmodifiableSet(byName.keySet());
  }

  /** Passes every member, in the order of the object, with its name without escapes. */
  public void forEach(BiConsumer<String, String> action) {
    byName.forEach((name, member) -> action.accept(name, slice(member)));
  }

  /**
   * Reads the members of the object that begins at the current token, to its end.
   *
   * @param begin the offset of the object's text
   */
  static ObjectMembers read(JsonTokens jsonTokens, long begin) throws JsonSyntaxError {
    Map<String, Member> members = membersOf(jsonTokens, begin);
    return new ObjectMembers(jsonTokens.sliceFrom(begin), members);
  }

  private static Map<String, Member> membersOf(JsonTokens jsonTokens, long begin)
      throws JsonSyntaxError {
    Map<String, Member> members = new LinkedHashMap<>();
    while (jsonTokens.next() == JsonToken.FIELD_NAME) {
      String name = jsonTokens.string();
      JsonToken _ = jsonTokens.nextValue();
      int from = (int) (jsonTokens.start() - begin);
      jsonTokens.skip();
      members.put(name, new Member(from, (int) (jsonTokens.offset() - begin)));
    }
    return members;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectMembers members && object.equals(members.object);
  }

  @Override
  public int hashCode() {
    return object.hashCode();
  }

  @Override
  public String toString() {
    return byName.keySet().toString();
  }
}
