package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The verifier key, the public half of a checkpoint key: its text, {@code name+id+base64}, is
 * enough to check checkpoints and not to sign one.
 */
public final class VerifierKey {
  private static final HexFormat HEX = HexFormat.of();

  private final String name;
  private final int id;
  private final NoteKeyType type;
  private final byte[] publicKey;

  private VerifierKey(String name, NoteKeyType type, byte[] publicKey) {
    this.name = name;
    this.id = id(name, type, publicKey);
    this.type = type;
    this.publicKey = publicKey;
  }

  static VerifierKey of(String name, NoteKeyType type, byte[] publicKey) {
    return new VerifierKey(name, type, publicKey.clone());
  }

  /** The key of a log. */
  public static LoadedKey<VerifierKey> parse(String text) {
    return parse(text, NoteKeyType.LOG);
  }

  /** The key of a witness. */
  public static LoadedKey<VerifierKey> parseOfWitness(String text) {
    return parse(text, NoteKeyType.COSIGNATURE);
  }

  private static LoadedKey<VerifierKey> parse(String text, NoteKeyType type) {
    String[] parts = text.split("\\+", 3);
    if (parts.length != 3 || !CheckpointKeyName.isValid(parts[0])) {
      return new LoadedKey.Refused<>("a verifier key is written name+id+base64, and this is not");
    }
    Optional<byte[]> bytes = decodeTyped(parts[2], type);
    if (bytes.isEmpty()) {
      return new LoadedKey.Refused<>("the verifier key '" + parts[0] + "' is not " + type.words());
    }
    VerifierKey key = new VerifierKey(parts[0], type, bytes.get());
    return key.idText().equals(parts[1])
        ? new LoadedKey.Key<>(key)
        : new LoadedKey.Refused<>(
            "the verifier key '%s' has id %s where its bytes give %s: it was altered"
                .formatted(parts[0], parts[1], key.idText()));
  }

  /** The 32 bytes after the byte of a type, with which the base64 of every key text begins. */
  static Optional<byte[]> decodeTyped(String base64, NoteKeyType type) {
    return StrictBase64.decode(base64)
        .filter(bytes -> bytes.length == 1 + Ed25519.KEY_BYTES && bytes[0] == type.code())
        .map(bytes -> Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  static String encodeTyped(NoteKeyType type, byte[] key) {
    byte[] bytes = new byte[1 + key.length];
    bytes[0] = type.code();
    System.arraycopy(key, 0, bytes, 1, key.length);
    return StrictBase64.encode(bytes);
  }

  public String name() {
    return name;
  }

  /** The same key under another name, and so with another id. */
  public VerifierKey named(String otherName) {
    return otherName.equals(name) ? this : new VerifierKey(otherName, type, publicKey);
  }

  /** Whether it is the same key, perhaps under another name. */
  public boolean isSameKey(VerifierKey other) {
    return Arrays.equals(publicKey, other.publicKey);
  }

  /** The text to publish. */
  public String text() {
    return label() + "+" + encodeTyped(type, publicKey);
  }

  /** The name of the key in notes and messages: {@code name+id}. */
  public String label() {
    return label(name, id);
  }

  static String label(String name, int id) {
    return name + "+" + HEX.toHexDigits(id);
  }

  int id() {
    return id;
  }

  String idText() {
    return HEX.toHexDigits(id);
  }

  NoteKeyType type() {
    return type;
  }

  boolean verifies(byte[] text, byte[] signature) {
    return switch (type) {
      case LOG -> Ed25519.verifies(publicKey, text, signature);
      case COSIGNATURE -> Cosignature.verifies(publicKey, text, signature);
    };
  }

  private static int id(String name, NoteKeyType type, byte[] publicKey) {
    MessageDigest sha256 = Sha256.newDigest();
    sha256.update(name.getBytes(UTF_8));
    sha256.update((byte) '\n');
    sha256.update(type.code());
    return ByteBuffer.wrap(sha256.digest(publicKey)).getInt();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerifierKey that
        && name.equals(that.name)
        && type == that.type
        && Arrays.equals(publicKey, that.publicKey);
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return text();
  }
}
