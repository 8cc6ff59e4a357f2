package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.daemon.Own.Described;
import gatebook.api.operator.Desk;
import org.junit.jupiter.api.Test;

final class QuestionsTest {

  @Test
  void everyQuestionIsOneThatTheDeskAnswers() {
    assertThat(Questions.ALL)
        .extracting(Described::name)
        .allSatisfy(
            name -> assertThat(Desk.class.getResource("methods/" + name + ".json")).isNotNull());
  }

  @Test
  void nothingThatActsIsAmongThem() {
    assertThat(Questions.include("audit.replay")).isFalse();
    assertThat(Questions.include("approvals.approve")).isFalse();
    assertThat(Questions.include("audit.denials")).isTrue();
  }
}
