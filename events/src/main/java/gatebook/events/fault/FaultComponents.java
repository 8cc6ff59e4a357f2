package gatebook.events.fault;

import static java.util.stream.Collectors.joining;

import gatebook.events.call.JsonValue;
import gatebook.events.call.Word;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The components of faults by what their annotations declare: {@link LogField}, {@link FromCaller}
 * and {@link NotLogged}. The annotations of a kind are read once.
 */
public final class FaultComponents {

  private static final ClassValue<FaultComponents> OF_KINDS =
      new ClassValue<>() {
        @Override
        protected FaultComponents computeValue(Class<?> kind) {
          return new FaultComponents(kind);
        }
      };

  private final Constructor<?> constructor;
  private final String kindInWords;
  private final @Nullable String reasonField;
  private final Component[] components;
  private final Component[] logged;

  /** Rewrites the values that callers chose. */
  public interface Rewrite {
    String text(String text);

    String taskId(String id);

    JsonValue json(JsonValue json);
  }

  /** What is asked of annotations is read beforehand: asking them takes long. */
  private record Component(
      Method accessor,
      @Nullable String logField,
      boolean isLast,
      boolean isFromCaller,
      boolean isTaskId) {

    private static final Object[] NO_ARGUMENTS = {};

    static Component of(RecordComponent component) {
      LogField logField = component.getAnnotation(LogField.class);
      FromCaller fromCaller = component.getAnnotation(FromCaller.class);
      return new Component(
          component.getAccessor(),
          logField == null ? null : logField.value(),
          logField != null && logField.isLast(),
          fromCaller != null,
          fromCaller != null && fromCaller.isTaskId());
    }

    @Nullable Object read(Object from) {
      try {
        return accessor.invoke(from, NO_ARGUMENTS);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(accessor.toString(), e);
      }
    }
  }

  private FaultComponents(Class<?> kind) {
    RecordComponent[] declared = kind.getRecordComponents();
    components = Stream.of(declared).map(Component::of).toArray(Component[]::new);
    logged =
        Stream.of(false, true)
            .flatMap(isLast ->
                Stream.of(components).filter(it -> it.logField != null && it.isLast == isLast))
            .toArray(Component[]::new);
    kindInWords = inWords(kind.getSimpleName());
    LogField ofKind = kind.getAnnotation(LogField.class);
    reasonField = ofKind == null ? null : ofKind.value();
    try {
      constructor =
          kind.getConstructor(
              Stream.of(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new LinkageError(kind.getName(), e);
    }
  }

  private static String inWords(String kind) {
    String words = kind.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  static String kindInWords(Fault fault) {
    return OF_KINDS.get(fault.getClass()).kindInWords;
  }

  /** Passes on the log fields that a fault has, each a text or a number. */
  public static void forEachLogField(Fault fault, BiConsumer<String, Object> fields) {
    FaultComponents of = OF_KINDS.get(fault.getClass());
    if (of.reasonField != null) {
      fields.accept(of.reasonField, Objects.requireNonNull(fault.shown().reason()));
    }
    of.forEachComponent(fault, fields);
  }

  private void forEachComponent(Object from, BiConsumer<String, Object> fields) {
    for (Component component : logged) {
      Object value = component.read(from);
      String name = Objects.requireNonNull(component.logField);
      switch (value) {
        case null -> {}
        case Word word -> fields.accept(name, word.word());
        case List<?> none when none.isEmpty() -> {}
        case List<?> records when records.getFirst() instanceof Record first ->
            OF_KINDS.get(first.getClass()).forEachComponent(first, fields);
        case List<?> texts ->
            fields.accept(name, texts.stream().map(Object::toString).collect(joining(" ")));
        default -> fields.accept(name, value);
      }
    }
  }

  /** The fault with the values that callers chose rewritten; the same one if none changes. */
  public static Fault rewrite(Fault fault, Rewrite rewrite) {
    return (Fault) rewritten(fault, rewrite);
  }

  private static Object rewritten(Object whole, Rewrite rewrite) {
    FaultComponents of = OF_KINDS.get(whole.getClass());
    @Nullable Object[] values = null;
    for (int i = 0; i < of.components.length; i++) {
      Component component = of.components[i];
      Object before = component.isFromCaller ? component.read(whole) : null;
      if (before != null) {
        Object after = rewritten(before, component.isTaskId, rewrite);
        if (!after.equals(before)) {
          values = values == null ? of.values(whole) : values;
          values[i] = after;
        }
      }
    }
    return values == null ? whole : of.create(values);
  }

  private static Object rewritten(Object value, boolean isTaskId, Rewrite rewrite) {
    return switch (value) {
      case String text -> isTaskId ? rewrite.taskId(text) : rewrite.text(text);
      case JsonValue json -> rewrite.json(json);
      case List<?> list -> {
        List<Object> all = list.stream().map(it -> rewritten(it, isTaskId, rewrite)).toList();
        yield all.equals(list) ? list : all;
      }
      default -> rewritten(value, rewrite);
    };
  }

  private @Nullable Object[] values(Object whole) {
    return Stream.of(components).map(component -> component.read(whole)).toArray();
  }

  private Object create(@Nullable Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(constructor.toString(), e);
    }
  }
}
