package gatebook.events.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.Test;

final class TreeTaskTagTest {
  private static final int ID_CHARS_MAX = 255;

  private record OwnedId(String owner, String taskId) {}

  /** The tag is in journals: it never changes. */
  @Test
  void tagIsTheHashOfOwnerAndTask() {
    assertThat(TreeTaskTag.of("ci", "task-a"))
        .isEqualTo(
            new Tag(
                "tree-task", "0beae3600a698e790b7cfea9a6a676ac19680c380552feb86c4a88e014fdf07c"));
  }

  @Test
  void noTwoPairsShareATag() {
    Random random = new Random(19);
    Set<OwnedId> pairs = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      pairs.add(new OwnedId(text(random), text(random)));
    }

    assertThat(
            pairs.stream()
                .map(pair -> TreeTaskTag.of(pair.owner(), pair.taskId()))
                .collect(Collectors.toSet()))
        .hasSameSizeAs(pairs);
  }

  /** Few characters, among them those that separate, so that joined texts are often equal. */
  private static String text(Random random) {
    return random
        .ints(random.nextInt(5), 0, 5)
        .mapToObj("a1:0\n"::charAt)
        .map(String::valueOf)
        .collect(Collectors.joining());
  }

  @Test
  void everyIdGivesATagThatFits() {
    List<String> ids = List.of("", "\u0000\n\\:", "\ud83d", "\\".repeat(ID_CHARS_MAX));

    assertThat(ids)
        .allSatisfy(id -> assertThat(TreeTaskTag.value("\n".repeat(ID_CHARS_MAX), id)).hasSize(64));
  }
}
