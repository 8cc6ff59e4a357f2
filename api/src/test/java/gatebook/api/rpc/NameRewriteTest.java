package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameRewriteTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        """
        {"name":"up_a"} | {"name":"a\\"🙂"}\
        """,
        """
        { "n" : 1.50 ,"name" :  "\\u0075p" , "name2":"name"} | { "n" : 1.50 ,"name" \
        :  "a\\"🙂" , "name2":"name"}\
        """,
        """
        {"x":{"name":"up_a"},"é🙂":[],"\\u006eame":""} | \
        {"x":{"name":"up_a"},"é🙂":[],"\\u006eame":"a\\"🙂"}\
        """
      })
  void onlyTheMemberChanges(String params, String renamed) {
    assertThat(NameRewrite.renamed(params, "name", "a\"🙂")).isEqualTo(renamed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\":7}",
        "{\"name\":[\"name\"]}",
        "[\"name\",\"x\"]",
        "{\"a\":{\"name\":\"x\"}}"
      })
  void objectWithoutTheNameStaysUnchanged(String params) {
    assertThat(NameRewrite.renamed(params, "name", "a")).isEqualTo(params);
  }
}
