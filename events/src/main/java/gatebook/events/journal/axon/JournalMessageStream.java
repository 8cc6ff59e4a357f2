package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import java.util.ArrayDeque;
import java.util.Optional;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.StreamingCondition;

/**
 * A message stream of the journal from a position on, without end: from memory where the reader
 * keeps up, from the storage where it is behind. It is notified of new events and never polls.
 */
final class JournalMessageStream implements MessageStream<EventMessage> {
  private static final int PAGE = 1_000;

  private final Journal journal;
  private final PageMessages messages;
  private final ArrayDeque<MessageStream.Entry<EventMessage>> ready = new ArrayDeque<>();
  private final Runnable stopFollowing;
  private volatile Runnable callback = JournalMessageStream::noCallback;
  private volatile boolean closed;
  private long after;

  JournalMessageStream(Journal journal, long after, PageMessages messages) {
    this.journal = journal;
    this.after = after;
    this.messages = messages;
    this.stopFollowing = journal.follow(() -> callback.run());
  }

  static long after(StreamingCondition condition) {
    return Math.max(0, condition.position().position().orElse(0));
  }

  private static void noCallback() {
    // a reader without a callback polls
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
        return; // rows before the head are missing: the start check has reported it
      }
      after = page.getLast().position();
      ready.addAll(messages.of(page));
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
    stopFollowing.run();
  }
}
