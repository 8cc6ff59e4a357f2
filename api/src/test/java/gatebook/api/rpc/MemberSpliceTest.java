package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberSpliceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {} | {"_meta":{"a":[1]}}
          { } | { "_meta":{"a":[1]}}
          { "x" : 1.50 } | { "x" : 1.50 ,"_meta":{"a":[1]}}
          {"_meta" : {  }, "é🙂":"\\u0041" } | {"_meta" : {  "a":[1]}, "é🙂":"\\u0041" }
          {"_meta":{"a" :  {"b":2} , "c":3}} | {"_meta":{"a" :  [1] , "c":3}}
          {"_meta":{"\\u0061":"x"},"a":5} | {"_meta":{"\\u0061":[1]},"a":5}
          {"x":{"_meta":{"a":0}},"_meta":null} | {"x":{"_meta":{"a":0}},"_meta":{"a":[1]}}
          """)
  void valueIsPutAtTheEndOfThePathOnly(String json, String with) {
    assertThat(MemberSplice.with(json, List.of("_meta", "a"), "[1]")).isEqualTo(with);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {} | {}
          {"_meta":{}} | {"_meta":{}}
          {"_meta" : { "a" : 1 } } | {"_meta" : {  } }
          {"_meta":{ "a": {"b":2} , "c":3}} | {"_meta":{ "c":3}}
          {"_meta":{"c":3 , "\\u0061":"🙂" }} | {"_meta":{"c":3 }}
          {"a":1,"_meta":{"c":3,"a":[{"a":1}], "d":4}} | {"a":1,"_meta":{"c":3, "d":4}}
          {"_meta":5} | {"_meta":5}
          [1] | [1]
          """)
  void valueIsRemovedAtTheEndOfThePathOnly(String json, String without) {
    assertThat(MemberSplice.without(json, List.of("_meta", "a"))).isEqualTo(without);
  }

  @ParameterizedTest
  @CsvSource({"[1]", "5", "true", "null"})
  void otherValuesThanObjectsStayUnchanged(String json) {
    assertThat(MemberSplice.with(json, List.of("_meta", "a"), "1")).isEqualTo(json);
  }

  @Test
  void messageKeepsItsBytes() {
    byte[] message =
        """
        {"params":{"x":"🙂","t":1}}\
        """
            .getBytes(UTF_8);

    assertThat(MemberSplice.with(message, List.of("params", "t"), "\"ü\""))
        .asString(UTF_8)
        .isEqualTo(
            """
            {"params":{"x":"🙂","t":"ü"}}\
            """);
  }
}
