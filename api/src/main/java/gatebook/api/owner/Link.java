package gatebook.api.owner;

import gatebook.api.data.Rendezvous;
import gatebook.events.journal.Append;
import gatebook.events.journal.Book;
import gatebook.events.journal.BookOutOfReach;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Draft;
import gatebook.events.journal.Entry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner's journal, as one of its members has it. It ends for good when the owner does, or stops
 * answering; what was to be recorded at that moment may or may not be.
 */
public final class Link implements Book, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Link.class);
  private static final long ANSWER_MILLIS_MAX = 10_000;

  /** Operators may ask for what takes its time, such as a verification. */
  private static final long QUESTION_MILLIS_MAX = 600_000;

  private static final String GONE = "the process that keeps the journal is gone";

  private final Connection connection;
  private final Executor continuations;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Told>> waiting = new ConcurrentHashMap<>();
  private final CompletableFuture<@Nullable Void> lost = new CompletableFuture<>();

  private Link(Connection connection, Executor continuations) {
    this.connection = connection;
    this.continuations = continuations;
  }

  /**
   * Meets the owner; empty when there is none there, or it is not the one that is meant.
   *
   * @param continuations where those who wait for an answer go on; they may block there
   */
  public static Optional<Link> to(Rendezvous place, Executor continuations) {
    return Connection.to(place, Member.thisProcess())
        .map(connection -> listening(connection, continuations));
  }

  /** The same for who only asks questions. */
  static Optional<Link> forQuestions(Rendezvous place) {
    return Connection.to(place, Member.whoOnlyAsks())
        .map(connection -> listening(connection, Runnable::run));
  }

  private static Link listening(Connection connection, Executor continuations) {
    Link link = new Link(connection, continuations);
    Thread.ofPlatform().daemon().name("owner-link").start(link::listen);
    return link;
  }

  /** Completes when it has ended. */
  public CompletableFuture<@Nullable Void> lost() {
    return lost;
  }

  @Override
  public long head() {
    if (ask(new Asked.Head(), ANSWER_MILLIS_MAX) instanceof Told.HeadIs(long position)) {
      return position;
    }
    throw outOfReach();
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    Asked find = new Asked.Find(criteria, after, upTo, limit);
    if (ask(find, ANSWER_MILLIS_MAX) instanceof Told.Found(var entries)) {
      return entries;
    }
    throw outOfReach();
  }

  @Override
  public CompletableFuture<Append> append(Condition condition, List<Draft> drafts) {
    return send(new Asked.Write(condition, drafts), ANSWER_MILLIS_MAX)
        .handleAsync((told, _) -> append(told, condition), continuations);
  }

  private static Append append(@Nullable Told told, Condition condition) {
    if (told instanceof Told.Contradicted) {
      return new Append.Conflict(condition);
    }
    return told instanceof Told.Wrote(var append) ? append : new Append.InDoubt(GONE);
  }

  /** What the operators' desk there says; none where it wants no answer. May block. */
  public Optional<byte[]> ask(String token, byte[] message) {
    Asked question = new Asked.Question(token, message);
    if (ask(question, QUESTION_MILLIS_MAX) instanceof Told.Said(var answer)) {
      return Optional.ofNullable(answer);
    }
    throw outOfReach();
  }

  private Told ask(Asked asked, long millisMax) {
    try {
      return send(asked, millisMax).join();
    } catch (CompletionException _) {
      throw outOfReach();
    }
  }

  private static BookOutOfReach outOfReach() {
    return new BookOutOfReach(GONE);
  }

  /** Who does not answer in time is taken for gone: nobody is to wait for it again. */
  private CompletableFuture<Told> send(Asked asked, long millisMax) {
    long number = numbers.incrementAndGet();
    CompletableFuture<Told> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    try {
      connection.send(Wire.asked(number, asked));
    } catch (IOException e) {
      end(e);
    }
    if (lost.isDone()) {
      answer.completeExceptionally(new BookOutOfReach(GONE));
    }
    return answer
        .orTimeout(millisMax, TimeUnit.MILLISECONDS)
        .whenComplete((_, failure) -> {
          waiting.remove(number);
          if (failure != null) {
            end(failure);
          }
        });
  }

  private void listen() {
    try {
      while (true) {
        Wire.Numbered<Told> told = Wire.told(connection.receive());
        CompletableFuture<Told> answer = waiting.get(told.number());
        if (answer != null) {
          answer.complete(told.message());
        }
      }
    } catch (IOException | RuntimeException e) {
      end(e);
    }
  }

  private void end(Throwable why) {
    LOG.atDebug().setCause(why).log("the link to the process that keeps the journal has ended");
    connection.close();
    if (lost.complete(null)) {
      waiting.values().forEach(it -> it.completeExceptionally(new BookOutOfReach(GONE)));
    }
  }

  @Override
  public void close() {
    end(new BookOutOfReach("this process ends"));
  }
}
