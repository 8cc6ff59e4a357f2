package gatebook.api.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The methods as an OpenRPC document, made of the same declarations that params are checked by. */
final class OpenRpc {
  private static final String VERSION = "1.3.2";

  private OpenRpc() {}

  static ObjectNode document(List<Method> methods, String gatebookVersion) {
    ObjectNode document = node().put("openrpc", VERSION);
    document.set(
        "info", node().put("title", "Gatebook for operators").put("version", gatebookVersion));
    ArrayNode described = document.putArray("methods");
    methods.forEach(method -> described.add(described(method)));
    return document;
  }

  private static ObjectNode described(Method method) {
    ObjectNode described =
        node()
            .put("name", method.name())
            .put("summary", method.summary())
            .put("paramStructure", "by-name");
    ArrayNode params = described.putArray("params");
    method.params().forEach(param -> params.add(described(param)));
    ObjectNode result = node().put("name", "result");
    result.set("schema", node().put("type", "object"));
    described.set("result", result);
    return described;
  }

  private static ObjectNode described(Param param) {
    ObjectNode described =
        node()
            .put("name", param.name())
            .put("description", param.description())
            .put("required", param.required());
    described.set("schema", param.type().schema());
    return described;
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
