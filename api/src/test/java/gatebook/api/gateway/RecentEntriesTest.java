package gatebook.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecentEntriesTest {
  private final RecentEntries<String, Integer> entries = new RecentEntries<>();

  @Test
  void leastRecentlyUsedEntryIsForgotten() {
    assertThat(add("a", 1)).isEqualTo(1);
    assertThat(add("b", 2)).isEqualTo(2);
    assertThat(entries.find("a")).contains(1);

    assertThat(add("c", 3)).isEqualTo(3);

    assertThat(entries.find("b")).isEmpty();
    assertThat(entries.find("a")).contains(1);
    assertThat(entries.find("c")).contains(3);
  }

  @Test
  void addedValueIsJoinedWithTheOneThatIsThere() {
    assertThat(add("a", 1)).isEqualTo(1);
    assertThat(add("a", 2)).isEqualTo(3);
    assertThat(entries.find("a")).contains(3);
  }

  private Integer add(String key, int value) {
    return entries.add(key, value, Integer::sum, 2);
  }
}
