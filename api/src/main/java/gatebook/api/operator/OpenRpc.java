package gatebook.api.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.rpc.OperatorErrors.Code;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.rpc.RequestMember;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes the operator methods as an OpenRPC document. Params come from the declarations that
 * validate them; the schema of a result and an example are in one file per method.
 */
final class OpenRpc {
  private static final String VERSION = "1.4.1";
  private static final JsonMapper JSON = new JsonMapper();

  /** The errors that any method may return, by their names in the document. */
  private static final Map<String, ErrorObject> ERRORS =
      new TreeMap<>(
          Map.of(
              "InvalidParams", errorObject(Code.INVALID_PARAMS),
              "Forbidden", errorObject(Code.FORBIDDEN),
              "NotNow", errorObject(Code.NOT_NOW),
              "InternalError", errorObject(Code.INTERNAL_ERROR)));

  private record ErrorObject(int code, String message) {}

  private static ErrorObject errorObject(Code code) {
    return new ErrorObject(code.number(), code.sentence());
  }

  private OpenRpc() {}

  static ObjectNode document(List<OperatorMethod> methods, String gatebookVersion) {
    ObjectNode document = node().put("openrpc", VERSION);
    document.set(
        "info", node().put("title", "Gatebook for operators").put("version", gatebookVersion));
    ArrayNode descriptor = document.putArray("methods");
    methods.forEach(operatorMethod -> descriptor.add(descriptor(operatorMethod)));
    document.putObject("components").set("errors", JSON.valueToTree(ERRORS));
    return document;
  }

  private static ObjectNode descriptor(OperatorMethod operatorMethod) {
    JsonNode file = resultFile(operatorMethod.name());
    ObjectNode descriptor =
        node()
            .put("name", operatorMethod.name())
            .put("summary", operatorMethod.summary())
            .put("paramStructure", "by-name");
    ArrayNode params = descriptor.putArray("params");
    operatorMethod.params().members().forEach(member -> params.add(descriptor(member)));
    descriptor.putObject("result").put("name", "result").set("schema", file.path("result"));
    ArrayNode errors = descriptor.putArray("errors");
    ERRORS.keySet().forEach(name -> errors.addObject().put("$ref", "#/components/errors/" + name));
    descriptor.putArray("examples").add(example(file.path("example")));
    return descriptor;
  }

  private static ObjectNode descriptor(RequestMember member) {
    ObjectNode descriptor =
        node()
            .put("name", member.name())
            .put("description", member.meaning())
            .put("required", member.required());
    descriptor.set("schema", ParamSchema.of(member));
    return descriptor;
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

  private static JsonNode resultFile(String method) {
    try (InputStream file = OpenRpc.class.getResourceAsStream("methods/" + method + ".json")) {
      if (file == null) {
        throw new IllegalStateException("there is no result schema of %s".formatted(method));
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
