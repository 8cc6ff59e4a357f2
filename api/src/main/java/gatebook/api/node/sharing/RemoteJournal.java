package gatebook.api.node.sharing;

import gatebook.api.data.OwnerAddress;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentKeys;
import java.io.IOException;
import java.time.InstantSource;
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
 * The owner's journal, accessed by a member over a connection. It fails for good when the owner
 * ends, or stops answering; an append under way at that moment may or may not be recorded.
 */
public final class RemoteJournal implements JournalAccess, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteJournal.class);
  private static final long RESPONSE_MILLIS_MAX = 10_000;

  /** Operators may request what takes long, such as a verification. */
  private static final long OPERATOR_CALL_MILLIS_MAX = 600_000;

  /** How often the owner is probed while it works on an operator's call. */
  private static final long PROBE_MILLIS = 1_000;

  private static final String GONE = "the process that owns the journal is gone";

  private final OwnerConnection ownerConnection;
  private final Executor continuations;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<OwnerResponse>> pending = new ConcurrentHashMap<>();
  private final CompletableFuture<@Nullable Void> disconnected = new CompletableFuture<>();

  private RemoteJournal(OwnerConnection ownerConnection, Executor continuations) {
    this.ownerConnection = ownerConnection;
    this.continuations = continuations;
  }

  /**
   * Connects to the owner; empty when no process listens there, or it is not the owner of that
   * address.
   *
   * @param continuations runs what depends on a response; may block
   */
  public static Optional<RemoteJournal> connect(OwnerAddress address, Executor continuations) {
    return OwnerConnection.open(address, MemberProcess.thisProcess())
        .map(ownerConnection -> reading(ownerConnection, continuations));
  }

  /** Connects as a member that records nothing. */
  static Optional<RemoteJournal> connectForQueries(OwnerAddress address) {
    return OwnerConnection.open(address, MemberProcess.queryOnly())
        .map(ownerConnection -> reading(ownerConnection, Runnable::run));
  }

  private static RemoteJournal reading(OwnerConnection ownerConnection, Executor continuations) {
    RemoteJournal remoteJournal = new RemoteJournal(ownerConnection, continuations);
    Thread.ofPlatform().daemon().name("owner-connection").start(remoteJournal::readResponses);
    return remoteJournal;
  }

  /** Completes when the connection is lost or closed. */
  public CompletableFuture<@Nullable Void> disconnected() {
    return disconnected;
  }

  @Override
  public long head() {
    if (sendAndWait(new OwnerRequest.Head(), RESPONSE_MILLIS_MAX)
        instanceof OwnerResponse.HeadPosition(long position)) {
      return position;
    }
    throw unreachable();
  }

  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    OwnerRequest find = new OwnerRequest.Find(criteria, after, upTo, limit);
    if (sendAndWait(find, RESPONSE_MILLIS_MAX) instanceof OwnerResponse.Found(var entries)) {
      return entries;
    }
    throw unreachable();
  }

  @Override
  public CompletableFuture<Append> append(
      ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    return send(new OwnerRequest.Write(conflictCondition, drafts), RESPONSE_MILLIS_MAX)
        .handleAsync((ownerResponse, _) -> append(ownerResponse, conflictCondition), continuations);
  }

  private static Append append(
      @Nullable OwnerResponse ownerResponse, ConflictCondition conflictCondition) {
    if (ownerResponse instanceof OwnerResponse.Conflicted) {
      return new Append.Conflict(conflictCondition);
    }
    return ownerResponse instanceof OwnerResponse.Appended(var append)
        ? append
        : new Append.InDoubt(GONE);
  }

  /**
   * Sends an operator's message; returns the response, empty when it needs none. May block, but not
   * for an owner that answers nothing else either.
   */
  public Optional<byte[]> answerOperator(String token, byte[] message) {
    CompletableFuture<OwnerResponse> answer =
        send(new OwnerRequest.OperatorCall(token, message), OPERATOR_CALL_MILLIS_MAX);
    while (!isDoneWithin(answer, PROBE_MILLIS)) {
      long _ = head(); // fails when the owner hangs, and ends the connection
    }
    if (result(answer) instanceof OwnerResponse.RpcAnswer(var json)) {
      return Optional.ofNullable(json);
    }
    throw unreachable();
  }

  /** The content keys of the owner. */
  public ContentKeys contentKeys() {
    return new RemoteKeys(this, InstantSource.system());
  }

  /** Sends a request and waits for its response. */
  OwnerResponse ask(OwnerRequest ownerRequest) {
    return sendAndWait(ownerRequest, RESPONSE_MILLIS_MAX);
  }

  private static boolean isDoneWithin(CompletableFuture<?> future, long millis) {
    CompletableFuture<Boolean> done = future.handle((_, _) -> true);
    return done.completeOnTimeout(false, millis, TimeUnit.MILLISECONDS).join();
  }

  private OwnerResponse sendAndWait(OwnerRequest ownerRequest, long millisMax) {
    return result(send(ownerRequest, millisMax));
  }

  private static OwnerResponse result(CompletableFuture<OwnerResponse> response) {
    try {
      return response.join();
    } catch (CompletionException _) {
      throw unreachable();
    }
  }

  private static JournalUnreachable unreachable() {
    return new JournalUnreachable(GONE);
  }

  /** An owner that does not answer in time counts as gone: no later request waits for it. */
  private CompletableFuture<OwnerResponse> send(OwnerRequest ownerRequest, long millisMax) {
    long number = numbers.incrementAndGet();
    CompletableFuture<OwnerResponse> answer = new CompletableFuture<>();
    pending.put(number, answer);
    try {
      ownerConnection.send(WireFormat.request(number, ownerRequest));
    } catch (IOException e) {
      end(e);
    }
    if (disconnected.isDone()) {
      answer.completeExceptionally(new JournalUnreachable(GONE));
    }
    return answer
        .orTimeout(millisMax, TimeUnit.MILLISECONDS)
        .whenComplete((_, failure) -> {
          pending.remove(number);
          if (failure != null) {
            end(failure);
          }
        });
  }

  private void readResponses() {
    try {
      while (true) {
        WireFormat.Numbered<OwnerResponse> response =
            WireFormat.response(ownerConnection.receive());
        CompletableFuture<OwnerResponse> answer = pending.get(response.number());
        if (answer != null) {
          answer.complete(response.message());
        }
      }
    } catch (IOException | RuntimeException e) {
      end(e);
    }
  }

  private void end(Throwable cause) {
    LOG.atDebug()
        .setCause(cause)
        .log("the connection to the process that owns the journal was closed");
    ownerConnection.close();
    if (disconnected.complete(null)) {
      pending.values().forEach(it -> it.completeExceptionally(new JournalUnreachable(GONE)));
    }
  }

  @Override
  public void close() {
    end(new JournalUnreachable("this process ends"));
  }
}
