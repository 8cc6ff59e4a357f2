package gatebook.api.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MembersTest {

  @Test
  void membersComeAsTheyWereWritten() {
    Members members =
        Members.of("{ \"name\" : \"\\u0061\", \"n\": 1.50 , \"o\":{ \"x\":[1] , \"t\":\"y\"}}");

    assertThat(members.text("name")).contains("a");
    assertThat(members.json("name")).contains("\"\\u0061\"");
    assertThat(members.json("n")).contains("1.50");
    assertThat(members.text("n")).isEmpty();
    assertThat(members.json("o")).contains("{ \"x\":[1] , \"t\":\"y\"}");
    assertThat(members.members("o").text("t")).contains("y");
  }

  @Test
  void whatIsNoObjectHasNoMembers() {
    assertThat(Members.of("[{\"a\":1}]").json("a")).isEmpty();
    assertThat(Members.of(null).json("a")).isEmpty();
    assertThat(Members.of("{\"a\":7}").members("a").json("b")).isEmpty();
    assertThat(Members.of("{}").members("a").json("b")).isEmpty();
  }
}
