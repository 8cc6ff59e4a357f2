package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.call.Dialect;
import gatebook.events.call.Erasable;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every member of every event that has a text is content, which is sealed, or part of the record,
 * which stays plain: each is in one of two lists.
 */
final class EventContentTest {
  private final EventVocabulary eventVocabulary =
      new EventVocabulary(new MemoryContentKeys(), OldKeys.NONE);

  /** A fault as one of the events that have one. */
  static ErrorTranslated translated(Fault fault) {
    ErrorResponse response = new ErrorResponse(Dialect.MCP, -1, "no", null, null);
    return new ErrorTranslated(Samples.CALL, "t", fault, response, 0, null, 1);
  }

  private static List<Event> samples() {
    List<Event> samples = new ArrayList<>(Samples.events().values());
    Samples.faults().forEach(fault -> samples.add(translated(fault)));
    return samples;
  }

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
    for (Event sample : samples()) {
      Planting planting = new Planting();
      Event event = (Event) planting.copy((Record) sample, false);
      planted.addAll(planting.members);
      DraftEvent draft =
          eventVocabulary.draft(
              UUID.randomUUID().toString(),
              event,
              Samples.NOON,
              EventTags.of(event),
              "ada",
              Samples.utf8("{}"));

      String opened = new String(eventVocabulary.open(draft.toEntry(1, "n")).json(), UTF_8);
      assertThat(planting.texts).allSatisfy(text -> assertThat(opened).contains(text));
      String stored =
          new String(draft.payload(), UTF_8)
              + draft.tagsText()
              + new String(draft.metadata(), UTF_8);
      assertThat(stored).doesNotContain(Planting.MARK);
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
          content.add(contentName(component));
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
            record.add(name(component));
        case Class<?> it when it.isEnum() || WITHOUT_TEXT.contains(it) -> {}
        case Class<?> it -> add(it);
        default -> throw new AssertionError(component + " has an unexpected type");
      }
    }
  }

  private static String name(RecordComponent component) {
    return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
  }

  private static String contentName(RecordComponent component) {
    return component.getAnnotation(Erasable.class).isOriginal()
        ? name(component) + " original"
        : name(component);
  }

  /** Copies of events in which a text of its own is planted in each member that is content. */
  private static final class Planting {
    static final String MARK = "planted-";

    private final List<String> texts = new ArrayList<>();
    private final Set<String> members = new TreeSet<>();

    @Nullable Object planted(@Nullable Object value, boolean isContent) {
      return switch (value) {
        case String _ when isContent -> text();
        case JsonValue _ when isContent ->
            JsonValue.parse("{\"%s\":[\"%s\"]}".formatted(text(), text()));
        case List<?> list -> list.stream().map(each -> planted(each, isContent)).toList();
        case Map<?, ?> _ when isContent -> Map.of(text(), text());
        case Record record -> copy(record, isContent);
        case null, default -> value;
      };
    }

    private String text() {
      String text = MARK + texts.size() + ".";
      texts.add(text);
      return text;
    }

    private Record copy(Record record, boolean isContent) {
      RecordComponent[] components = record.getClass().getRecordComponents();
      @Nullable Object[] values = new Object[components.length];
      try {
        for (int i = 0; i < components.length; i++) {
          boolean isErasable = components[i].isAnnotationPresent(Erasable.class);
          var accessor = components[i].getAccessor();
          accessor.setAccessible(true);
          int before = texts.size();
          Object value = accessor.invoke(record);
          values[i] =
              value == null
                      && isErasable
                      && record instanceof Fault
                      && components[i].getType() == String.class
                  ? text()
                  : planted(value, isContent || isErasable);
          if (isErasable && texts.size() > before) {
            members.add(contentName(components[i]));
          }
        }
        var constructor =
            record
                .getClass()
                .getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return constructor.newInstance(values);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
  }
}
