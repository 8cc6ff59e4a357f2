package gatebook.api.node;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.OwnerAddress;
import gatebook.api.node.sharing.RemoteJournal;
import gatebook.api.node.sharing.SharedJournal;
import gatebook.api.operator.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.journal.SlowOperation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's place among those of one data directory: it keeps the journal, or records in that of
 * the process that does. When that ends, whoever is first takes its place.
 */
final class Membership implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final long TRY_EVERY_MILLIS = 100;

  /** An owner that starts beside us says where it is met only when its rules are recorded. */
  private static final long START_MILLIS_MAX = 20_000;

  private final Path data;
  private final Optional<Path> rules;
  private final Executor mayBlock;
  private final SharedJournal book = new SharedJournal();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Place place = new Place.Nowhere("nobody was asked yet");
  private @Nullable Sharing sharing;
  private volatile boolean closed;

  /** Where the journal is kept, as far as this process knows. */
  private sealed interface Place {
    record Here(DataDirectory directory, NodeJournal journal) implements Place {}

    record There(RemoteJournal link) implements Place {}

    record Nowhere(String why) implements Place {}

    /** There is no use in trying again. */
    record Refused(String sentence) implements Place {}
  }

  /** What members of an owner need of it, once it can decide. */
  private record Sharing(
      OperatorServices ports, OrphanHandler successor, Supplier<GatewayLimits> limits) {}

  /** What becoming one of them ends in. */
  sealed interface Joining {
    record Joined(Membership membership) implements Joining {}

    record Refused(String sentence) implements Joining {}
  }

  private Membership(Path data, Optional<Path> rules, Executor mayBlock) {
    this.data = data;
    this.rules = rules;
    this.mayBlock = mayBlock;
  }

  /** Returns when it is known where the journal is kept. */
  static Joining join(Path data, Optional<Path> rules, Executor mayBlock) {
    Membership membership = new Membership(data, rules, mayBlock);
    return switch (membership.first()) {
      case Place.Here _, Place.There _ -> {
        Thread.ofPlatform().daemon().name("membership").start(membership::stay);
        yield new Joining.Joined(membership);
      }
      case Place.Nowhere(var why) -> new Joining.Refused(why);
      case Place.Refused(var sentence) -> new Joining.Refused(sentence);
    };
  }

  /** The journal, wherever it is kept. */
  SharedJournal book() {
    return book;
  }

  /** Whether this process keeps it. */
  boolean isOwner() {
    return place instanceof Place.Here;
  }

  /** From now on others may record here, should this process be the owner. */
  void share(
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits) {
    lock.lock();
    try {
      sharing = new Sharing(operatorServices, orphanHandler, limits);
      if (place instanceof Place.Here here) {
        open(here, sharing);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What the operators' desk says, wherever it stands; empty also while it stands nowhere. */
  Optional<byte[]> answer(OperatorServices operatorServices, String token, byte[] message) {
    return switch (place) {
      case Place.Here(_, var journal) -> journal.answer(operatorServices, token, message);
      case Place.There(var remoteJournal) -> remoteJournal.ask(token, message);
      case Place.Nowhere _, Place.Refused _ -> Optional.empty();
    };
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      book.keptBy(null);
      leave(place);
    } finally {
      lock.unlock();
    }
  }

  private static void leave(Place left) {
    switch (left) {
      case Place.Here(var directory, var journal) -> {
        try {
          journal.close();
        } finally {
          directory.close();
        }
      }
      case Place.There(var remoteJournal) -> remoteJournal.close();
      case Place.Nowhere _, Place.Refused _ -> {}
    }
  }

  private Place first() {
    long from = System.nanoTime();
    lock.lock();
    try {
      take(found());
      try (SlowOperation _ =
          SlowOperation.on("waiting for the process that has the data directory", "data", data)) {
        while (place instanceof Place.Nowhere && millisSince(from) < START_MILLIS_MAX) {
          pause();
          take(found());
        }
      }
      return place;
    } finally {
      lock.unlock();
    }
  }

  /** Looks for another place whenever the one it had is gone. */
  private void stay() {
    lock.lock();
    try {
      while (!closed && !(place instanceof Place.Here)) {
        if (place instanceof Place.There(var remoteJournal) && !remoteJournal.lost().isDone()) {
          pause();
        } else {
          move();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void move() {
    if (place instanceof Place.There) {
      LOG.warn("the process that kept the journal is gone: nothing is recorded until one keeps it");
      book.keptBy(null);
      place = new Place.Nowhere("the process that kept the journal is gone");
      SlowOperation _ =
          SlowOperation.until(
              this::isSomewhere, () -> "waiting for a process that keeps the journal: none does");
    }
    Place found = found();
    if (found instanceof Place.Here || found instanceof Place.There) {
      take(found);
    } else {
      tell(found);
      place = found;
      pause();
    }
  }

  private boolean isSomewhere() {
    return closed || place instanceof Place.Here || place instanceof Place.There;
  }

  /** Once, however often it is found. */
  private void tell(Place found) {
    if (found instanceof Place.Refused && !found.equals(place)) {
      LOG.atError().addKeyValue("reason", found).log("the journal cannot be taken over");
    }
  }

  private void take(Place found) {
    place = found;
    switch (found) {
      case Place.Here here -> {
        book.keptBy(here.journal.book());
        LOG.info("this process keeps the journal");
        if (sharing != null) {
          open(here, sharing);
        }
      }
      case Place.There(var remoteJournal) -> {
        book.keptBy(remoteJournal);
        LOG.info("another process keeps the journal, and records what happens here");
      }
      case Place.Nowhere _, Place.Refused _ -> {}
    }
  }

  private static void open(Place.Here here, Sharing with) {
    here.journal.share(here.directory, with.ports, with.successor, with.limits);
    here.journal.closeWhatWasLeft(with.successor);
  }

  private Place found() {
    return switch (DataDirectory.open(data)) {
      case DataDirectory.Opening.Opened(var directory) -> opened(directory);
      case DataDirectory.Opening.Refused(var sentence) -> new Place.Refused(sentence);
      case DataDirectory.Opening.Held(_, var rendezvous, var sentence) ->
          rendezvous.flatMap(this::met).orElseGet(() -> new Place.Nowhere(sentence));
    };
  }

  private Optional<Place> met(OwnerAddress owner) {
    return RemoteJournal.to(owner, mayBlock).map(Place.There::new);
  }

  private Place opened(DataDirectory directory) {
    return switch (JournalWiring.open(rules, Optional.empty(), directory)) {
      case NodeJournal.Opening.Opened(var journal) -> new Place.Here(directory, journal);
      case NodeJournal.Opening.Refused(var sentence) -> {
        directory.close();
        yield new Place.Refused(sentence);
      }
    };
  }

  private void pause() {
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(TRY_EVERY_MILLIS);
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
