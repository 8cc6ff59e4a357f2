package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Event;
import gatebook.events.call.Erasable;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Every member of every event that has a text is content, which is sealed, or part of the record,
 * which stays plain: each is in one of two lists.
 */
final class EventContentTest {
  private final EventVocabulary eventVocabulary =
      new EventVocabulary(new MemoryContentKeys(), OldKeys.NONE);

  @Test
  void everyMemberWithATextIsContentOrRecord() throws IOException {
    Members members = new Members();
    SealedFamilies.leaves(Event.class).forEach(members::add);

    assertListed("content.txt", members.content);
    assertListed("record.txt", members.record);
  }

  private static void assertListed(String file, Set<String> members) throws IOException {
    String present = String.join("\n", members) + "\n";
    assertThat(present).isEqualTo(Golden.text(file, present));
  }

  @Test
  void plantedContentIsInTheOpenedJsonAndNowhereElse() {
    Set<String> planted = new TreeSet<>();
    for (PlantedEvent each : PlantedEvent.all("")) {
      planted.addAll(each.members());
      DraftEvent draft = each.draft(eventVocabulary, "ada");

      String opened = new String(eventVocabulary.open(draft.toEntry(1, "n")).json(), UTF_8);
      assertThat(each.texts()).allSatisfy(text -> assertThat(opened).contains(text));
      String stored =
          new String(draft.payload(), UTF_8)
              + draft.tagsText()
              + new String(draft.metadata(), UTF_8);
      assertThat(stored).doesNotContain(PlantedEvent.MARK);
    }
    Members members = new Members();
    SealedFamilies.leaves(Event.class).forEach(members::add);
    assertThat(planted).as("a sample has each member").containsExactlyElementsOf(members.content);
  }

  /** The members that have a text, of the events and of everything that they hold. */
  private static final class Members {
    private static final Set<Class<?>> WITHOUT_TEXT =
        Set.of(
            int.class,
            long.class,
            boolean.class,
            Integer.class,
            Long.class,
            Boolean.class,
            UUID.class,
            Instant.class,
            LocalDate.class);

    private final Set<String> content = new TreeSet<>();
    private final Set<String> record = new TreeSet<>();
    private final Set<Class<?>> seen = new HashSet<>();

    void add(Class<?> type) {
      if (!seen.add(type)) {
        return;
      }
      if (type.isSealed()) {
        Arrays.stream(type.getPermittedSubclasses()).forEach(this::add);
        return;
      }
      assertThat(type).as("what an event holds is a record").matches(Class::isRecord);
      for (RecordComponent component : type.getRecordComponents()) {
        if (component.isAnnotationPresent(Erasable.class)) {
          content.add(PlantedEvent.contentName(component));
        } else {
          add(component, component.getGenericType());
        }
      }
    }

    private void add(RecordComponent component, Type type) {
      switch (type) {
        case ParameterizedType of ->
            Arrays.stream(of.getActualTypeArguments()).forEach(each -> add(component, each));
        case Class<?> it when it == String.class || it == JsonValue.class ->
            record.add(PlantedEvent.name(component));
        case Class<?> it when it.isEnum() || WITHOUT_TEXT.contains(it) -> {}
        case Class<?> it -> add(it);
        default -> throw new AssertionError(component + " has an unexpected type");
      }
    }
  }
}
