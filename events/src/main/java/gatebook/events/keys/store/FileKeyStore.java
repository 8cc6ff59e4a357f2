package gatebook.events.keys.store;

import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
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
  private volatile OpenKeyFile file;

  /** Whether the file is to be written anew before its next use, because a write failed. */
  private boolean isDoubtful;

  private boolean isClosed;

  FileKeyStore(
      Path directory,
      KeyDisk disk,
      WrappingKeySource source,
      InstantSource clock,
      OpenKeyFile file,
      StoreContent content) {
    super(content, source, disk, clock);
    this.directory = directory;
    this.disk = disk;
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
      WrappingKeySource source = new WrappingKeySource(directory, given, disk);
      OpenKeyFile.Loaded loaded = OpenKeyFile.open(directory, source, recorded, disk);
      FileKeyStore store =
          new FileKeyStore(directory, disk, source, clock, loaded.file(), loaded.content());
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

  @Override
  List<PlainKey> store(StoreContent content, List<PlainKey> made) throws IOException {
    settle(content);
    append(
        made.stream()
            .map(key -> StoreRecord.WrappedKey.of(key, content.store(), file.storeKey()))
            .toList());
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
  private void append(List<? extends StoreRecord> records) throws IOException {
    isDoubtful = true;
    KeyFile.append(file.channel(), disk, file.header(), records);
    disk.force(file.channel());
    isDoubtful = false;
  }

  @Override
  StoreContent noted(StoreContent content, StoreRecord note) throws IOException {
    settle(content);
    append(List.of(note));
    return note.addedTo(content);
  }

  @Override
  StoreContent rewritten(StoreContent content, Rewrite rewrite, boolean underNewWrappingKey)
      throws IOException {
    WrappingKey next = source().replacement();
    StoreContent replacement = rewrite.apply(content, file.wrappingKey(), next);
    write(replacement, next, WrappingKey.random());
    return replacement;
  }

  private void write(StoreContent content, WrappingKey wrappingKey, WrappingKey storeKey)
      throws IOException {
    requireOpen();
    isDoubtful = true;
    OpenKeyFile before = file;
    file = OpenKeyFile.write(directory, disk, content, wrappingKey, storeKey);
    use(content); // it is what the next process reads, also if the rest fails
    before.abandon(disk);
    source().replaced(wrappingKey);
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
  StoreContent fresh() {
    return content();
  }

  @Override
  void refresh() {
    // no other process changes the files
  }

  @Override
  boolean isFresh() {
    return true;
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
