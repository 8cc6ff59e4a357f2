package gatebook.api.flow.executor;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.tree.SettleTreeTask.Ending;
import org.junit.jupiter.api.Test;

/** What becomes of results and errors that are too large to be recorded. */
final class EndingSizeTest {

  @Test
  void resultWithinTheLimitStays() {
    Ending result = new Ending.Result("{\"a\":\"ä\"}");

    assertThat(EndingSize.limited(result, 10)).isEqualTo(result);
  }

  @Test
  void resultAboveTheLimitIsAFailure() {
    assertThat(EndingSize.limited(new Ending.Result("{\"a\":\"ää\"}"), 11))
        .isEqualTo(new Ending.Failure("the result has 12 bytes, and at most 11 are allowed", null));
  }

  @Test
  void longErrorIsCutOff() {
    Ending longest = new Ending.Failure("x".repeat(4_096), -32000);

    assertThat(EndingSize.limited(longest, 1)).isEqualTo(longest);
    assertThat(EndingSize.limited(new Ending.Failure("x".repeat(4_097), -32000), 1))
        .isEqualTo(new Ending.Failure("x".repeat(4_095) + "…", -32000));
  }

  @Test
  void noCharacterIsCutInTwo() {
    String error = "x".repeat(4_094) + "\ud83d\ude00".repeat(9);

    assertThat(EndingSize.limited(new Ending.Failure(error, null), 1))
        .isEqualTo(new Ending.Failure("x".repeat(4_094) + "…", null));
  }
}
