package gatebook.api.dialect;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Tables;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.DefinedErrors.DefinedError;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DefinedErrorsTest {

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  void listHasExactlyTheErrorsOfTheVocabularies() throws IOException {
    Tables.expect(
        "events/src/main/resources/gatebook/events/fault/defined-errors.csv",
        Stream.of(VocabularyCase.values())
            .flatMap(
                vocabularyCase -> Faults.all().stream().map(fault -> error(vocabularyCase, fault)))
            .distinct()
            .sorted(
                Comparator.comparing(DefinedError::dialect)
                    .thenComparingInt(DefinedError::code)
                    .thenComparing(DefinedError::gate)
                    .thenComparing(DefinedError::category))
            .map(DefinedErrorsTest::row)
            .collect(joining("", "dialect,code,gate,category\n", "")));
  }

  @Test
  void codeBelongsToADialect() {
    assertThat(DefinedErrors.hasCode(Dialect.MCP, -32_014)).isTrue();
    assertThat(DefinedErrors.hasCode(Dialect.MCP, -32_042)).isFalse();
    assertThat(DefinedErrors.hasCode(Dialect.A2A, -32_014)).isFalse();
  }

  private DefinedError error(VocabularyCase vocabularyCase, Fault fault) {
    return new DefinedError(
        vocabularyCase.dialectVersion().dialect(),
        errorTranslation.translate(fault, vocabularyCase.dialectVersion(), "c-1").code(),
        fault.gate().map(Gate::word).orElse(""),
        fault.category());
  }

  private static String row(DefinedError error) {
    return "%s,%d,%s,%s\n"
        .formatted(error.dialect().word(), error.code(), error.gate(), error.category().word());
  }
}
