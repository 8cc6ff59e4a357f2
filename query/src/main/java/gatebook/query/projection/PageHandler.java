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
 * Passes every page to the follower, including a page without any event that a projection uses,
 * because readers wait for its position.
 */
final class PageHandler implements EventHandlingComponent {
  private static final Object IN_ORDER = new Object();

  private final JournalFollower follower;

  PageHandler(JournalFollower follower) {
    this.follower = follower;
  }

  @Override
  public MessageStream.Empty<Message> handle(EventMessage event, ProcessingContext context) {
    try {
      return event.payload() instanceof EventPage page
          ? follower.project(page.events()).map(PageHandler::failed).orElseGet(MessageStream::empty)
          : MessageStream.empty();
    } catch (SQLException e) {
      return failed(new ViewFailed(e));
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private static MessageStream.Empty<Message> failed(Throwable error) {
    return MessageStream.failed(error).ignoreEntries().cast();
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
