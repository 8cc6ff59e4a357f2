package gatebook.api.operator.rpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.rpc.TimeText;
import gatebook.query.projection.ColumnFilter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The validated params of one call of an operator method, by name. */
public record CallParams(Map<String, JsonNode> values) {

  private static final JsonMapper JSON = new JsonMapper();

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
        implements Reading {

      static Invalid params(String sentence, String expected, String received) {
        return new Invalid(sentence, "params", expected, received);
      }
    }
  }

  public CallParams {
    values = Map.copyOf(values);
  }

  /**
   * Reads the params that were sent and checks them against the declared ones.
   *
   * @param sent the text of a JSON object or array; null when there was none
   */
  public static Reading read(List<MethodParam> declared, @Nullable String sent) {
    try {
      return JSON.readTree(sent == null ? "{}" : sent) instanceof ObjectNode object
          ? read(declared, object)
          : Reading.Invalid.params("params are given by name, in an object", "an object", "array");
    } catch (JsonProcessingException _) {
      return Reading.Invalid.params(
          "params are nested too deeply, or a number in them is too long",
          "less depth, and shorter numbers",
          "object");
    }
  }

  private static Reading read(List<MethodParam> declared, ObjectNode sent) {
    Optional<Reading.Invalid> mistake =
        declared.stream()
            .flatMap(methodParam -> mistake(methodParam, sent.get(methodParam.name())).stream())
            .findFirst()
            .or(() -> unknown(declared, sent));
    return mistake
        .<Reading>map(it -> it)
        .orElseGet(() ->
            new Reading.Read(
                new CallParams(
                    sent.properties().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))));
  }

  private static Optional<Reading.Invalid> mistake(
      MethodParam methodParam, @Nullable JsonNode value) {
    if (value == null) {
      return methodParam.required()
          ? Optional.of(invalid(methodParam, "%s is missing: %s", "nothing"))
          : Optional.empty();
    }
    return methodParam.type().accepts(value)
        ? Optional.empty()
        : Optional.of(invalid(methodParam, "%s must be %s", type(value)));
  }

  private static Reading.Invalid invalid(
      MethodParam methodParam, String sentence, String received) {
    String expected = methodParam.type().expected();
    return new Reading.Invalid(
        sentence.formatted(methodParam.name(), expected), methodParam.name(), expected, received);
  }

  private static String type(JsonNode value) {
    return value.isNull() ? "nothing" : value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private static Optional<Reading.Invalid> unknown(List<MethodParam> declared, ObjectNode sent) {
    List<String> names = declared.stream().map(MethodParam::name).toList();
    String sentence =
        names.isEmpty()
            ? "this method takes no params"
            : "this method takes no other params than " + String.join(", ", names);
    return sent.properties().stream()
        .filter(it -> !names.contains(it.getKey()))
        .findFirst()
        .map(it ->
            Reading.Invalid.params(
                sentence,
                names.isEmpty() ? "no params" : "one of " + String.join(", ", names),
                type(it.getValue())));
  }

  public String text(String name) {
    return value(name).map(JsonNode::textValue).orElse("");
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public int page(String name, int otherwise) {
    return value(name).map(JsonNode::intValue).orElse(otherwise);
  }

  /** Reads a call id in any case, with or without dashes. */
  public UUID callId(String name) {
    String digits = text(name).strip().replace("-", "");
    return new UUID(
        Long.parseUnsignedLong(digits.substring(0, 16), 16),
        Long.parseUnsignedLong(digits.substring(16), 16));
  }

  public long position(String name) {
    return value(name).map(JsonNode::longValue).orElse(0L);
  }

  public Optional<Instant> time(String name) {
    return value(name).map(JsonNode::textValue).flatMap(TimeText::parse);
  }

  public OptionalLong cursor(String name) {
    return optionalText(name).stream().mapToLong(Long::parseLong).findFirst();
  }

  public boolean isTrue(String name) {
    return value(name).filter(JsonNode::booleanValue).isPresent();
  }

  public Optional<String> optionalText(String name) {
    return value(name).map(JsonNode::textValue);
  }

  public Optional<Integer> integer(String name) {
    return value(name).map(JsonNode::intValue);
  }

  /** What a column must have: anything when nothing was sent, and no value when that is null. */
  public ColumnFilter filter(String name) {
    return value(name)
        .<ColumnFilter>map(sent ->
            switch (sent.getNodeType()) {
              case NULL -> ColumnFilter.NOTHING;
              case NUMBER -> new ColumnFilter.Exactly(sent.intValue());
              default -> new ColumnFilter.Exactly(sent.textValue());
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
    return value(name).stream()
        .flatMap(it -> StreamSupport.stream(it.spliterator(), false))
        .map(JsonNode::textValue)
        .toList();
  }

  private Optional<JsonNode> value(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
