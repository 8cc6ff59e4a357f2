package gatebook.command.gateway;

import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.Decision;
import gatebook.events.JournalOutage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportOutageTest {

  @Test
  void anOutageIsRecordedAsCounted() {
    assertThat(ReportOutage.decide(new ReportOutage(NOON, NOON.plusSeconds(9), "journal", 4, 2)))
        .isEqualTo(
            new Decision<>(
                List.of(new JournalOutage(NOON, NOON.plusSeconds(9), "journal", 4, 2)), true));
  }
}
