package gatebook.api.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.OperatorErrors.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The methods as an OpenRPC document. Params come from the declarations that they are checked by;
 * what a result looks like, with an example, is in a file per method.
 */
final class OpenRpc {
  private static final String VERSION = "1.4.1";
  private static final JsonMapper JSON = new JsonMapper();

  /** By their names in the document, what any method may answer instead of a result. */
  private static final Map<String, Told> ERRORS =
      new TreeMap<>(
          Map.of(
              "InvalidParams", told(Code.INVALID_PARAMS),
              "Forbidden", told(Code.FORBIDDEN),
              "NotNow", told(Code.NOT_NOW),
              "InternalError", told(Code.INTERNAL_ERROR)));

  private record Told(int code, String message) {}

  private static Told told(Code code) {
    return new Told(code.number(), code.sentence());
  }

  private OpenRpc() {}

  static ObjectNode document(List<OperatorMethod> methods, String gatebookVersion) {
    ObjectNode document = node().put("openrpc", VERSION);
    document.set(
        "info", node().put("title", "Gatebook for operators").put("version", gatebookVersion));
    ArrayNode described = document.putArray("methods");
    methods.forEach(operatorMethod -> described.add(described(operatorMethod)));
    document.putObject("components").set("errors", JSON.valueToTree(ERRORS));
    return document;
  }

  private static ObjectNode described(OperatorMethod operatorMethod) {
    JsonNode file = file(operatorMethod.name());
    ObjectNode described =
        node()
            .put("name", operatorMethod.name())
            .put("summary", operatorMethod.summary())
            .put("paramStructure", "by-name");
    ArrayNode params = described.putArray("params");
    operatorMethod.params().forEach(methodParam -> params.add(described(methodParam)));
    described.putObject("result").put("name", "result").set("schema", file.path("result"));
    ArrayNode errors = described.putArray("errors");
    ERRORS.keySet().forEach(name -> errors.addObject().put("$ref", "#/components/errors/" + name));
    described.putArray("examples").add(example(file.path("example")));
    return described;
  }

  private static ObjectNode described(MethodParam methodParam) {
    ObjectNode described =
        node()
            .put("name", methodParam.name())
            .put("description", methodParam.description())
            .put("required", methodParam.required());
    described.set("schema", methodParam.type().schema());
    return described;
  }

  private static ObjectNode example(JsonNode of) {
    ObjectNode example = node().put("name", "for example");
    ArrayNode params = example.putArray("params");
    of.path("params")
        .properties()
        .forEach(param -> params.add(named(param.getKey(), param.getValue())));
    example.set("result", named("result", of.path("result")));
    return example;
  }

  private static ObjectNode named(String name, JsonNode value) {
    ObjectNode named = node().put("name", name);
    named.set("value", value);
    return named;
  }

  private static JsonNode file(String method) {
    try (InputStream file = OpenRpc.class.getResourceAsStream("methods/" + method + ".json")) {
      if (file == null) {
        throw new IllegalStateException("nothing tells what the result of %s is".formatted(method));
      }
      return JSON.readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
