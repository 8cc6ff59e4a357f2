package gatebook.api.flow.task;

import static gatebook.api.rpc.JsonStrings.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.FlowResponses;
import gatebook.api.flow.FlowTasks;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.task.FlowRequest.Create;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.TaskDraft;
import gatebook.events.call.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading a task and writing it again keeps what its owner wrote, byte for byte. */
final class TaskRoundTripTest {
  private static final int ROUNDS = 2_000;
  private static final String[] SPACES = {"", "", " ", "\n", "\t ", "\r\n"};
  private static final String[] NUMBERS = {
    "0", "-0", "1.50", "1e3", "-12.0E-7", "123456789012345678901234567890", "0.1000"
  };
  private static final String[] TEXTS = {
    "\"\"", "\"a\"", "\"\\u0041\"", "\"\\/\"", "\"ä🙂\"", "\"\\ud83d\\ude42\"", "\"\\n{}[],:\""
  };

  private final FlowRequestReader reader = new FlowRequestReader();

  @ParameterizedTest
  @EnumSource(FlowProfile.class)
  void membersStayByteForByte(FlowProfile profile) {
    Random random = new Random(19);
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, String> members = members(random);
      String json = object(members, random);
      TaskDraft draft = read(profile, json);

      String written =
          new FlowResponses(profile).task(FlowTasks.pending(draft), TaskRelations.NONE);

      assertThat(draft.definition()).isEqualTo(json);
      assertThat(JsonValue.parse(written)).isNotNull();
      ObjectMembers read = ObjectMembers.of(written);
      members.forEach((name, value) -> assertThat(read.json(name)).as(json).contains(value));
    }
  }

  private TaskDraft read(FlowProfile profile, String json) {
    return ((Create)
            ((Understood) reader.read(profile, "tasks.create", json, FlowCaller.anonymous()))
                .request())
        .drafts()
        .getFirst();
  }

  /** A task with a name and random members, some of which mean something. */
  private static Map<String, String> members(Random random) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("name", "\"n\\u0061me\"");
    if (random.nextBoolean()) {
      members.put("inputs", object(random, 3));
    }
    if (random.nextBoolean()) {
      members.put("params", object(random, 2));
    }
    if (random.nextBoolean()) {
      members.put("priority", Integer.toString(random.nextInt(4)));
    }
    for (int count = random.nextInt(6); count > 0; count--) {
      members.put("x" + random.nextInt(100), value(random, 4));
    }
    return members;
  }

  private static String object(Map<String, String> members, Random random) {
    StringJoiner text = new StringJoiner(",", "{" + space(random), space(random) + "}");
    members.forEach((name, value) ->
        text.add(
            space(random)
                + quoted(name)
                + space(random)
                + ":"
                + space(random)
                + value
                + space(random)));
    return text.toString();
  }

  private static String object(Random random, int depth) {
    Map<String, String> members = new LinkedHashMap<>();
    for (int count = random.nextInt(4); count > 0; count--) {
      members.put("k" + random.nextInt(9), value(random, depth - 1));
    }
    return object(members, random);
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 1 -> TEXTS[random.nextInt(TEXTS.length)];
      case 2 -> random.nextBoolean() ? "true" : "false";
      case 3 -> "null";
      case 4 -> array(random, depth);
      default -> object(random, depth);
    };
  }

  private static String array(Random random, int depth) {
    StringJoiner text = new StringJoiner(",", "[" + space(random), space(random) + "]");
    for (int count = random.nextInt(4); count > 0; count--) {
      text.add(space(random) + value(random, depth - 1) + space(random));
    }
    return text.toString();
  }

  private static String space(Random random) {
    return SPACES[random.nextInt(SPACES.length)];
  }
}
