package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskIdTest {

  @Test
  void theTextContainsTheCallId() {
    TaskId id = TaskId.generate(CALL);

    assertThat(id.text()).matches("gb_[0-9a-f]{64}");
    assertThat(TaskId.parse(id.text())).contains(id);
  }

  @Test
  void theCallIdDoesNotDetermineTheTaskId() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add(TaskId.generate(CALL).text());
    }

    assertThat(ids).hasSize(1_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gb_",
        "786512e2-9e0d-44bd-8f29-789f320fe840",
        "tg_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "gb_0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
        "gb_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
        "gb_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
      })
  void otherTextsAreNoTaskIds(String text) {
    assertThat(TaskId.parse(text)).isEmpty();
  }
}
