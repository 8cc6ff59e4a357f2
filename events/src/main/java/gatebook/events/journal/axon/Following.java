package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import java.util.ArrayDeque;
import java.util.Optional;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * Every matching event from a position on, without end: from memory where a follower keeps up, from
 * the database where it is behind. It is told of new events and never asks.
 */
final class Following implements MessageStream<EventMessage> {
  private static final int PAGE = 500;

  private final Journal journal;
  private final Messages messages;
  private final EventCriteria criteria;
  private final ArrayDeque<MessageStream.Entry<EventMessage>> ready = new ArrayDeque<>();
  private final Runnable unfollow;
  private volatile Runnable callback = Following::nobody;
  private volatile boolean closed;
  private long after;

  Following(Journal journal, Messages messages, EventCriteria criteria, long after) {
    this.journal = journal;
    this.messages = messages;
    this.criteria = criteria;
    this.after = after;
    this.unfollow = journal.follow(() -> callback.run());
  }

  private static void nobody() {
    // whoever reads without a callback asks again by himself
  }

  @Override
  public synchronized Optional<MessageStream.Entry<EventMessage>> next() {
    fill();
    return Optional.ofNullable(ready.poll());
  }

  @Override
  public synchronized Optional<MessageStream.Entry<EventMessage>> peek() {
    fill();
    return Optional.ofNullable(ready.peek());
  }

  @Override
  public synchronized boolean hasNextAvailable() {
    fill();
    return !ready.isEmpty();
  }

  private void fill() {
    while (ready.isEmpty() && !closed && after < journal.head()) {
      var page = journal.read(after, PAGE);
      if (page.isEmpty()) {
        return; // rows that the head promises are missing: the start check has said so
      }
      for (var entry : page) {
        after = entry.position();
        if (Messages.matches(criteria, entry)) {
          ready.add(messages.tracked(entry));
        }
      }
    }
  }

  @Override
  public void setCallback(Runnable newCallback) {
    callback = newCallback;
    if (hasNextAvailable()) {
      newCallback.run();
    }
  }

  @Override
  public Optional<Throwable> error() {
    return Optional.empty();
  }

  @Override
  public boolean isCompleted() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    unfollow.run();
  }
}
