package gatebook.command.rules;

import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Exposure;
import gatebook.events.call.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CallQuotaTest {
  private static final Source SOURCE = source("github", "gh_", expose(Exposure.ALL));

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, -, gh_read, true",
        "ci-*, -, -, -, gh_read, true",
        "CI-*, -, -, -, gh_read, true",
        "ann, -, -, -, gh_read, false",
        "-, robot, -, -, gh_read, true",
        "-, person, -, -, gh_read, false",
        "-, -, read, -, gh_read, true",
        "-, -, gh_read, -, gh_read, false",
        "-, -, read, -, gh_re%61d, true",
        "-, -, read, -, gh_write, false",
        "-, -, read, -, gh_write gh_read, true",
        "-, -, -, github, gh_read, true",
        "-, -, -, gitlab, gh_read, false",
        "ci-*, robot, read, github, gh_read, true",
        "ci-*, robot, write, github, gh_read, false",
      })
  void aQuotaIsForTheCallsThatItNames(
      String principal, String role, String tool, String source, String targets, boolean isFor) {
    CallQuota quota =
        new CallQuota(
            "a", globs(principal), set(role), globs(tool), set(source), false, null, 1, null);

    assertThat(
            CallQuota.matching(
                List.of(quota),
                new Principal("ci-nightly", List.of("robot"), Map.of()),
                SOURCE,
                List.of(targets.split(" "))))
        .isEqualTo(isFor ? List.of(quota) : List.of());
  }

  private static List<Glob> globs(String pattern) {
    return Stream.ofNullable(pattern).map(Glob::new).toList();
  }

  private static Set<String> set(String word) {
    return word == null ? Set.of() : Set.of(word);
  }
}
