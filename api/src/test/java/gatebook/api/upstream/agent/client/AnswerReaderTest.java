package gatebook.api.upstream.agent.client;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.AttemptResult.Progress;
import gatebook.api.upstream.http.ExchangeResult.Broken;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import gatebook.api.upstream.http.ExchangeResult.TimedOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswerReaderTest {

  @Test
  void onlyARequestWithoutConnectionIsSurelyUnsent() {
    assertThat(AnswerReader.noResponse(new NotConnected("unknown host")))
        .isEqualTo(result(new ConnectionRefused("unknown host"), Progress.UNSENT));
    assertThat(AnswerReader.noResponse(new Overloaded()))
        .isEqualTo(
            result(
                new ConnectionRefused("all connections to the agent are in use"), Progress.SENT));
    assertThat(AnswerReader.noResponse(new TimedOut(7)))
        .isEqualTo(result(new Timeout(7), Progress.SENT));
  }

  @ParameterizedTest
  @EnumSource(Defect.class)
  void onlyAClosedConnectionMayBeRepeated(Defect defect) {
    boolean closed = defect == Defect.CLOSED_BEFORE_ANSWER;

    assertThat(AnswerReader.noResponse(new Broken(defect)))
        .isEqualTo(
            new AttemptResult<>(
                AgentOutcome.failed(
                    defect == Defect.NO_MEMORY
                        ? new AgentFailure.AnswerDropped()
                        : new InvalidResponse(defect.words())),
                closed ? Attempt.Result.TRANSIENT : Attempt.Result.PERMANENT,
                Progress.SENT));
  }

  private static AttemptResult<Object> result(AgentFailure failure, Progress progress) {
    return new AttemptResult<>(AgentOutcome.failed(failure), Attempt.Result.TRANSIENT, progress);
  }
}
