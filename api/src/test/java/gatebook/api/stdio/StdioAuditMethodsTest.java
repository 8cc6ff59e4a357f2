package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.rpc.OperatorTestNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StdioAuditMethodsTest {

  @Test
  void everyMethodExistsInTheOperatorRpcWithTheseParams(@TempDir Path data) throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      JsonNode document =
          new JsonMapper()
              .readTree(node.call("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}"));
      Map<String, List<String>> params =
          StreamSupport.stream(document.at("/result/methods").spliterator(), false)
              .collect(
                  Collectors.toMap(
                      method -> method.get("name").asText(),
                      method ->
                          StreamSupport.stream(method.get("params").spliterator(), false)
                              .map(param -> param.get("name").asText())
                              .toList()));

      assertThat(StdioAuditMethods.ALL)
          .allSatisfy(
              method -> assertThat(params).containsEntry(method.name(), method.params().names()));
    }
  }

  @Test
  void noMethodHasEffects() {
    assertThat(StdioAuditMethods.include("audit.replay")).isFalse();
    assertThat(StdioAuditMethods.include("approvals.approve")).isFalse();
    assertThat(StdioAuditMethods.include("audit.whatif")).isFalse();
    assertThat(StdioAuditMethods.include("audit.denials")).isTrue();
    assertThat(StdioAuditMethods.include("audit.case")).isTrue();
    assertThat(StdioAuditMethods.include("audit.trees")).isTrue();
    assertThat(StdioAuditMethods.include("node.status")).isTrue();
  }
}
