package gatebook.query.projection;

import gatebook.events.journal.axon.EventPage;
import java.sql.SQLException;
import java.util.Set;
import org.axonframework.messaging.core.Message;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventHandler;
import org.axonframework.messaging.eventhandling.EventHandlerRegistry;
import org.axonframework.messaging.eventhandling.EventHandlingComponent;
import org.axonframework.messaging.eventhandling.EventMessage;

/**
 * Passes every page to the projection, including a page without any event that the projection uses.
 * Axon stores the token at once only with handled events, and readers wait for that position.
 */
final class PageHandler implements EventHandlingComponent {
  private static final Object IN_ORDER = new Object();

  private final PageTransaction pageTransaction;

  PageHandler(PageTransaction pageTransaction) {
    this.pageTransaction = pageTransaction;
  }

  @Override
  public MessageStream.Empty<Message> handle(EventMessage event, ProcessingContext context) {
    try {
      if (event.payload() instanceof EventPage eventPage) {
        pageTransaction.project(eventPage, context);
      }
      return MessageStream.empty();
    } catch (SQLException e) {
      return MessageStream.failed(new ViewFailed(e)).ignoreEntries().cast();
    } catch (RuntimeException e) {
      return MessageStream.failed(e).ignoreEntries().cast();
    }
  }

  @Override
  public boolean supports(QualifiedName event) {
    return true;
  }

  @Override
  public Set<QualifiedName> supportedEvents() {
    return Set.of();
  }

  @Override
  public Object sequenceIdentifierFor(EventMessage event, ProcessingContext context) {
    return IN_ORDER;
  }

  @Override
  public EventHandlerRegistry subscribe(QualifiedName name, EventHandler handler) {
    throw new UnsupportedOperationException("a projection is its own and only handler");
  }
}
