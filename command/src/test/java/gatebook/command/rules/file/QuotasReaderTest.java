package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.CallQuota;
import gatebook.command.rules.CallQuota.Rate;
import gatebook.command.rules.Glob;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotasReaderTest {

  @Test
  void quotasAreReadWithTheirDefaults() {
    assertThat(
            quotas(
                    """
                    {name: ci, principals: ["ci-*"], roles: [robot], tools: ["github_*"],
                     source: demo, shared: true, rate_per_second: 5, rate_burst: 9,
                     concurrent_max: 3, calls_per_day: 1000},
                    {name: all, rate_per_second: 7}\
                    """)
                .rules()
                .quotas())
        .containsExactly(
            new CallQuota(
                "ci",
                List.of(new Glob("ci-*")),
                Set.of("robot"),
                List.of(new Glob("github_*")),
                Set.of("demo"),
                true,
                new Rate(5, 9),
                3,
                1_000L),
            new CallQuota(
                "all",
                List.of(),
                Set.of(),
                List.of(),
                Set.of(),
                false,
                new Rate(7, 7),
                null,
                null));
  }

  @Test
  void rulesWithoutQuotasHaveNone() {
    assertThat(GivenRules.rules(GivenRules.MINIMAL).rules().quotas()).isEmpty();
    assertThat(GivenRules.rules(GivenRules.MINIMAL + "limits: {rate_burst: 3}\n").rules().quotas())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "calls_per_day: 1 | needs 'name'",
        "name: a | limits nothing: give it 'rate_per_second', 'concurrent_max' or 'calls_per_day'",
        "name: a, rate_burst: 2, calls_per_day: 1 | is of no use without 'rate_per_second'",
        "name: a, calls_per_day: 1, tools: [] | must have at least one item, or be left out",
        "name: a, calls_per_day: 1, tools: ['[a'] | '['",
        "name: a, calls_per_day: 1, principals: [] | must have at least one item",
        "name: a, calls_per_day: 1, source: other | must be the id of a source: demo",
        "name: a, calls_per_day: 1, shared: 2 | must be true or false",
        "name: a, calls_per_day: 1, per_day: 2 | 'per_day' is no key of",
        "name: ' a', calls_per_day: 1 | must be at most 128 characters",
      })
  void eachMistakeIsASentence(String quota, String sentence) {
    assertThat(quotas("{%s}".formatted(quota)).mistakes())
        .singleElement()
        .asString()
        .contains(sentence);
  }

  @Test
  void aNameIsUnique() {
    assertThat(quotas("{name: a, calls_per_day: 1}, {name: a, calls_per_day: 2}").mistakes())
        .singleElement()
        .asString()
        .contains("is the name of another quota: choose another");
  }

  @ParameterizedTest
  @CsvSource({
    "rate_per_second, 1000000",
    "rate_burst, 1000000",
    "concurrent_max, 100000",
    "calls_per_day, 1000000000"
  })
  void aLimitCanBeSetWithinItsBounds(String key, long highest) {
    assertThat(limited(key, 1).mistakes()).isEmpty();
    assertThat(limited(key, highest).mistakes()).isEmpty();
    assertThat(limited(key, 0).mistakes()).hasSize(1);
    assertThat(limited(key, highest + 1).mistakes()).hasSize(1);
  }

  private static GivenRules limited(String key, long number) {
    String rate = key.equals("rate_burst") ? "rate_per_second: 1, " : "";
    return quotas("{name: a, %s%s: %d}".formatted(rate, key, number));
  }

  @Test
  void aFileHasAtMostAHundredQuotas() {
    assertThat(many(CallQuota.QUOTAS_MAX).rules().quotas()).hasSize(CallQuota.QUOTAS_MAX);
    assertThat(many(CallQuota.QUOTAS_MAX + 1).mistakes())
        .singleElement()
        .asString()
        .endsWith("'quotas' must have at most 100 items");
  }

  private static GivenRules many(int count) {
    return quotas(
        IntStream.range(0, count)
            .mapToObj("{name: quota-%d, calls_per_day: 1}"::formatted)
            .collect(Collectors.joining(", ")));
  }

  private static GivenRules quotas(String items) {
    return GivenRules.rules(
        GivenRules.MINIMAL + "limits:\n  quotas: [" + items.indent(2) + "  ]\n");
  }
}
