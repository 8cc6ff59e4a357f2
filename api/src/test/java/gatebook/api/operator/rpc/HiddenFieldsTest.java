package gatebook.api.operator.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HiddenFieldsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          a     | {"a":1,"b":2}          | {"a":"[REDACTED]","b":2}
          a     | {"a":{"b":1}}          | {"a":"[REDACTED]"}
          a.b   | {"a":{"b":1,"c":2}}    | {"a":{"b":"[REDACTED]","c":2}}
          a.b   | {"a.b":1}              | {"a.b":"[REDACTED]"}
          a.b.c | {"a.b":{"c":1}}        | {"a.b":{"c":"[REDACTED]"}}
          a.b   | {"a":[{"b":1}]}        | {"a":[{"b":1}]}
          a.b   | {"a":"text"}           | {"a":"text"}
          b     | {"a":{"b":1}}          | {"a":{"b":1}}
          A     | {"a":1}                | {"a":1}
          a     | {"a":null}             | {"a":"[REDACTED]"}
          a     | [{"a":1}]              | [{"a":1}]
          x     | {"n":1.50,"m":1e2}     | {"n":1.50,"m":1E+2}
          """)
  void aPathLeadsThroughObjectsOnly(String path, String arguments, String shown) {
    assertThat(HiddenFields.hide(arguments, List.of(path))).hasToString(shown);
  }
}
