package gatebook.events.keys.store;

import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A store of content keys in a directory of one process: an append-only file of wrapped keys, and
 * beside it the file of the wrapping key, unless that is given.
 */
public final class FileKeyStore extends IndexedKeyStore {

  /** The name of the file of keys. */
  static final String FILE = "content-keys";

  static final String UNFINISHED = FILE + ".unfinished";

  private final Path directory;
  private final KeyDisk disk;
  private final Optional<WrappingKey> given;
  private final InstantSource clock;
  private volatile OpenKeyFile file;

  /** Whether the file is to be written anew before its next use, because a write failed. */
  private boolean isDoubtful;

  private boolean isClosed;

  FileKeyStore(
      Path directory,
      KeyDisk disk,
      Optional<WrappingKey> given,
      InstantSource clock,
      OpenKeyFile file,
      StoreContent content) {
    super(content, clock);
    this.directory = directory;
    this.disk = disk;
    this.given = given;
    this.clock = clock;
    this.file = file;
  }

  /**
   * Opens the store in a directory, which is created when it is missing.
   *
   * @param given the wrapping key; empty for one in a file of the directory
   * @param recorded what the journal says of its keys
   */
  public static Opening open(Path directory, Optional<WrappingKey> given, RecordedKeys recorded) {
    return open(directory, given, recorded, new KeyDisk(), InstantSource.system());
  }

  static Opening open(
      Path directory,
      Optional<WrappingKey> given,
      RecordedKeys recorded,
      KeyDisk disk,
      InstantSource clock) {
    try {
      OpenKeyFile.Loaded loaded = OpenKeyFile.open(directory, given, recorded, disk);
      FileKeyStore store =
          new FileKeyStore(directory, disk, given, clock, loaded.file(), loaded.content());
      store.belongTo(recorded.first());
      return new Opening.Opened(store, recorded.missing(loaded.content()));
    } catch (OpenRefusal e) {
      return new Opening.Refused(e.sentence());
    } catch (IOException | KeysUnavailable e) {
      return new Opening.Refused(
          "the content keys in %s cannot be opened (%s): check its permissions and its disk"
              .formatted(directory, e.getMessage()));
    }
  }

  private void belongTo(Optional<StoreContent.FirstLeaf> journal) {
    if (journal.isPresent() && !journal.equals(content().journal())) {
      replace(content -> {
        settle(content);
        append(List.of(new StoreRecord.OfJournal(journal.get())));
        return content.of(journal.get());
      });
    }
  }

  @Override
  List<PlainKey> store(StoreContent content, List<PlainKey> made) throws IOException {
    settle(content);
    append(made.stream().map(key -> KeyFile.wrapped(key, file.header(), file.storeKey())).toList());
    return made;
  }

  /** Writes the file anew when a failure left it in doubt. */
  private void settle(StoreContent content) throws IOException {
    requireOpen();
    if (isDoubtful) {
      write(content, file.wrappingKey(), WrappingKey.random());
    }
  }

  /** Appends and forces one frame. After a failure what is in the file is not known. */
  private void append(List<StoreRecord> records) throws IOException {
    isDoubtful = true;
    KeyFile.append(file.channel(), disk, file.header(), records);
    disk.force(file.channel());
    isDoubtful = false;
  }

  @Override
  StoreContent erased(StoreContent content, long[] ids, long position) throws IOException {
    StoreContent rest = content.without(ids, position);
    rewrite(rest);
    return rest;
  }

  @Override
  public WrappingRotation rotateWrapping(String operator) {
    if (given.isPresent()) {
      throw new KeysUnavailable("the wrapping key is in the environment of this process", null);
    }
    replace(content -> {
      String before = wrappingKey();
      WrappingKey next = new WrappingKeyFile(directory, disk).prepareNext();
      StoreContent rotated =
          content.with(
              Optional.of(
                  new WrappingRotation(
                      before,
                      next.fingerprint(),
                      clock.instant().truncatedTo(ChronoUnit.MILLIS),
                      operator)));
      write(rotated, next, WrappingKey.random());
      return rotated;
    });
    return unrecordedRotation().orElseThrow();
  }

  @Override
  public void rotationRecorded() {
    replace(content -> {
      settle(content);
      append(List.of(new StoreRecord.RotationRecorded()));
      return content.with(Optional.empty());
    });
  }

  /** Takes in the keys of a backup, but for those that are erased here or there. */
  void add(StoreContent backup) {
    replace(content -> {
      StoreContent both = content.with(backup);
      rewrite(both);
      return both;
    });
  }

  /** Writes the store under new keys. */
  private void rewrite(StoreContent content) throws IOException {
    write(
        content,
        given.isPresent() ? given.get() : new WrappingKeyFile(directory, disk).prepareNext(),
        WrappingKey.random());
  }

  private void write(StoreContent content, WrappingKey wrappingKey, WrappingKey storeKey)
      throws IOException {
    requireOpen();
    isDoubtful = true;
    OpenKeyFile before = file;
    file = OpenKeyFile.write(directory, disk, content, wrappingKey, storeKey);
    use(content); // it is what the next process reads, also if the rest fails
    before.abandon(disk);
    if (given.isEmpty()) {
      new WrappingKeyFile(directory, disk).settle(wrappingKey.fingerprintBits());
    }
    isDoubtful = false;
  }

  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException("the store is closed");
    }
  }

  @Override
  Optional<PlainKey> findStored(StoreContent content, long id) {
    return Optional.empty(); // all keys are in the index
  }

  @Override
  void refresh() {
    // no other process changes the files
  }

  @Override
  public String wrappingKey() {
    return file.wrappingKey().fingerprint();
  }

  @Override
  public String describe() {
    return directory.toString();
  }

  @Override
  public void close() {
    change(_ -> {
      isClosed = true;
      file.channel().close();
      return true;
    });
  }
}
