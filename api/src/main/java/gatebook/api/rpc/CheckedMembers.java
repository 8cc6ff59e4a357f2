package gatebook.api.rpc;

import gatebook.api.rpc.MemberType.Any;
import gatebook.api.rpc.MemberType.Array;
import gatebook.api.rpc.MemberType.Decimal;
import gatebook.api.rpc.MemberType.Either;
import gatebook.api.rpc.MemberType.Flag;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.OrEmpty;
import gatebook.api.rpc.MemberType.OrNull;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Time;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object, checked by their declarations. What does not fit is a problem, and
 * reads as absent; so does {@code null}. Texts are not shown in problems, since they may be
 * secrets.
 */
public final class CheckedMembers {

  public static final String MISSING = "Missing required field";
  public static final String WRONG_TYPE = "Wrong type";
  public static final String OUT_OF_RANGE = "Value out of range";
  public static final String UNKNOWN_VALUE = "Unknown value";
  public static final String WRONG_VALUE = "Value not allowed";
  public static final String UNKNOWN_FIELD = "Unknown field";

  /** The most problems that are reported, since each is stored and sent. */
  private static final int PROBLEMS_MAX = 100;

  private static final int DIGITS_MAX = 20;
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

  private final ObjectMembers members;
  private final String path;
  private final UnaryOperator<String> otherName;
  private final List<Problem> problems;
  private Set<String> unfit = Set.of();
  private Map<String, CheckedMembers> inner = Map.of();

  private CheckedMembers(
      @Nullable String json, String path, UnaryOperator<String> otherName, List<Problem> problems) {
    this.members = ObjectMembers.of(json);
    this.path = path;
    this.otherName = otherName;
    this.problems = problems;
  }

  /**
   * The params of a request.
   *
   * @param params the text of an object or array; absent where there was none
   * @param otherName the second name of a member that has no alias; the same where it has none
   */
  public static CheckedMembers of(
      @Nullable String params, DeclaredParams declared, UnaryOperator<String> otherName) {
    CheckedMembers checked = new CheckedMembers(params, "", otherName, new ArrayList<>());
    if (params != null && !params.startsWith("{")) {
      checked.add("params", WRONG_TYPE, "object", received(params));
    }
    return checked.check(declared.members());
  }

  /**
   * The members of an object of a message that was read.
   *
   * @param path what stands before their names in problems
   */
  public static CheckedMembers of(String json, String path, List<RequestMember> declared) {
    return new CheckedMembers(json, path, UnaryOperator.identity(), new ArrayList<>())
        .check(declared);
  }

  private CheckedMembers inside(@Nullable String json, String name) {
    return new CheckedMembers(json, path + name + ".", otherName, problems);
  }

  private CheckedMembers check(List<RequestMember> declared) {
    for (RequestMember member : declared) {
      Optional<String> json = sent(member);
      json.ifPresent(value -> check(used(member), member.type(), value));
      if (json.isEmpty() && member.required()) {
        require(member);
      }
    }
    return this;
  }

  private void check(String name, MemberType declared, String json) {
    MemberType type = ofType(declared, JsonType.of(json));
    if (!type.isOf(JsonType.of(json))) {
      refuse(name, WRONG_TYPE, type.jsonType(), received(json));
    } else if (!type.isUnbounded()) {
      checkBounds(name, type, json);
    }
  }

  private void checkBounds(String name, MemberType type, String json) {
    if (type instanceof Members(var declaredInner, _)) {
      inner = inner.isEmpty() ? new HashMap<>() : inner;
      inner.put(name, inside(json, name).check(declaredInner));
    } else if (type instanceof Array array) {
      checkElements(name, array, ArrayElements.of(json).orElseThrow());
    } else if (!type.isWithin(json)) {
      refuse(name, type, json);
    }
  }

  /** Of several types, the one that has a JSON type. */
  private static MemberType ofType(MemberType declared, String jsonType) {
    return declared instanceof Either(var types, _)
        ? types.stream().filter(it -> it.isOf(jsonType)).findFirst().orElse(declared)
        : declared;
  }

  private void checkElements(String name, Array array, List<String> elements) {
    if (!array.hasSize(elements)) {
      refuse(name, OUT_OF_RANGE, array.expected(), number(elements.size()));
    }
    for (int index = 0; index < elements.size() && problems.size() < PROBLEMS_MAX; index++) {
      check(at(name, index), array.of(), elements.get(index));
    }
  }

  private static String at(String name, int index) {
    return name + "[" + index + "]";
  }

  /** Adds why a value is not among those that a type accepts. */
  private void refuse(String name, MemberType type, String json) {
    switch (type) {
      case Whole _ when !WHOLE.matcher(json).matches() ->
          refuse(name, WRONG_TYPE, type.jsonType(), received(json));
      case Whole(long min, long max, _) ->
          refuse(
              name,
              OUT_OF_RANGE,
              max == Integer.MAX_VALUE ? "at least " + min : min + "-" + max,
              received(json));
      case Decimal(Decimal.Range(var min, var max)) ->
          refuse(name, OUT_OF_RANGE, min + "-" + max, received(json));
      case Text text when !text.hasLength(JsonStrings.unquoted(json)) ->
          refuse(
              name,
              OUT_OF_RANGE,
              "%d to %d characters".formatted(text.min(), text.max()),
              number(text.unit().length(JsonStrings.unquoted(json))));
      case OrEmpty(var text) -> refuse(name, text, json);
      case Word(var accepted, _, _) -> {
        markUnfit(name);
        add(new Problem(path + name, UNKNOWN_VALUE, null, received(json), accepted));
      }
      case Some(var within, _, _, _) when !within.isWithin(json) -> refuse(name, within, json);
      case Some(_, var reason, var expected, _) -> refuse(name, reason, expected, received(json));
      case Any _, Array _, Decimal _, Either _, Flag _, Members _, OrNull _, Text _, Time _ ->
          refuse(name, WRONG_VALUE, type.expected(), received(json));
    }
  }

  private void refuse(String name, String reason, String expected, JsonValue received) {
    markUnfit(name);
    add(name, reason, expected, received);
  }

  private void markUnfit(String name) {
    unfit = unfit.isEmpty() ? new HashSet<>() : unfit;
    unfit.add(name);
  }

  public List<Problem> problems() {
    return Collections.unmodifiableList(problems);
  }

  public ObjectMembers members() {
    return members;
  }

  /** The name under which a member is there; its first where it is not. */
  private String used(RequestMember member) {
    if (isSent(member.name())) {
      return member.name();
    }
    String alias = member.alias();
    String other = alias == null ? otherName.apply(member.name()) : alias;
    return isSent(other) ? other : member.name();
  }

  private boolean isSent(String name) {
    return members.type(name).filter(type -> !type.equals("null")).isPresent();
  }

  private Optional<String> sent(RequestMember member) {
    boolean isEmptyNone = member.type() instanceof OrEmpty;
    return members
        .json(used(member))
        .filter(json -> !json.equals("null") && !(isEmptyNone && json.equals("\"\"")));
  }

  /** Whether a member is there, be it one that fits or not. */
  public boolean has(RequestMember member) {
    return sent(member).isPresent();
  }

  /** The JSON of a member; its default where it is absent. */
  public Optional<String> json(RequestMember member) {
    return sent(member)
        .filter(_ -> !unfit.contains(used(member)))
        .or(() -> Optional.ofNullable(member.byDefault()));
  }

  public Optional<String> text(RequestMember member) {
    return json(member).flatMap(JsonStrings::text);
  }

  /** What one of some words stands for. */
  public <E> Optional<E> word(RequestMember member, Map<String, E> values) {
    return text(member).flatMap(word -> Optional.ofNullable(values.get(word)));
  }

  public boolean flag(RequestMember member) {
    return json(member).filter("true"::equals).isPresent();
  }

  public Optional<Integer> whole(RequestMember member) {
    return json(member).map(Integer::valueOf);
  }

  public Optional<BigDecimal> decimal(RequestMember member) {
    return json(member).map(BigDecimal::new);
  }

  /** The members of a member that is an object; none when it is absent. */
  public CheckedMembers inner(RequestMember member) {
    CheckedMembers checked = inner.get(used(member));
    return checked == null ? inside(json(member).orElse(null), used(member)) : checked;
  }

  /** The elements of a member that is an array; none when it is absent. */
  public List<String> elements(RequestMember member) {
    return json(member).flatMap(ArrayElements::of).orElse(List.of());
  }

  /** The members of an element of a member that is an array; none when it is no object. */
  public CheckedMembers element(RequestMember member, int index) {
    String name = at(used(member), index);
    CheckedMembers checked = inner.get(name);
    return checked == null ? inside(null, name) : checked;
  }

  /** The members of each element that is an object. */
  public List<CheckedMembers> objects(RequestMember member) {
    String name = used(member);
    return IntStream.range(0, elements(member).size())
        .mapToObj(index -> Optional.ofNullable(inner.get(at(name, index))))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The elements that are texts. */
  public List<String> texts(RequestMember member) {
    return elements(member).stream().flatMap(json -> JsonStrings.text(json).stream()).toList();
  }

  /** Adds a problem if a member is not there. */
  public void require(RequestMember member) {
    boolean isWord = member.type() instanceof Word;
    require(member, isWord ? null : member.type().jsonType());
  }

  public void require(RequestMember member, @Nullable String expected) {
    if (!has(member)) {
      List<String> accepted =
          expected == null && member.type() instanceof Word(var words, _, _) ? words : List.of();
      add(new Problem(path + used(member), MISSING, expected, RequestMember.NOTHING, accepted));
    }
  }

  public void add(RequestMember member, String reason, @Nullable String expected) {
    add(used(member), reason, expected);
  }

  public void add(String name, String reason, @Nullable String expected) {
    JsonValue received = members.json(name).map(CheckedMembers::received).orElse(null);
    add(name, reason, expected, received == null ? RequestMember.NOTHING : received);
  }

  public void add(String name, String reason, @Nullable String expected, JsonValue received) {
    add(new Problem(path + name, reason, expected, received, List.of()));
  }

  private void add(Problem problem) {
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(problem);
    }
  }

  /** Adds that a member is larger than it may be. */
  public void addTooLarge(String name, int bytesMax, long bytes) {
    add(name, "Value too large", "at most %d bytes".formatted(bytesMax), number(bytes));
  }

  /** Adds problems of members. */
  public void addAll(List<Problem> others) {
    others.forEach(it ->
        add(
            new Problem(
                path + it.param(), it.reason(), it.expected(), it.received(), it.accepted())));
  }

  /** A number as it is; other values, and long numbers, only by their type. */
  private static JsonValue received(String json) {
    return JsonType.of(json).equals("number") && json.length() <= DIGITS_MAX
        ? JsonValue.parse(json)
        : JsonType.quotedOf(json);
  }

  private static JsonValue number(long number) {
    return JsonValue.parse(Long.toString(number));
  }
}
