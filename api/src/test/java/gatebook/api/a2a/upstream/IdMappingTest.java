package gatebook.api.a2a.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.Upstream.Call;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.ToldIds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IdMappingTest {
  private static final TaskId HELD = TaskId.generate(new UUID(1, 2));
  private static final AnsweredTask ANSWERED = new AnsweredTask("theirs", "c-theirs", "c-mine");
  private static final AgentTaskKey KEY = new AgentTaskKey("planner", "theirs", "c-theirs");
  private static final ToldIds TOLD = new ToldIds(HELD.text(), "c-mine");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'id':'theirs','contextId':'c-theirs'} | {'id':'mine','contextId':'c-mine'}
          {'status':{'message':{'taskId':'theirs','contextId':'c-theirs'}}} | {'status':{'message':{'taskId':'mine','contextId':'c-mine'}}}
          {'history':[{'taskId':'theirs'},{'contextId':'c-theirs'}]} | {'history':[{'taskId':'mine'},{'contextId':'c-mine'}]}
          {'task':{'id':'theirs','history':[{'id':'theirs'}]}} | {'task':{'id':'mine','history':[{'id':'theirs'}]}}
          {'artifactUpdate':{'artifact':{'parts':[{'data':{'reference_task_ids':['theirs','x']}}]}}} | {'artifactUpdate':{'artifact':{'parts':[{'data':{'reference_task_ids':['mine','x']}}]}}}
          {'taskId':'other','contextId':'c-other','text':'theirs'} | {'taskId':'other','contextId':'c-other','text':'theirs'}
          """)
  void callerKnowsTheTaskByWhatItWasTold(String agents, String callers) {
    String mapped = mapping("{}").answer(KEY, TOLD, Optional.of(ANSWERED)).toCaller(json(agents));

    assertThat(mapped).isEqualTo(json(callers));
  }

  @Test
  void pairThatIsNamedByTheAgentsIdsIsLeft() {
    for (String named : List.of("{\"taskId\":\"theirs\"}", "{\"contextId\":\"c-theirs\"}")) {
      IdMapping mapping = mapping(named);

      assertThat(mapping.toldTask(KEY, TOLD)).isEmpty();
      assertThat(mapping.answer(KEY, TOLD, Optional.empty()))
          .isEqualTo(IdMapping.AnswerMapping.NONE);
    }
  }

  @Test
  void thirdContextOfTheTaskIsNotTold() {
    IdMapping mapping = mapping("{\"taskId\":\"%s\"}".formatted(HELD.text()));
    mapping.addTask(HELD, ANSWERED);

    assertThat(
            mapping
                .answer(
                    new AgentTaskKey("planner", "theirs", "c-third"),
                    new ToldIds(HELD.text(), null),
                    Optional.empty())
                .contexts())
        .isEqualTo(Map.of("c-third", "c-mine"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'message':{'contextId':'c-mine','a':[{'task_id':'mine'}]}} | {'message':{'contextId':'c-theirs','a':[{'task_id':'theirs'}]}}
          {'message':{'context_id':'c-mine'},'metadata':{'referenceTaskIds':[['mine']]}} | {'message':{'context_id':'c-theirs'},'metadata':{'referenceTaskIds':[['theirs']]}}
          {'message':{'contextId':'pending','a':'pending'}} | {'message':{'a':'pending'}}
          {'message':{'text':'mine','messageId':'c-mine'}} | {'message':{'text':'mine','messageId':'c-mine'}}
          """)
  void agentGetsItsOwnIds(String callers, String agents) {
    String params = json(callers);
    IdMapping mapping = mapping(params);
    mapping.addTask(HELD, ANSWERED);
    mapping.addContext("c-mine", "c-theirs");
    mapping.addUnknownContext("pending");

    assertThat(mapping.toAgent(new Call("1", "SendMessage", params, false, Map.of())).params())
        .isEqualTo(json(agents));
  }

  private static String json(String text) {
    return text.replace("'mine'", "'%s'".formatted(HELD.text())).replace('\'', '"');
  }

  private static IdMapping mapping(String params) {
    return new IdMapping(
        new VersionedMethod(A2aMethod.SEND, A2aVersion.V1_0),
        NamedIds.of(params),
        Optional.empty());
  }
}
