package gatebook.query.projection;

import gatebook.events.Event;
import gatebook.events.EventsDropped;
import gatebook.events.Named;
import gatebook.events.journal.storage.Entry;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of a page to the annotated handler methods of a projection, and then writes the
 * rows of the page.
 *
 * <p>The methods are those of an Axon application, and are not called by Axon: its call of a method
 * costs more than most of the methods do.
 */
final class AnnotatedProjection {
  private static final MethodType HANDLER =
      MethodType.methodType(void.class, Event.class, Entry.class, PageRows.class);

  /** Every projection has to forget what was dropped. */
  private static final String DROPPED =
      Named.NAMESPACE + "." + EventsDropped.class.getAnnotation(Named.class).name();

  private final Projection projection;
  private final EventReader events;
  private final Map<String, Handler> handlers = new HashMap<>();

  /**
   * A handler of one event.
   *
   * @param method of the type {@link #HANDLER}
   * @param takesEvent whether the event has to be read for it
   */
  private record Handler(MethodHandle method, boolean takesEvent) {}

  /**
   * @throws IllegalArgumentException when a handler would never be called, because it has no name
   *     of a stored event, or when an event has two handlers
   */
  AnnotatedProjection(Projection projection, EventReader events) {
    this.projection = projection;
    this.events = events;
    for (Method method : projection.getClass().getDeclaredMethods()) {
      if (method.isAnnotationPresent(EventHandler.class)) {
        throw new IllegalArgumentException(
            method + " is called by nobody: a projection's handlers have @ProjectionHandler");
      }
      ProjectionHandler annotation = method.getAnnotation(ProjectionHandler.class);
      if (annotation != null
          && handlers.put(eventName(annotation, method), handler(method)) != null) {
        throw new IllegalArgumentException(method + " handles an event that has a handler already");
      }
    }
  }

  private static String eventName(ProjectionHandler annotation, Method method) {
    @Nullable Named named =
        Arrays.stream(method.getParameterTypes())
            .findFirst()
            .map(type -> type.getAnnotation(Named.class))
            .orElse(null);
    if (annotation.eventName().isEmpty() == (named == null)) {
      throw new IllegalArgumentException(
          method + " must either take an event with @Named first, or name the event it handles");
    }
    return named == null ? annotation.eventName() : Named.NAMESPACE + "." + named.name();
  }

  private Handler handler(Method method) {
    method.setAccessible(true);
    int[] order =
        Arrays.stream(method.getParameterTypes()).mapToInt(AnnotatedProjection::argument).toArray();
    try {
      MethodHandle bound = MethodHandles.lookup().unreflect(method).bindTo(projection);
      MethodType arguments =
          MethodType.methodType(
              void.class,
              Arrays.stream(order).mapToObj(HANDLER::parameterType).toArray(Class<?>[]::new));
      return new Handler(
          MethodHandles.permuteArguments(bound.asType(arguments), HANDLER, order),
          Arrays.stream(order).anyMatch(at -> at == 0));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("made accessible just before", e);
    }
  }

  /** The number of the argument that a parameter of this type gets. */
  private static int argument(Class<?> type) {
    if (type == Entry.class) {
      return 1;
    }
    return PageRows.class.isAssignableFrom(type) ? 2 : 0;
  }

  GroupTag groupTag() {
    return projection.groupTag();
  }

  /** The names of the events whose content a handler needs. */
  Set<String> readNames() {
    return Stream.concat(
            Stream.of(DROPPED),
            handlers.entrySet().stream()
                .filter(handler -> handler.getValue().takesEvent)
                .map(Map.Entry::getKey))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Updates the tables with these events, which are the next ones of the journal. */
  void project(Connection view, List<Entry> page) throws SQLException {
    try (PageRows rows = projection.rows(view)) {
      for (Entry entry : page) {
        Handler handler = handlers.get(entry.name());
        if (handler != null && rows.canChangeBy(entry)) {
          call(handler, entry, rows);
        } else if (handler == null && projection.requiresHandler(entry)) {
          throw new IllegalStateException("no handler for " + entry.name());
        }
      }
      rows.write();
    }
    for (Entry entry : page) {
      if (isDrop(entry)) {
        drop(view, new DroppedEvents((EventsDropped) events.read(entry), entry.position()));
      }
    }
  }

  /** Whether an entry says that events were dropped. */
  static boolean isDrop(Entry entry) {
    return entry.name().equals(DROPPED);
  }

  private void drop(Connection view, DroppedEvents dropped) throws SQLException {
    projection.drop(view, dropped);
    dropped.delete(view, EventParking.TABLE);
  }

  @SuppressWarnings("NullAway") // a handler that does not take the event ignores it
  private void call(Handler handler, Entry entry, PageRows rows) throws SQLException {
    @Nullable Event event = handler.takesEvent ? events.read(entry) : null;
    try {
      handler.method.invokeExact(event, entry, rows);
    } catch (SQLException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a handler declares no other exception", e);
    }
  }
}
