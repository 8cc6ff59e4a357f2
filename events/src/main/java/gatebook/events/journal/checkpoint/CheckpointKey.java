package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The private key that signs checkpoints: with it the journal can be rewritten and signed again.
 *
 * <p>As text it is one line, {@code PRIVATE+KEY+name+id+base64}, as in Go's note package. In a file
 * only the file's owner may read or write it.
 */
public final class CheckpointKey {
  private static final String PRIVATE = "PRIVATE+KEY+";
  private static final int FILE_BYTES_MAX = 4096;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> GROUP_AND_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private final KeyPair pair;
  private final VerifierKey verifier;

  private CheckpointKey(String name, NoteKeyType type, KeyPair pair) {
    this.pair = pair;
    this.verifier = VerifierKey.of(name, type, Ed25519.raw(pair.getPublic()));
  }

  /** A name for a log that no other log has. */
  public static String newName() {
    return "gatebook/" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }

  /**
   * The key in this file; when there is no such file, a new key of this name is written to it
   * first. An existing key keeps its name.
   */
  public static LoadedKey<CheckpointKey> loadOrCreate(Path file, String nameOfNewKey) {
    return loadOrCreate(file, nameOfNewKey, NoteKeyType.LOG);
  }

  static LoadedKey<CheckpointKey> loadOrCreate(Path file, String nameOfNewKey, NoteKeyType type) {
    if (!CheckpointKeyName.isValid(nameOfNewKey)) {
      return new LoadedKey.Refused<>(
          "'" + nameOfNewKey + "' cannot name a key: it is empty or has a space or a plus sign");
    }
    return read(
        file,
        () -> {
          if (Files.notExists(file)) {
            create(file, new CheckpointKey(nameOfNewKey, type, Ed25519.generate()));
          }
          return load(file, type);
        });
  }

  private interface KeyReader {
    LoadedKey<CheckpointKey> read() throws IOException;
  }

  private static LoadedKey<CheckpointKey> read(Path file, KeyReader reader) {
    try {
      return reader.read();
    } catch (UnsupportedOperationException _) {
      return refused(file, "its file system has no owners and links: choose another directory");
    } catch (NoSuchFileException _) {
      return refused(file, "its directory does not exist");
    } catch (AccessDeniedException _) {
      return refused(file, "this user may not read it or write to its directory");
    } catch (IOException e) {
      return refused(file, "it cannot be read or written (" + e.getMessage() + ")");
    }
  }

  /** The key in this file, which is never created. */
  public static LoadedKey<CheckpointKey> loadExisting(Path file) {
    return Files.notExists(file)
        ? refused(file, "there is no such file")
        : read(file, () -> load(file, NoteKeyType.LOG));
  }

  /** The key of this text. */
  public static LoadedKey<CheckpointKey> parse(String text) {
    return parse(text, NoteKeyType.LOG);
  }

  private static LoadedKey<CheckpointKey> parse(String text, NoteKeyType type) {
    String[] parts =
        text.startsWith(PRIVATE) ? text.substring(PRIVATE.length()).split("\\+", 3) : new String[0];
    if (parts.length != 3 || !CheckpointKeyName.isValid(parts[0])) {
      return new LoadedKey.Refused<>("a private key is written PRIVATE+KEY+name+id+base64");
    }
    Optional<byte[]> seed = VerifierKey.decodeTyped(parts[2], type);
    if (seed.isEmpty()) {
      return new LoadedKey.Refused<>("the private key '" + parts[0] + "' is not " + type.words());
    }
    CheckpointKey key = new CheckpointKey(parts[0], type, Ed25519.pairOf(seed.get()));
    return key.verifier.idText().equals(parts[1])
        ? new LoadedKey.Key<>(key)
        : new LoadedKey.Refused<>(
            "the private key '%s' has id %s where its bytes give %s: it was altered"
                .formatted(parts[0], parts[1], key.verifier.idText()));
  }

  /** The file beside that of a key which has the key that is to replace it. */
  public static Path fileOfNext(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  /** Puts the next key in the place of the one in this file, which is gone then. */
  static void replace(Path file) throws IOException {
    Files.move(
        fileOfNext(file),
        file,
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    force(Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file));
  }

  public VerifierKey verifier() {
    return verifier;
  }

  /** The same key under another name: it signs checkpoints of the log with that name. */
  public CheckpointKey named(String name) {
    return name.equals(verifier.name()) ? this : new CheckpointKey(name, verifier.type(), pair);
  }

  byte[] sign(byte[] text) {
    return Ed25519.sign(pair.getPrivate(), text);
  }

  String text() {
    return PRIVATE
        + verifier.label()
        + "+"
        + VerifierKey.encodeTyped(verifier.type(), Ed25519.seed(pair.getPrivate()));
  }

  private static LoadedKey<CheckpointKey> load(Path file, NoteKeyType type) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.stream().anyMatch(GROUP_AND_OTHERS::contains)) {
      return refused(
          file,
          "its permissions are "
              + PosixFilePermissions.toString(permissions)
              + ": only its owner may read it (chmod 600); if another user may have read it,"
              + " create a new one");
    }
    if (Files.size(file) > FILE_BYTES_MAX) {
      return refused(file, "it is longer than any key");
    }
    return switch (parse(new String(Files.readAllBytes(file), UTF_8).stripTrailing(), type)) {
      case LoadedKey.Key<CheckpointKey> loaded -> loaded;
      case LoadedKey.Refused<CheckpointKey>(String why) -> refused(file, why);
    };
  }

  /**
   * Writes the key to a file beside it and links that into place: the name appears with all of its
   * bytes on disk or not at all, and of two processes that create it the first wins.
   */
  private static void create(Path file, CheckpointKey key) throws IOException {
    Path directory = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    Path draft =
        Files.createTempFile(
            directory, ".key", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      write(draft, key.text() + "\n");
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException _) {
      return; // the key of the other process is used
    } finally {
      Files.delete(draft);
    }
    force(directory);
  }

  private static void write(Path file, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** A directory's entries are on disk only after the directory itself was forced. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static LoadedKey<CheckpointKey> refused(Path file, String why) {
    return new LoadedKey.Refused<>("the checkpoint key " + file + " cannot be used: " + why);
  }
}
