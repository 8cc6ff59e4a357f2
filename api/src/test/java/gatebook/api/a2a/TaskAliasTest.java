package gatebook.api.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.AgentTaskOwners.AnsweredTask;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TaskAliasTest {
  private final TaskAlias alias =
      new TaskAlias(
          new VersionedMethod(A2aMethod.GET, A2aVersion.V1_0),
          "mine",
          new AnsweredTask("theirs", "c-theirs", "c-mine"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'id':'theirs','contextId':'c-theirs'} | {'id':'mine','contextId':'c-mine'}
          {'status':{'message':{'taskId':'theirs','contextId':'c-theirs'}}} | {'status':{'message':{'taskId':'mine','contextId':'c-mine'}}}
          {'history':[{'taskId':'theirs'},{'contextId':'c-theirs'}]} | {'history':[{'taskId':'mine'},{'contextId':'c-mine'}]}
          {'statusUpdate':{'taskId':'theirs','status':{'message':{'taskId':'theirs'}}}} | {'statusUpdate':{'taskId':'mine','status':{'message':{'taskId':'mine'}}}}
          {'artifactUpdate':{'contextId':'c-theirs','artifact':{'taskId':'theirs'}}} | {'artifactUpdate':{'contextId':'c-mine','artifact':{'taskId':'theirs'}}}
          {'taskId':'other','contextId':'c-other'} | {'taskId':'other','contextId':'c-other'}
          """)
  void callerKnowsTheTaskByWhatItWasTold(String agents, String callers) {
    assertThat(alias.toCaller(agents.replace('\'', '"'))).isEqualTo(callers.replace('\'', '"'));
  }
}
