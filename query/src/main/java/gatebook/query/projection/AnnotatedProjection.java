package gatebook.query.projection;

import gatebook.events.Named;
import gatebook.events.journal.Entry;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.axonframework.messaging.core.Context.ResourceKey;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.core.annotation.MultiParameterResolverFactory;
import org.axonframework.messaging.core.annotation.ParameterResolver;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.core.unitofwork.SimpleUnitOfWorkFactory;
import org.axonframework.messaging.core.unitofwork.UnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.EventHandlingComponent;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.annotation.AnnotatedEventHandlingComponent;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of a page to the annotated handler methods of a projection, and then writes the
 * rows of the page.
 *
 * <p>Axon finds the methods, selects them by the name of the event, and converts the event to the
 * type that the method takes.
 */
final class AnnotatedProjection {
  private static final ResourceKey<Entry> ENTRY = ResourceKey.withLabel("journal entry");
  private static final ResourceKey<PageRows> ROWS = ResourceKey.withLabel("rows of the page");

  private final Projection projection;
  private final EventHandlingComponent handlers;
  private final Set<String> handled;
  private final UnitOfWorkFactory unitOfWorkFactory;

  /**
   * @throws IllegalArgumentException when a handler would never be called, because it has no name
   *     of a stored event
   */
  AnnotatedProjection(Projection projection, EventReader events) {
    for (Method method : projection.getClass().getDeclaredMethods()) {
      checkNamed(method);
    }
    this.projection = projection;
    this.handlers =
        new AnnotatedEventHandlingComponent<>(
            projection,
            new MultiParameterResolverFactory(
                AnnotatedProjection::resolver,
                ClasspathParameterResolverFactory.forClass(projection.getClass())));
    this.handled =
        handlers.supportedEvents().stream()
            .map(QualifiedName::toString)
            .collect(Collectors.toUnmodifiableSet());
    this.unitOfWorkFactory =
        new SimpleUnitOfWorkFactory(new HandlerComponents(new EntryConverter(events)));
  }

  private static void checkNamed(Method method) {
    EventHandler handler = method.getAnnotation(EventHandler.class);
    if (handler != null && handler.eventName().isEmpty()) {
      throw new IllegalArgumentException(
          method + " handles no stored event: use @ProjectionHandler, or name the event");
    }
    if (method.isAnnotationPresent(ProjectionHandler.class)
        && !method.getParameterTypes()[0].isAnnotationPresent(Named.class)) {
      throw new IllegalArgumentException(
          method + " handles no stored event: its first parameter has no @Named");
    }
  }

  private static @Nullable ParameterResolver<?> resolver(
      Executable method, Parameter[] parameters, int index) {
    Class<?> type = parameters[index].getType();
    if (type == Entry.class) {
      return new ResourceResolver<>(ENTRY);
    }
    return PageRows.class.isAssignableFrom(type) ? new ResourceResolver<>(ROWS) : null;
  }

  private record ResourceResolver<T>(ResourceKey<T> key) implements ParameterResolver<T> {
    @Override
    public CompletableFuture<T> resolveParameterValue(ProcessingContext context) {
      return CompletableFuture.completedFuture(context.getResource(key));
    }

    @Override
    public boolean matches(ProcessingContext context) {
      return context.containsResource(key);
    }
  }

  /** Updates the tables with these events, which are the next ones of the journal. */
  void project(Connection view, List<Entry> page) throws SQLException {
    try (PageRows rows = projection.rows(view)) {
      unitOfWorkFactory.create().executeWithResult(context -> handle(page, rows, context)).join();
      rows.write();
    } catch (CompletionException e) {
      throw cause(e);
    }
  }

  private CompletableFuture<Void> handle(
      List<Entry> page, PageRows rows, ProcessingContext context) {
    context.putResource(ROWS, rows);
    try {
      for (Entry entry : page) {
        if (isHandled(entry) && rows.canChangeBy(entry)) {
          context.putResource(ENTRY, entry);
          handlers.handle(message(entry), context).asCompletableFuture().join();
        }
      }
      return CompletableFuture.completedFuture(null);
    } catch (SQLException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean isHandled(Entry entry) {
    if (!handled.contains(entry.name()) && projection.requiresHandler(entry)) {
      throw new IllegalStateException("no handler for " + entry.name());
    }
    return handled.contains(entry.name());
  }

  private static GenericEventMessage message(Entry entry) {
    return new GenericEventMessage(
        entry.id(),
        new MessageType(entry.name(), entry.version()),
        entry,
        Map.of(),
        Instant.parse(entry.at()));
  }

  private static SQLException cause(CompletionException e) {
    return switch (e.getCause()) {
      case SQLException failed -> failed;
      case RuntimeException failed -> throw failed;
      case Error failed -> throw failed;
      case null, default -> throw e;
    };
  }
}
