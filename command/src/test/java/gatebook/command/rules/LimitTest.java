package gatebook.command.rules;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Tables;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LimitTest {

  @Test
  void readmeListsEveryLimit() throws IOException {
    Tables.expectLast(
        "command/README.md",
        """
        | limit | from | to | default | unit | meaning |
        | --- | --- | --- | --- | --- | --- |
        """
            + Arrays.stream(Limit.values()).map(LimitTest::row).collect(joining()));
  }

  private static String row(Limit limit) {
    return "| `%s`%s | %d | %d | %d | %s | %s |\n"
        .formatted(
            limit.key(),
            limit.whole().map(whole -> " (not over `%s`)".formatted(whole.key())).orElse(""),
            limit.lowest(),
            limit.highest(),
            limit.defaultValue(),
            limit.unit().words(),
            limit.meaning());
  }

  @ParameterizedTest
  @EnumSource
  void aDefaultIsWithinItsRange(Limit limit) {
    assertThat(limit.defaultValue()).isBetween(limit.lowest(), limit.highest());
    assertThat(limit.whole().stream())
        .allSatisfy(
            whole -> assertThat(limit.defaultValue()).isLessThanOrEqualTo(whole.defaultValue()));
  }
}
