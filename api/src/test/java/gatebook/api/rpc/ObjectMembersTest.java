package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
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

  @Test
  void aMembersValueIsReplacedWhereItStands() {
    String json = " { \"a\\u0062\" : [1, {\"x\":2}] ,\"c\":\"d\"}";
    ObjectMembers members = ObjectMembers.of(json);

    assertThat(members.replace(json, "ab", "7")).isEqualTo(" { \"a\\u0062\" : 7 ,\"c\":\"d\"}");
    assertThat(members.replace(json, "c", "{}"))
        .isEqualTo(" { \"a\\u0062\" : [1, {\"x\":2}] ,\"c\":{}}");
    assertThat(members.replace(json, "other", "{}")).isEqualTo(json);
  }

  @Test
  void theMembersOfAMessagesParamsKnowTheirPlaces() {
    String params = "{ \"e\" : \"🙂\", \"name\": \"up_a\" }";
    RpcMessage message =
        new MessageReader(MessageReader.DEPTH_MAX)
            .read(
                " {\"method\":\"é🙂\",\"params\" : %s ,\"jsonrpc\":\"2.0\"}"
                    .formatted(params)
                    .getBytes(UTF_8));

    assertThat(message).isEqualTo(new RpcMessage.Notification("é🙂", params));
    assertThat(message.members().replace(params, "name", "\"a\""))
        .isEqualTo("{ \"e\" : \"🙂\", \"name\": \"a\" }");
  }
}
