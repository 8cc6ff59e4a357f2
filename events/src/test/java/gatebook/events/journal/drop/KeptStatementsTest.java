package gatebook.events.journal.drop;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.vocabulary.EventVocabulary;
import org.junit.jupiter.api.Test;

class KeptStatementsTest {
  @Test
  void everyNameIsThatOfAnEvent() {
    assertThat(new EventVocabulary().names()).containsAll(KeptStatements.NAMES);
  }
}
