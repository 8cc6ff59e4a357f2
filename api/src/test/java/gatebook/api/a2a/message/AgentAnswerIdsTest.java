package gatebook.api.a2a.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aMethod;
import gatebook.command.call.agent.AgentTaskKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids in answers of agents, read where callers of each version find them. */
final class AgentAnswerIdsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "message/send | {\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\"} | t | c",
        "message/send | {\"kind\":\"message\",\"messageId\":\"m\",\"taskId\":\"t\"} | t | -",
        "message/send | {\"kind\":\"message\",\"messageId\":\"m\",\"taskId\":\"\"} | - | -",
        "message/stream | {\"kind\":\"status-update\",\"taskId\":\"t\",\"contextId\":\"c\"} | t |"
            + " c",
        "message/stream | {\"kind\":\"artifact-update\",\"taskId\":\"t\"} | t | -",
        "tasks/get | {\"kind\":\"task\",\"id\":\"t\"} | t | -",
        "SendMessage | {\"task\":{\"id\":\"t\",\"contextId\":\"c\"}} | t | c",
        "SendMessage | {\"message\":{\"taskId\":\"t\"}} | t | -",
        "SubscribeToTask | {\"statusUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\"}} | t | c",
        "SubscribeToTask | {\"artifactUpdate\":{\"taskId\":\"t\"}} | t | -",
        "GetTask | {\"id\":\"t\",\"contextId\":\"c\"} | t | c",
        "GetTask | {} | - | -"
      })
  void idsAreWhereTheVersionHasThem(String method, String json, String task, String context) {
    assertThat(ids(method, json)).isEqualTo(new AgentTaskKey("planner", task, context));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "message/send | {\"kind\":\"task\",\"id\":\"t\",\"messageId\":\"m\",\"taskId\":\"mine\"}",
        "message/send | {\"kind\":\"task\",\"id\":\"t\",\"task\":{\"id\":\"mine\"}}",
        "message/stream | {\"kind\":\"status-update\",\"taskId\":\"t\",\"id\":\"mine\"}",
        "SendMessage | {\"kind\":\"task\",\"id\":\"mine\",\"task\":{\"id\":\"t\"}}",
        "SendMessage | {\"task\":{\"id\":\"t\",\"messageId\":\"m\",\"taskId\":\"mine\"}}",
        "GetTask | {\"id\":\"t\",\"task\":{\"id\":\"mine\"}}"
      })
  void membersOfAnotherShapeHideNoId(String method, String json) {
    assertThat(ids(method, json)).isEqualTo(new AgentTaskKey("planner", "t", null));
  }

  private static AgentTaskKey ids(String method, String json) {
    return new AgentAnswerIds("planner", A2aMethod.of(method).orElseThrow()).of(json);
  }
}
