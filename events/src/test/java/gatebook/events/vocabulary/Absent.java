package gatebook.events.vocabulary;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes records whose optional components are absent. */
final class Absent {
  private Absent() {}

  static Record without(Record full) {
    var components = full.getClass().getRecordComponents();
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = Arrays.stream(components).map(component -> value(component, full)).toArray();
    try {
      return full.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static @Nullable Object value(RecordComponent component, Record full) {
    if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
      return null;
    }
    try {
      return component.getAccessor().invoke(full);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
