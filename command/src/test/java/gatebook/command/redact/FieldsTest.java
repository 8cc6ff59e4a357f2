package gatebook.command.redact;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FieldsTest {

  private static final Json ARGUMENTS =
      Json.parse("{\"a\":{\"b\":[{\"c\":1.50}],\"d\":null},\"b\":{\"x\":{}},\"e\":[{\"a\":{\"b\":2}}]}");

  @Test
  void chosenMembersAreHiddenWhateverTheyHold() {
    assertThat(new Fields(List.of("a.b", "b", "a.d")).hiddenIn(ARGUMENTS))
        .isEqualTo(
            Json.parse(
                "{\"a\":{\"b\":\"[REDACTED]\",\"d\":\"[REDACTED]\"},\"b\":\"[REDACTED]\","
                    + "\"e\":[{\"a\":{\"b\":2}}]}"));
  }

  @Test
  void pathsLeadThroughObjectsOnly() {
    assertThat(new Fields(List.of("a.b.c", "e.a", "x", "a.b.0")).hiddenIn(ARGUMENTS))
        .isEqualTo(ARGUMENTS);
  }

  @Test
  void whatIsNoObjectStays() {
    assertThat(new Fields(List.of("a")).hiddenIn(Json.parse("[1.50,{\"a\":1}]")))
        .isEqualTo(Json.parse("[1.50,{\"a\":1}]"));
    assertThat(new Fields(List.of()).hiddenIn(ARGUMENTS)).isSameAs(ARGUMENTS);
  }
}
