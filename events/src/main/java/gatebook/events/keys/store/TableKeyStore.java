package gatebook.events.keys.store;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A store of content keys in the tables of a database that several nodes share. The store's own key
 * is in the table, wrapped by a key that all nodes have. A node learns of keys that others made
 * when it misses them, and within a second of what others erased or rotated.
 */
public final class TableKeyStore extends IndexedKeyStore {

  /** How long a node uses what it knows before it looks for what others changed. */
  private static final long CHECK_MILLIS = 1_000;

  private static final Comparator<PlainKey> BY_OWNER =
      Comparator.<PlainKey, Boolean>comparing(key -> key.owner().principal() == null)
          .thenComparing(key -> Objects.requireNonNullElse(key.owner().principal(), ""))
          .thenComparing(key -> key.owner().day());

  private final KeyConnection database;
  private final InstantSource clock;
  private Version version;
  private volatile long checkedAtMillis;
  private boolean isClosed;

  /** A version of the whole store, and the keys that wrap it. */
  private record Version(long generation, WrappingKey wrappingKey, WrappingKey storeKey) {}

  /** What was read under a version. */
  private record Loaded(Version version, StoreContent content) {}

  private TableKeyStore(
      KeyConnection database,
      WrappingKeySource source,
      KeyDisk disk,
      InstantSource clock,
      Loaded loaded) {
    super(loaded.content, source, disk, clock);
    this.database = database;
    this.clock = clock;
    this.version = loaded.version;
    this.checkedAtMillis = clock.millis();
  }

  /**
   * Opens the store of a journal that is open.
   *
   * @param directory where the wrapping key is, unless it is given
   * @param given the wrapping key
   * @param recorded what the journal says of its keys
   */
  public static Opening open(
      SharedLocation location, Path directory, Optional<WrappingKey> given, RecordedKeys recorded) {
    return open(location, directory, given, recorded, InstantSource.system());
  }

  static Opening open(
      SharedLocation location,
      Path directory,
      Optional<WrappingKey> given,
      RecordedKeys recorded,
      InstantSource clock) {
    KeyDisk disk = new KeyDisk();
    WrappingKeySource source = new WrappingKeySource(directory, given, disk);
    KeyConnection database = new KeyConnection(location);
    try {
      disk.createDirectory(directory);
      Loaded loaded = opened(database, source, recorded);
      recorded.check(loaded.content, database.describe());
      TableKeyStore store = new TableKeyStore(database, source, disk, clock, loaded);
      store.belongTo(recorded.first());
      return new Opening.Opened(store, recorded.missing(loaded.content));
    } catch (OpenRefusal e) {
      database.close();
      return new Opening.Refused(e.sentence());
    } catch (IOException | SQLException | KeysUnavailable e) {
      database.close();
      return new Opening.Refused(
          "the content keys in %s cannot be opened: %s"
              .formatted(database.describe(), StorageFailure.describe(e)));
    }
  }

  private static Loaded opened(
      KeyConnection database, WrappingKeySource source, RecordedKeys recorded)
      throws OpenRefusal, IOException, SQLException {
    if (database.run(KeyTables::row) == null) {
      StoreContent empty = StoreContent.empty(recorded.first());
      KeyTables.StoreRow row = row(empty, 1, source.initial(), WrappingKey.random());
      database.run(tables -> {
        tables.insert(row); // of several nodes the first inserts it
        return true;
      });
    }
    return load(database, source);
  }

  private static Loaded load(KeyConnection database, WrappingKeySource source)
      throws OpenRefusal, IOException, SQLException {
    try (Connection connection = database.connect()) {
      KeyTables tables = new KeyTables(connection);
      tables.lock(KeyTables.Lock.READ);
      Loaded loaded = load(tables, database.describe(), source);
      connection.commit();
      return loaded;
    }
  }

  private static Loaded load(KeyTables tables, String where, WrappingKeySource source)
      throws OpenRefusal, IOException, SQLException {
    KeyTables.StoreRow row = tables.row();
    if (row == null) {
      throw new SQLException("the row of the store is missing");
    }
    WrappingKey wrappingKey = source.of(HexFormat.fromHexDigitsToLong(row.fingerprint()), where);
    WrappingKey storeKey = StoreHeader.storeKey(row.store(), wrappingKey, row.wrapped());
    if (storeKey == null) {
      throw new OpenRefusal(
          "the key of the content keys in %s was changed: restore the database".formatted(where));
    }
    KeyIndex keys = new KeyIndex(tables.erased().stream().mapToLong(it -> it));
    for (StoreRecord.WrappedKey key : tables.keys()) {
      keys.add(unwrapped(key, row.store(), storeKey));
    }
    return new Loaded(
        new Version(row.generation(), wrappingKey, storeKey),
        new StoreContent(row.store(), row.erasedUpTo(), row.journal(), row.unrecorded(), keys));
  }

  private static PlainKey unwrapped(StoreRecord.WrappedKey key, UUID store, WrappingKey storeKey)
      throws SQLException {
    PlainKey plain = key.unwrapped(store, storeKey);
    if (plain == null) {
      throw new SQLException(
          "the content key %s was changed: restore the database, or delete its row"
              .formatted(PlainKey.text(key.id())));
    }
    return plain;
  }

  private static KeyTables.StoreRow row(
      StoreContent content, long generation, WrappingKey wrappingKey, WrappingKey storeKey) {
    return new KeyTables.StoreRow(
        content.store(),
        generation,
        wrappingKey.fingerprint(),
        wrappingKey.wrap(StoreHeader.bound(content.store()), storeKey.bytes()),
        content.erasedUpTo(),
        content.journal(),
        content.unrecorded());
  }

  @Override
  List<PlainKey> store(StoreContent content, List<PlainKey> made) throws IOException, SQLException {
    List<PlainKey> inOrder = made.stream().sorted(BY_OWNER).toList(); // as every node locks them
    return synchronised((tables, now) -> {
      tables.insert(
          inOrder.stream()
              .map(key -> StoreRecord.WrappedKey.of(key, now.store(), version.storeKey)),
          true);
      List<PlainKey> stored = new ArrayList<>();
      for (StoreRecord.WrappedKey key : tables.current(inOrder)) {
        stored.add(unwrapped(key, now.store(), version.storeKey));
      }
      return stored;
    });
  }

  @Override
  Optional<PlainKey> findStored(StoreContent content, long id) throws IOException, SQLException {
    return synchronised((tables, now) -> {
      Optional<StoreRecord.WrappedKey> key = tables.key(id);
      return key.isPresent()
          ? Optional.of(unwrapped(key.get(), now.store(), version.storeKey))
          : Optional.empty();
    });
  }

  @Override
  StoreContent noted(StoreContent content, StoreRecord note) throws IOException, SQLException {
    return synchronised((tables, now) -> {
      switch (note) {
        case StoreRecord.OfJournal(var leaf) -> tables.noteJournal(leaf);
        case StoreRecord.RotationRecorded() -> tables.noteRotationRecorded();
        case StoreRecord _ -> throw new IllegalArgumentException("no note");
      }
      return note.addedTo(now);
    });
  }

  /** Uses the tables under the newest version of the store, which does not change meanwhile. */
  private <T> T synchronised(Use<T> use) throws IOException, SQLException {
    requireOpen();
    return database.run(tables -> {
      tables.lock(KeyTables.Lock.READ);
      if (tables.generation() != version.generation) {
        use(load(tables));
      }
      checkedAtMillis = clock.millis();
      return use.run(tables, content());
    });
  }

  /** A use of the tables. */
  @FunctionalInterface
  private interface Use<T> {
    T run(KeyTables tables, StoreContent content) throws SQLException;
  }

  private StoreContent use(Loaded loaded) {
    version = loaded.version;
    use(loaded.content);
    return loaded.content;
  }

  private Loaded load(KeyTables tables) throws IOException, SQLException {
    try {
      return load(tables, describe(), source());
    } catch (OpenRefusal e) {
      throw new KeysUnavailable(e.sentence(), e);
    }
  }

  /**
   * Where others have to learn the new wrapping key, it is replaced only when that is asked for.
   */
  @Override
  StoreContent rewritten(StoreContent content, Rewrite rewrite, boolean underNewWrappingKey)
      throws IOException, SQLException {
    requireOpen();
    try (Connection connection = database.connect()) {
      KeyTables tables = new KeyTables(connection);
      tables.lock(KeyTables.Lock.REWRITE);
      Loaded before = load(tables);
      WrappingKey wrappingKey =
          underNewWrappingKey ? source().replacement() : before.version.wrappingKey;
      Version next = new Version(before.version.generation + 1, wrappingKey, WrappingKey.random());
      StoreContent rest = rewrite.apply(before.content, before.version.wrappingKey, wrappingKey);
      write(tables, rest, next);
      connection.commit();
      StoreContent used = use(new Loaded(next, rest));
      source().replaced(wrappingKey);
      return used;
    }
  }

  private static void write(KeyTables tables, StoreContent content, Version version)
      throws SQLException {
    tables.empty();
    tables.insert(row(content, version.generation, version.wrappingKey, version.storeKey));
    KeyIndex keys = content.keys();
    for (boolean current : new boolean[] {true, false}) {
      tables.insert(
          keys.all()
              .filter(key -> key.equalsId(keys.byOwner(key.owner())) == current)
              .map(key -> StoreRecord.WrappedKey.of(key, content.store(), version.storeKey)),
          current);
    }
    tables.insertErased(keys.erased().toArray());
  }

  @Override
  void refresh() {
    if (!isFresh()) {
      change(_ -> isFresh() || synchronised((_, _) -> true));
    }
  }

  @Override
  boolean isFresh() {
    return clock.millis() - checkedAtMillis < CHECK_MILLIS;
  }

  @Override
  public List<StoredKey> list(KeySelection selection) {
    replace(_ -> fresh());
    return super.list(selection);
  }

  @Override
  StoreContent fresh() throws IOException, SQLException {
    requireOpen();
    return database.run(tables -> {
      tables.lock(KeyTables.Lock.READ);
      return use(load(tables));
    });
  }

  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException("the store is closed");
    }
  }

  @Override
  public String wrappingKey() {
    return change(_ -> version.wrappingKey.fingerprint());
  }

  @Override
  public String describe() {
    return database.describe();
  }

  @Override
  public void close() {
    change(_ -> {
      isClosed = true;
      database.close();
      return true;
    });
  }
}
