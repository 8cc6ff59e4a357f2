package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.GivenSources;
import gatebook.events.call.Action;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class RulesByHashTest {
  private final RulesByHash rulesByHash = new RulesByHash();

  @Test
  void rulesInUseAreFoundByTheirHash() {
    Rules first = rules("sha256:1");
    Rules second = rules("sha256:2");
    rulesByHash.add(first);
    rulesByHash.add(second);
    rulesByHash.add(first);

    try {
      assertThat(rulesByHash.get("sha256:1")).isSameAs(first);
      assertThat(rulesByHash.get("sha256:2")).isSameAs(second);
    } finally {
      Reference.reachabilityFence(List.of(first, second));
    }
  }

  @Test
  void theNewestOfTwoWithOneHashIsFound() {
    Rules first = rules("sha256:1");
    Rules second = rules("sha256:1");
    rulesByHash.add(first);
    rulesByHash.add(second);

    try {
      assertThat(rulesByHash.get("sha256:1")).isSameAs(second);
    } finally {
      Reference.reachabilityFence(List.of(first, second));
    }
  }

  @Test
  void theAbsenceOfRulesIsAlwaysFound() {
    assertThat(rulesByHash.get(Rules.NONE.hash())).isSameAs(Rules.NONE);
  }

  @Test
  void unusedRulesAreForgotten() {
    WeakReference<Rules> unused = addUnused();
    while (!unused.refersTo(null)) {
      System.gc();
    }

    assertThatThrownBy(() -> rulesByHash.get("sha256:1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no call is served by the rules sha256:1");
  }

  private WeakReference<Rules> addUnused() {
    Rules rules = rules("sha256:1");
    rulesByHash.add(rules);
    return new WeakReference<>(rules);
  }

  private static Rules rules(String hash) {
    return GivenSources.rules(hash, List.of(), Action.DENY, List.of());
  }
}
