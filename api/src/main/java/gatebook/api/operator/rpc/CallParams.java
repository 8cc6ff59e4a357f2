package gatebook.api.operator.rpc;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.rpc.TimeText;
import gatebook.events.fault.Problem;
import gatebook.query.projection.ColumnFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The validated params of one call of an operator method, by name. */
public record CallParams(ObjectMembers members) {

  private static final String NOTHING = "nothing";

  /** The outcome of reading params. */
  public sealed interface Reading {
    record Read(CallParams params) implements Reading {}

    /**
     * A param that does not match its declaration.
     *
     * @param param "params" when no particular one is wrong
     * @param received the JSON type that was sent
     */
    record Invalid(String sentence, String param, String expected, String received)
        implements Reading {}
  }

  /**
   * Checks the params that were sent against the declared ones.
   *
   * @param params the text of a JSON object or array; null when there was none
   * @param sent their members
   */
  public static Reading read(DeclaredParams declared, @Nullable String params, ObjectMembers sent) {
    return DeclaredParams.notByName(params)
        .map(it -> invalid("params are given by name, in an object", it))
        .or(() -> declared.members().stream().flatMap(it -> mistake(it, sent).stream()).findFirst())
        .or(() -> declared.unknown(sent, "one of ").map(it -> invalid(sentence(declared), it)))
        .<Reading>map(it -> it)
        .orElseGet(() -> new Reading.Read(new CallParams(sent)));
  }

  private static String sentence(DeclaredParams declared) {
    return declared.names().isEmpty()
        ? "this method takes no params"
        : "this method takes no other params than " + String.join(", ", declared.names());
  }

  private static Reading.Invalid invalid(String sentence, Problem problem) {
    String type = JsonStrings.unquoted(String.valueOf(problem.received()));
    return new Reading.Invalid(
        sentence, problem.param(), String.valueOf(problem.expected()), received(type));
  }

  /** A null is a value here, which only some params accept. */
  private static Optional<Reading.Invalid> mistake(RequestMember member, ObjectMembers sent) {
    Optional<String> json = sent.json(member.name());
    if (json.isEmpty()) {
      return member.required()
          ? Optional.of(invalid(member, "%s is missing: %s", NOTHING))
          : Optional.empty();
    }
    return member.type().accepts(json.get())
        ? Optional.empty()
        : Optional.of(invalid(member, "%s must be %s", received(JsonType.of(json.get()))));
  }

  private static Reading.Invalid invalid(RequestMember member, String sentence, String received) {
    String expected = member.type().expected();
    return new Reading.Invalid(
        sentence.formatted(member.name(), expected), member.name(), expected, received);
  }

  private static String received(String jsonType) {
    return jsonType.equals("null") ? NOTHING : jsonType;
  }

  public String text(String name) {
    return members.text(name).orElse("");
  }

  public boolean has(String name) {
    return members.json(name).isPresent();
  }

  public int limit() {
    return integer("limit").orElse(ParamTypes.LIMIT_DEFAULT);
  }

  public UUID callId(String name) {
    return callIdOf(text(name));
  }

  /** Reads a call id in any case, with or without dashes. */
  public static UUID callIdOf(String text) {
    String digits = text.strip().replace("-", "");
    return new UUID(
        Long.parseUnsignedLong(digits.substring(0, 16), 16),
        Long.parseUnsignedLong(digits.substring(16), 16));
  }

  public long position(String name) {
    return members.json(name).map(Long::valueOf).orElse(0L);
  }

  public Optional<Instant> time(String name) {
    return members.text(name).flatMap(TimeText::parse);
  }

  public OptionalLong cursor(String name) {
    return optionalText(name).stream().mapToLong(Long::parseLong).findFirst();
  }

  public boolean isTrue(String name) {
    return members.json(name).filter("true"::equals).isPresent();
  }

  public Optional<String> optionalText(String name) {
    return members.text(name);
  }

  public Optional<Integer> integer(String name) {
    return members.json(name).map(Integer::valueOf);
  }

  /** What a column must have: anything when nothing was sent, and no value when that is null. */
  public ColumnFilter filter(String name) {
    return members
        .json(name)
        .<ColumnFilter>map(sent ->
            switch (JsonType.of(sent)) {
              case "null" -> ColumnFilter.NOTHING;
              case "number" -> new ColumnFilter.Exactly(Integer.valueOf(sent));
              default -> new ColumnFilter.Exactly(JsonStrings.unquoted(sent));
            })
        .orElse(ColumnFilter.ANYTHING);
  }

  /** As {@link #filter}, for a column that has numbers as texts. */
  public ColumnFilter textFilter(String name) {
    return filter(name) instanceof ColumnFilter.Exactly(var value)
        ? new ColumnFilter.Exactly(value.toString())
        : filter(name);
  }

  public List<String> texts(String name) {
    return members.json(name).flatMap(ArrayElements::of).orElse(List.of()).stream()
        .map(JsonStrings::unquoted)
        .toList();
  }
}
