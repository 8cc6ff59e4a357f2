package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ObjectMembersTest {

  @Test
  void membersAreReadAsTheyWereWritten() {
    ObjectMembers objectMembers =
        ObjectMembers.of(
            """
            { "name" : "\\u0061", "n": 1.50 , "o":{ "x":[1] , "t":"y"}}\
            """);

    assertThat(objectMembers.text("name")).contains("a");
    assertThat(objectMembers.json("name")).contains("\"\\u0061\"");
    assertThat(objectMembers.json("n")).contains("1.50");
    assertThat(objectMembers.text("n")).isEmpty();
    assertThat(objectMembers.json("o")).contains("{ \"x\":[1] , \"t\":\"y\"}");
    assertThat(objectMembers.members("o").text("t")).contains("y");
  }

  @Test
  void otherValuesThanObjectsHaveNoMembers() {
    assertThat(ObjectMembers.of("[{\"a\":1}]").json("a")).isEmpty();
    assertThat(ObjectMembers.of(null).json("a")).isEmpty();
    assertThat(ObjectMembers.of("{\"a\":7}").members("a").json("b")).isEmpty();
    assertThat(ObjectMembers.of("{}").members("a").json("b")).isEmpty();
  }
}
