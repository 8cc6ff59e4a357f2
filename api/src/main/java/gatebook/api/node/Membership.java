package gatebook.api.node;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.OwnerAddress;
import gatebook.api.node.sharing.RemoteJournal;
import gatebook.api.node.sharing.SharedJournal;
import gatebook.api.node.sharing.SharedKeys;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.anchor.OwnAnchorRecords;
import gatebook.events.keys.ContentKeys;
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
 * The membership of a process in one data directory: it owns the journal, or records through the
 * process that does. When the owner ends, the first of the other processes to notice takes over.
 */
final class Membership implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final long TRY_EVERY_MILLIS = 100;

  /** An owner that starts at the same time publishes its address only after recording its rules. */
  private static final long START_MILLIS_MAX = 20_000;

  private final Path data;
  private final Optional<Path> rules;
  private final Executor mayBlock;
  private final SharedJournal sharedJournal = new SharedJournal();
  private final SharedKeys sharedKeys = new SharedKeys();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile JournalLocation location = new JournalLocation.Unknown("not looked up yet");
  private @Nullable OwnerServices ownerServices;
  private volatile boolean closed;

  /** Where the journal is, as far as this process knows. */
  private sealed interface JournalLocation {
    record Local(DataDirectory directory, NodeJournal journal) implements JournalLocation {}

    record Remote(RemoteJournal journal) implements JournalLocation {}

    record Unknown(String why) implements JournalLocation {}

    /** A retry cannot succeed. */
    record Refused(String sentence) implements JournalLocation {}
  }

  /** What the owner serves to members, once its gateway is open. */
  private record OwnerServices(
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits) {}

  /** The result of joining. */
  sealed interface Joining {
    record Joined(Membership membership) implements Joining {}

    record Refused(String sentence) implements Joining {}
  }

  private Membership(Path data, Optional<Path> rules, Executor mayBlock) {
    this.data = data;
    this.rules = rules;
    this.mayBlock = mayBlock;
  }

  /** Joins a data directory; returns when the location of the journal is known. */
  static Joining join(Path data, Optional<Path> rules, Executor mayBlock) {
    Membership membership = new Membership(data, rules, mayBlock);
    return switch (membership.locateFirst()) {
      case JournalLocation.Local _, JournalLocation.Remote _ -> {
        Thread.ofPlatform().daemon().name("membership").start(membership::followOwner);
        yield new Joining.Joined(membership);
      }
      case JournalLocation.Unknown(var why) -> new Joining.Refused(why);
      case JournalLocation.Refused(var sentence) -> new Joining.Refused(sentence);
    };
  }

  /** The journal, in this process or another. */
  SharedJournal journal() {
    return sharedJournal;
  }

  /** The content keys, of this process or another. */
  ContentKeys contentKeys() {
    return sharedKeys;
  }

  /** Whether this process owns the journal. */
  boolean isOwner() {
    return location instanceof JournalLocation.Local;
  }

  /** Lets other processes record here, now or as soon as this process is the owner. */
  void share(
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits) {
    lock.lock();
    try {
      ownerServices = new OwnerServices(operatorServices, orphanHandler, limits);
      if (location instanceof JournalLocation.Local local) {
        open(local, ownerServices);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Answers an operator's message here or at the owner; empty also while there is no owner. */
  Optional<byte[]> answerOperator(OperatorServices operatorServices, String token, byte[] message) {
    return switch (location) {
      case JournalLocation.Local(_, var journal) ->
          journal.answerOperator(operatorServices, token, message);
      case JournalLocation.Remote(var remoteJournal) ->
          remoteJournal.answerOperator(token, message);
      case JournalLocation.Unknown _, JournalLocation.Refused _ -> Optional.empty();
    };
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      switchTo(null, null);
      close(location);
    } finally {
      lock.unlock();
    }
  }

  private static void close(JournalLocation location) {
    switch (location) {
      case JournalLocation.Local(var directory, var journal) -> {
        try {
          journal.close();
        } finally {
          directory.close();
        }
      }
      case JournalLocation.Remote(var remoteJournal) -> remoteJournal.close();
      case JournalLocation.Unknown _, JournalLocation.Refused _ -> {}
    }
  }

  private JournalLocation locateFirst() {
    long from = System.nanoTime();
    lock.lock();
    try {
      enter(locate());
      try (SlowOperation _ =
          SlowOperation.start(
              "waiting for the process that has the data directory", "data", data)) {
        while (location instanceof JournalLocation.Unknown
            && millisSince(from) < START_MILLIS_MAX) {
          pause();
          enter(locate());
        }
      }
      return location;
    } finally {
      lock.unlock();
    }
  }

  /** Until this process is the owner: looks for a new owner whenever the connection is lost. */
  private void followOwner() {
    lock.lock();
    try {
      while (!closed && !(location instanceof JournalLocation.Local)) {
        if (location instanceof JournalLocation.Remote(var remoteJournal)
            && !remoteJournal.disconnected().isDone()) {
          pause();
        } else {
          relocate();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void relocate() {
    if (location instanceof JournalLocation.Remote) {
      LOG.warn("the process that owned the journal is gone: calls fail until another takes over");
      switchTo(null, null);
      location = new JournalLocation.Unknown("the process that owned the journal is gone");
      SlowOperation _ =
          SlowOperation.until(
              this::isLocated, () -> "waiting for a process to take over the journal");
    }
    JournalLocation found = locate();
    if (found instanceof JournalLocation.Local || found instanceof JournalLocation.Remote) {
      enter(found);
    } else {
      logRefusal(found);
      location = found;
      pause();
    }
  }

  private boolean isLocated() {
    return closed
        || location instanceof JournalLocation.Local
        || location instanceof JournalLocation.Remote;
  }

  /** Logs a refusal once, however often it recurs. */
  private void logRefusal(JournalLocation found) {
    if (found instanceof JournalLocation.Refused(var sentence) && !found.equals(location)) {
      LOG.atError().addKeyValue("reason", sentence).log("the journal cannot be taken over");
    }
  }

  private void enter(JournalLocation found) {
    location = found;
    switch (found) {
      case JournalLocation.Local local -> {
        switchTo(local.journal.access(), local.journal.contentKeys());
        LOG.info("this process owns the journal");
        if (ownerServices != null) {
          open(local, ownerServices);
        }
      }
      case JournalLocation.Remote(var remoteJournal) -> {
        switchTo(remoteJournal, remoteJournal.contentKeys());
        LOG.info("another process owns the journal: this one records through it");
      }
      case JournalLocation.Unknown _, JournalLocation.Refused _ -> {}
    }
  }

  private void switchTo(@Nullable JournalAccess journalAccess, @Nullable ContentKeys contentKeys) {
    sharedKeys.switchTo(contentKeys);
    sharedJournal.switchTo(journalAccess);
  }

  private static void open(JournalLocation.Local local, OwnerServices services) {
    local.journal.share(
        local.directory, services.operatorServices, services.orphanHandler, services.limits);
    local.journal.closeOrphans(services.orphanHandler);
    local.journal.startMaintenance(services.operatorServices, new OwnAnchorRecords());
  }

  private JournalLocation locate() {
    return switch (DataDirectory.open(data)) {
      case DataDirectory.Opening.Opened(var directory) -> openJournal(directory);
      case DataDirectory.Opening.Refused(var sentence) -> new JournalLocation.Refused(sentence);
      case DataDirectory.Opening.Held(_, var address, _, var sentence) ->
          address.flatMap(this::connect).orElseGet(() -> new JournalLocation.Unknown(sentence));
    };
  }

  private Optional<JournalLocation> connect(OwnerAddress owner) {
    return RemoteJournal.connect(owner, mayBlock).map(JournalLocation.Remote::new);
  }

  private JournalLocation openJournal(DataDirectory directory) {
    return switch (JournalWiring.open(rules, Optional.empty(), directory)) {
      case NodeJournal.Opening.Opened(var journal) -> new JournalLocation.Local(directory, journal);
      case NodeJournal.Opening.Refused(var sentence) -> {
        directory.close();
        yield new JournalLocation.Refused(sentence);
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
