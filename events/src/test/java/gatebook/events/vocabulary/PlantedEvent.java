package gatebook.events.vocabulary;

import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.call.Dialect;
import gatebook.events.call.Erasable;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.journal.DraftEvent;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a sample event in which a text of its own is planted in each member that is content.
 *
 * @param texts that were planted
 * @param originals those of the texts that are in originals, which are not shown
 * @param members that have them, by their names
 */
public record PlantedEvent(
    Event event, List<String> texts, List<String> originals, Set<String> members) {
  /** The beginning of each text. */
  public static final String MARK = "planted-";

  /** The planted samples of all events and faults that have content. */
  public static List<PlantedEvent> all(String about) {
    List<Event> samples = new ArrayList<>(Samples.events().values());
    Samples.faults().forEach(fault -> samples.add(translated(fault)));
    List<PlantedEvent> all = new ArrayList<>();
    for (Event sample : samples) {
      Planting planting = new Planting(MARK + about + all.size() + "-");
      Event event = (Event) planting.copy((Record) sample, false);
      if (!planting.texts.isEmpty()) {
        all.add(new PlantedEvent(event, planting.texts, planting.originals, planting.members));
      }
    }
    return all;
  }

  /** A fault as one of the events that have one. */
  static ErrorTranslated translated(Fault fault) {
    ErrorResponse response = new ErrorResponse(Dialect.MCP, -1, "no", null, null);
    return new ErrorTranslated(Samples.CALL, "t", fault, response, 0, null, 1);
  }

  /** The event as a draft, as content of this principal. */
  public DraftEvent draft(EventVocabulary eventVocabulary, String principal) {
    return PrincipalDrafts.of(eventVocabulary, event, Instant.now(), principal);
  }

  static String name(RecordComponent component) {
    return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
  }

  static String contentName(RecordComponent component) {
    return component.getAnnotation(Erasable.class).isOriginal()
        ? name(component) + " original"
        : name(component);
  }

  /** Copies records. */
  private static final class Planting {
    private final String mark;
    private final List<String> texts = new ArrayList<>();
    private final List<String> originals = new ArrayList<>();
    private final Set<String> members = new TreeSet<>();

    Planting(String mark) {
      this.mark = mark;
    }

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
      String text = mark + texts.size() + ".";
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
            if (components[i].getAnnotation(Erasable.class).isOriginal()) {
              originals.addAll(texts.subList(before, texts.size()));
            }
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
