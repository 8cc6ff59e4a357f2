package gatebook.events.keys.store;

import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store with an index of all keys in memory. Keys that several callers need at the same time are
 * made durable together: while one caller writes, the others wait, and one of them writes for all.
 */
abstract class IndexedKeyStore implements ContentKeyStore {

  /** How many keys are ready for use; deriving from the index costs a few microseconds. */
  private static final int READY_MAX = 4096;

  private final WrappingKeySource source;
  private final KeyDisk disk;
  private final InstantSource clock;

  /** Held by the one thread that writes; taken before {@link #lock}. */
  private final Object writing = new Object();

  private final Object lock = new Object();
  private final Map<ContentOwner, Request> requests = new LinkedHashMap<>();
  private final Map<ContentOwner, ContentKey> readyByOwner = new ConcurrentHashMap<>();
  private final Map<String, ContentKey> readyById = new ConcurrentHashMap<>();
  private final UsedOwners usedOwners = new UsedOwners();
  private StoreContent content;

  /** A key that was made and is not durable yet. */
  private record Request(PlainKey made, CompletableFuture<ContentKey> durable) {}

  /** A change of what is stored; it may fail. */
  @FunctionalInterface
  interface Change<T> {
    T make(StoreContent content) throws IOException, SQLException;
  }

  /** Says what is stored instead. */
  @FunctionalInterface
  interface Rewrite {
    StoreContent apply(StoreContent content, WrappingKey before, WrappingKey next);
  }

  IndexedKeyStore(
      StoreContent content, WrappingKeySource source, KeyDisk disk, InstantSource clock) {
    this.content = content;
    this.source = source;
    this.disk = disk;
    this.clock = clock;
  }

  /**
   * Makes new keys durable.
   *
   * @return the current keys of these owners, which another node may have made before
   */
  abstract List<PlainKey> store(StoreContent content, List<PlainKey> made)
      throws IOException, SQLException;

  /** Stores a note beside the keys, and returns what is stored then. */
  abstract StoreContent noted(StoreContent content, StoreRecord note)
      throws IOException, SQLException;

  /**
   * Writes the whole store anew under a new key of its own, and returns what is stored then.
   *
   * @param underNewWrappingKey whether the wrapping key is replaced also where all nodes have to
   *     learn the new one
   */
  abstract StoreContent rewritten(
      StoreContent content, Rewrite rewrite, boolean underNewWrappingKey)
      throws IOException, SQLException;

  /** Looks for a key that is not in the index. */
  abstract Optional<PlainKey> findStored(StoreContent content, long id)
      throws IOException, SQLException;

  /** What is stored now, with all that others changed. */
  abstract StoreContent fresh() throws IOException, SQLException;

  /** Takes in what others changed since; does nothing when no others can change the store. */
  abstract void refresh();

  /** Whether {@link #refresh} has nothing to do now. */
  abstract boolean isFresh();

  @Override
  public final boolean isReady(ContentOwner owner) {
    if (!isFresh()) {
      return false;
    }
    if (readyByOwner.containsKey(owner)) {
      return true;
    }
    synchronized (lock) {
      return hasKey(owner);
    }
  }

  @Override
  public final ContentKey current(ContentOwner owner) {
    refresh();
    ContentKey ready = readyByOwner.get(owner);
    if (ready != null) {
      return ready;
    }
    usedOwners.add(owner);
    CompletableFuture<ContentKey> key = request(owner);
    if (!key.isDone()) {
      writeRequests();
    }
    try {
      return key.join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new KeysUnavailable(
          "no content key of %s can be stored: %s"
              .formatted(owner.day(), StorageFailure.describe(cause)),
          cause);
    }
  }

  private CompletableFuture<ContentKey> request(ContentOwner owner) {
    synchronized (lock) {
      PlainKey stored = content.keys().byOwner(owner);
      return stored == null
          ? requests.computeIfAbsent(
                  owner, it -> new Request(PlainKey.random(it, clock), new CompletableFuture<>()))
              .durable
          : CompletableFuture.completedFuture(current(stored));
    }
  }

  /** Makes all requested keys durable, unless another caller did meanwhile. */
  private void writeRequests() {
    synchronized (writing) {
      List<Request> taken;
      StoreContent now;
      synchronized (lock) {
        now = content;
        // those that were made meanwhile, before their day
        List.copyOf(requests.values()).stream()
            .filter(request -> hasKey(request.made.owner()))
            .forEach(this::complete);
        taken = List.copyOf(requests.values());
      }
      if (taken.isEmpty()) {
        return;
      }
      try {
        List<PlainKey> stored = store(now, taken.stream().map(Request::made).toList());
        synchronized (lock) {
          stored.forEach(content.keys()::add);
          taken.forEach(this::complete);
        }
      } catch (IOException | SQLException | RuntimeException | Error e) {
        synchronized (lock) {
          taken.forEach(request -> requests.remove(request.made.owner()));
        }
        taken.forEach(request -> request.durable.completeExceptionally(e));
      }
    }
  }

  private void complete(Request request) {
    ContentOwner owner = request.made.owner();
    requests.remove(owner);
    request.durable.complete(current(Objects.requireNonNull(content.keys().byOwner(owner))));
  }

  private boolean hasKey(ContentOwner owner) {
    return content.keys().byOwner(owner) != null;
  }

  @Override
  public final DueKeys dueKeys(LocalDate day) {
    refresh();
    synchronized (lock) {
      return new DueKeys((int) due(day).count(), content.keys().count(day));
    }
  }

  @Override
  public final int makeDueKeys(LocalDate day, int max) {
    refresh();
    return change(now -> {
      List<PlainKey> made;
      synchronized (lock) {
        made = due(day).limit(max).map(owner -> PlainKey.random(owner, clock)).toList();
      }
      if (!made.isEmpty()) {
        List<PlainKey> stored = store(now, made);
        synchronized (lock) {
          stored.forEach(content.keys()::add);
        }
      }
      return made.size();
    });
  }

  /** The owners of a day who used a key on the day before, and have none of this day. */
  private Stream<ContentOwner> due(LocalDate day) {
    return usedOwners.of(day.minusDays(1)).stream()
        .filter(this::hasKey)
        .map(owner -> new ContentOwner(owner.principal(), day))
        .filter(owner -> !hasKey(owner));
  }

  /** The current key of its owner, ready for use. */
  private ContentKey current(PlainKey plain) {
    ContentKey key = ready(plain);
    readyByOwner.put(plain.owner(), key);
    return key;
  }

  /** The key ready for use; under {@link #lock}, so that an erased key does not stay ready. */
  private ContentKey ready(PlainKey plain) {
    if (readyById.size() >= READY_MAX) {
      readyById.clear();
      readyByOwner.clear();
    }
    ContentKey key = plain.key();
    readyById.put(key.id(), key);
    return key;
  }

  @Override
  public final KeyLookup find(String id) {
    refresh();
    ContentKey ready = readyById.get(id);
    if (ready != null) {
      return new KeyLookup.Found(ready);
    }
    Long number = PlainKey.id(id);
    if (number == null) {
      return new KeyLookup.Missing();
    }
    KeyLookup known = known(number);
    if (!(known instanceof KeyLookup.Missing)) {
      return known;
    }
    change(now -> {
      Optional<PlainKey> stored = findStored(now, number);
      synchronized (lock) {
        stored.ifPresent(content.keys()::add);
      }
      return stored;
    });
    return known(number);
  }

  private KeyLookup known(long id) {
    synchronized (lock) {
      PlainKey stored = content.keys().byId(id);
      if (stored != null) {
        return new KeyLookup.Found(ready(stored));
      }
      return content.keys().isErased(id) ? new KeyLookup.Erased() : new KeyLookup.Missing();
    }
  }

  @Override
  public List<StoredKey> list(KeySelection selection) {
    synchronized (lock) {
      return content.keys().list(selection);
    }
  }

  @Override
  public final long count() {
    synchronized (lock) {
      return content.keys().size();
    }
  }

  @Override
  public final void erase(Collection<String> ids, long position) {
    long[] erased = KeyBackup.numbers(ids);
    replace(now -> rewritten(now, (content, _, _) -> content.without(erased, position), false));
  }

  @Override
  public final long erasedUpTo() {
    return content().erasedUpTo();
  }

  @Override
  public final Optional<WrappingRotation> unrecordedRotation() {
    return content().unrecorded();
  }

  @Override
  public final WrappingRotation rotateWrapping(String operator) {
    source.requireReplaceable();
    Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    replace(now ->
        rewritten(
            now,
            (content, before, next) ->
                content.with(
                    Optional.of(
                        new WrappingRotation(
                            before.fingerprint(), next.fingerprint(), at, operator))),
            true));
    return unrecordedRotation().orElseThrow();
  }

  @Override
  public final void rotationRecorded() {
    replace(now -> noted(now, new StoreRecord.RotationRecorded()));
  }

  /** Notes the journal to which the store belongs. */
  final void belongTo(Optional<StoreContent.FirstLeaf> journal) {
    if (journal.isPresent() && !journal.equals(content().journal())) {
      replace(now -> noted(now, new StoreRecord.OfJournal(journal.get())));
    }
  }

  @Override
  public final KeyBackup.Writing backUp(
      Path file, BackupKey key, Supplier<Optional<String>> begin) {
    StoreContent copied = change(_ -> fresh().copy());
    try {
      Optional<String> obstacle = KeyBackupFile.obstacle(file, copied).or(begin);
      if (obstacle.isPresent()) {
        return new KeyBackup.Writing.Refused(obstacle.get());
      }
      KeyBackupFile.write(file, disk, copied, key, clock.instant());
    } catch (IOException e) {
      return new KeyBackup.Writing.Refused(
          "%s cannot be written: %s".formatted(file, StorageFailure.describe(e)));
    }
    OptionalLong newest = copied.keys().all().mapToLong(PlainKey::madeAtMillis).max();
    return new KeyBackup.Writing.Written(
        copied.keys().size(),
        newest.isPresent()
            ? Optional.of(Instant.ofEpochMilli(newest.getAsLong()))
            : Optional.empty());
  }

  @Override
  public final long add(KeyBackup backup) {
    AtomicLong before = new AtomicLong();
    replace(now ->
        rewritten(
            now,
            (content, _, _) -> {
              before.set(content.keys().size());
              return content.with(backup.content());
            },
            false));
    return count() - before.get();
  }

  @Override
  public final long madeAfter(Instant time) {
    refresh();
    synchronized (lock) {
      return content.keys().madeAfter(time.toEpochMilli());
    }
  }

  final WrappingKeySource source() {
    return source;
  }

  /** What is stored. Its index changes with the store. */
  final StoreContent content() {
    synchronized (lock) {
      return content;
    }
  }

  /** Changes what is stored, and uses what is stored then. */
  final void replace(Change<StoreContent> change) {
    change(now -> {
      use(change.make(now));
      return true;
    });
  }

  /** Uses what is stored now. */
  final void use(StoreContent stored) {
    synchronized (lock) {
      content = stored;
      readyById.clear();
      readyByOwner.clear();
    }
  }

  /** Runs a change alone; no other thread writes meanwhile. */
  final <T extends @Nullable Object> T change(Change<T> change) {
    synchronized (writing) {
      try {
        return change.make(content());
      } catch (IOException | SQLException e) {
        throw new KeysUnavailable(
            "the content keys in %s cannot be read or written: %s"
                .formatted(describe(), StorageFailure.describe(e)),
            e);
      }
    }
  }
}
