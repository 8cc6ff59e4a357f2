package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.Rules;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PerRulesValueTest {
  private final AtomicInteger computed = new AtomicInteger();
  private final PerRulesValue<Integer> values =
      new PerRulesValue<>(_ -> computed.incrementAndGet());

  @Test
  void valueIsRememberedForTheRulesThatCameLast() {
    List<Rules> rules = different(PerRulesValue.REMEMBERED_MAX);

    List<Integer> first = rules.stream().map(values::get).toList();
    List<Integer> again = rules.stream().map(values::get).toList();

    assertThat(again).isEqualTo(first).doesNotHaveDuplicates();
  }

  @Test
  void valueIsComputedAgainAfterManyOtherRules() {
    List<Rules> rules = different(PerRulesValue.REMEMBERED_MAX + 1);
    rules.forEach(values::get);

    assertThat(values.get(rules.getLast())).isEqualTo(rules.size());
    assertThat(values.get(rules.getFirst())).isEqualTo(rules.size() + 1);
  }

  /** Equal rules, each read at another time. */
  private static List<Rules> different(int count) {
    return IntStream.range(0, count).mapToObj(_ -> Rules.NONE.withObserved(null)).toList();
  }
}
