package gatebook.api.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.RequestMember;

/** Writes the declared type of a param as JSON Schema. */
final class ParamSchema {

  private ParamSchema() {}

  static ObjectNode of(RequestMember member) {
    ObjectNode schema = of(member.type());
    if (member.byDefault() != null) {
      schema.putRawValue("default", new RawValue(member.byDefault()));
    }
    return schema;
  }

  private static ObjectNode of(MemberType type) {
    return switch (type) {
      case MemberType.Any _ -> JsonNodeFactory.instance.objectNode();
      case MemberType.Text text -> of(text);
      case MemberType.OrEmpty(var text) -> of(text);
      case MemberType.Time _ -> ofType("string").put("format", "date-time");
      case MemberType.Word(var words, _, _) when words.size() == 1 ->
          JsonNodeFactory.instance.objectNode().put("const", words.getFirst());
      case MemberType.Word(var words, _, _) -> {
        ObjectNode schema = ofType("string");
        words.forEach(schema.putArray("enum")::add);
        yield schema;
      }
      case MemberType.Whole(long min, long max, _) ->
          ofType("integer").put("minimum", min).put("maximum", max);
      case MemberType.Decimal _ -> ofType("number");
      case MemberType.Flag _ -> ofType("boolean");
      case MemberType.Array array -> of(array);
      case MemberType.Members members -> of(members);
      case MemberType.Either(var types, _) -> {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        types.forEach(it -> schema.withArray("oneOf").add(of(it)));
        yield schema;
      }
      case MemberType.OrNull(var inner, _) -> orNull(of(inner));
      case MemberType.Some(var of, _, _, _) -> of(of);
    };
  }

  /** A limit in bytes cannot be expressed: the same number of characters is the nearest. */
  private static ObjectNode of(MemberType.Text text) {
    ObjectNode schema = ofType("string");
    if (text.pattern() != null) {
      schema.put("pattern", text.pattern().pattern());
    }
    if (text.min() > 0) {
      schema.put("minLength", text.min());
    }
    return text.max() == Integer.MAX_VALUE ? schema : schema.put("maxLength", text.max());
  }

  private static ObjectNode of(MemberType.Array array) {
    ObjectNode schema = ofType("array");
    if (array.min() > 0) {
      schema.put("minItems", array.min());
    }
    if (array.isSet()) {
      schema.put("uniqueItems", true);
    } else {
      schema.put("maxItems", array.max());
    }
    schema.set("items", of(array.of()));
    return schema;
  }

  private static ObjectNode of(MemberType.Members members) {
    ObjectNode schema = ofType("object");
    for (RequestMember member : members.declared()) {
      schema.withObject("properties").set(member.name(), of(member));
      if (member.required()) {
        schema.withArray("required").add(member.name());
      }
    }
    return schema;
  }

  /** The schema that also allows null. */
  private static ObjectNode orNull(ObjectNode schema) {
    String type = schema.path("type").textValue();
    schema.putArray("type").add(type).add("null");
    if (schema.get("enum") instanceof ArrayNode words) {
      words.addNull();
    }
    return schema;
  }

  private static ObjectNode ofType(String type) {
    return JsonNodeFactory.instance.objectNode().put("type", type);
  }
}
