package gatebook.api.dialect;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.DefinedErrors.DefinedError;
import gatebook.events.fault.Fault;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DefinedErrorsTest {

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  /** When it fails, its message has the list as it should be. */
  @Test
  void theListHasEveryErrorThatTheVocabulariesTellAndNoOther() {
    List<DefinedError> told =
        Stream.of(Spoken.values())
            .flatMap(spoken -> Faults.all().stream().map(fault -> error(spoken, fault)))
            .distinct()
            .sorted(
                Comparator.comparing(DefinedError::dialect)
                    .thenComparingInt(DefinedError::code)
                    .thenComparing(DefinedError::gate)
                    .thenComparing(DefinedError::category))
            .toList();

    assertThat(DefinedErrors.all())
        .as(() -> told.stream().map(DefinedErrorsTest::row).collect(joining("\n")))
        .isEqualTo(told);
  }

  @Test
  void aCodeIsOfADialect() {
    assertThat(DefinedErrors.hasCode(Dialect.MCP, -32_014)).isTrue();
    assertThat(DefinedErrors.hasCode(Dialect.MCP, -32_042)).isFalse();
    assertThat(DefinedErrors.hasCode(Dialect.A2A, -32_014)).isFalse();
  }

  private DefinedError error(Spoken spoken, Fault fault) {
    return new DefinedError(
        spoken.tongue().dialect(),
        errorTranslation.tell(fault, spoken.tongue(), "c-1").code(),
        fault.gate().map(Gate::word).orElse(""),
        fault.category());
  }

  private static String row(DefinedError error) {
    return "%s,%d,%s,%s"
        .formatted(error.dialect().word(), error.code(), error.gate(), error.category().word());
  }
}
