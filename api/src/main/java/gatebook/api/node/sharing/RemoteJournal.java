package gatebook.api.node.sharing;

import gatebook.api.data.OwnerAddress;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
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
public final class RemoteJournal implements JournalAccess, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteJournal.class);
  private static final long ANSWER_MILLIS_MAX = 10_000;

  /** Operators may ask for what takes its time, such as a verification. */
  private static final long QUESTION_MILLIS_MAX = 600_000;

  private static final String GONE = "the process that keeps the journal is gone";

  private final OwnerConnection ownerConnection;
  private final Executor continuations;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<OwnerResponse>> waiting = new ConcurrentHashMap<>();
  private final CompletableFuture<@Nullable Void> lost = new CompletableFuture<>();

  private RemoteJournal(OwnerConnection ownerConnection, Executor continuations) {
    this.ownerConnection = ownerConnection;
    this.continuations = continuations;
  }

  /**
   * Meets the owner; empty when there is none there, or it is not the one that is meant.
   *
   * @param continuations where those who wait for an answer go on; they may block there
   */
  public static Optional<RemoteJournal> to(OwnerAddress place, Executor continuations) {
    return OwnerConnection.to(place, MemberProcess.thisProcess())
        .map(ownerConnection -> listening(ownerConnection, continuations));
  }

  /** The same for who only asks questions. */
  static Optional<RemoteJournal> forQuestions(OwnerAddress place) {
    return OwnerConnection.to(place, MemberProcess.whoOnlyAsks())
        .map(ownerConnection -> listening(ownerConnection, Runnable::run));
  }

  private static RemoteJournal listening(OwnerConnection ownerConnection, Executor continuations) {
    RemoteJournal remoteJournal = new RemoteJournal(ownerConnection, continuations);
    Thread.ofPlatform().daemon().name("owner-link").start(remoteJournal::listen);
    return remoteJournal;
  }

  /** Completes when it has ended. */
  public CompletableFuture<@Nullable Void> lost() {
    return lost;
  }

  @Override
  public long head() {
    if (ask(new OwnerRequest.Head(), ANSWER_MILLIS_MAX)
        instanceof OwnerResponse.HeadIs(long position)) {
      return position;
    }
    throw outOfReach();
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    OwnerRequest find = new OwnerRequest.Find(criteria, after, upTo, limit);
    if (ask(find, ANSWER_MILLIS_MAX) instanceof OwnerResponse.Found(var entries)) {
      return entries;
    }
    throw outOfReach();
  }

  @Override
  public CompletableFuture<Append> append(
      ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    return send(new OwnerRequest.Write(conflictCondition, drafts), ANSWER_MILLIS_MAX)
        .handleAsync((ownerResponse, _) -> append(ownerResponse, conflictCondition), continuations);
  }

  private static Append append(
      @Nullable OwnerResponse ownerResponse, ConflictCondition conflictCondition) {
    if (ownerResponse instanceof OwnerResponse.Contradicted) {
      return new Append.Conflict(conflictCondition);
    }
    return ownerResponse instanceof OwnerResponse.Wrote(var append)
        ? append
        : new Append.InDoubt(GONE);
  }

  /** What the operators' desk there says; none where it wants no answer. May block. */
  public Optional<byte[]> ask(String token, byte[] message) {
    OwnerRequest question = new OwnerRequest.Question(token, message);
    if (ask(question, QUESTION_MILLIS_MAX) instanceof OwnerResponse.Said(var answer)) {
      return Optional.ofNullable(answer);
    }
    throw outOfReach();
  }

  private OwnerResponse ask(OwnerRequest ownerRequest, long millisMax) {
    try {
      return send(ownerRequest, millisMax).join();
    } catch (CompletionException _) {
      throw outOfReach();
    }
  }

  private static JournalUnreachable outOfReach() {
    return new JournalUnreachable(GONE);
  }

  /** Who does not answer in time is taken for gone: nobody is to wait for it again. */
  private CompletableFuture<OwnerResponse> send(OwnerRequest ownerRequest, long millisMax) {
    long number = numbers.incrementAndGet();
    CompletableFuture<OwnerResponse> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    try {
      ownerConnection.send(WireFormat.asked(number, ownerRequest));
    } catch (IOException e) {
      end(e);
    }
    if (lost.isDone()) {
      answer.completeExceptionally(new JournalUnreachable(GONE));
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
        WireFormat.Numbered<OwnerResponse> told = WireFormat.told(ownerConnection.receive());
        CompletableFuture<OwnerResponse> answer = waiting.get(told.number());
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
    ownerConnection.close();
    if (lost.complete(null)) {
      waiting.values().forEach(it -> it.completeExceptionally(new JournalUnreachable(GONE)));
    }
  }

  @Override
  public void close() {
    end(new JournalUnreachable("this process ends"));
  }
}
