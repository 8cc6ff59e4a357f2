package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.ExposeRules;
import gatebook.events.CallForwarded;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RetryCallTest {

  @Test
  void aFurtherAttemptIsRecordedWithNumberAndReason() {
    assertThat(
            RetryCall.decide(
                new RetryCall(CALL, "ada", "s", "sha256:1", "read", 2, "no route"),
                rules(List.of(source("s", "x_", ExposeRules.ALL)))))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallForwarded(CALL, 2, "s", "http://127.0.0.1:1/s", 30_000, "no route")),
                true));
  }
}
