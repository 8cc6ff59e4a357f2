package gatebook.events.keys.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A record in a file of content keys. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface StoreRecord {

  /** A key, wrapped by the store's own key. */
  record WrappedKey(long id, ContentOwner owner, long madeAtMillis, byte[] wrapped)
      implements StoreRecord {

    static WrappedKey of(PlainKey key, UUID store, WrappingKey storeKey) {
      return new WrappedKey(
          key.id(), key.owner(), key.madeAtMillis(), storeKey.wrap(key.bound(store), key.bytes()));
    }

    /** Null when another key wrapped it, or it was changed. */
    @Nullable PlainKey unwrapped(UUID store, WrappingKey storeKey) {
      PlainKey none = new PlainKey(id, owner, madeAtMillis, new byte[0]);
      byte[] plain = storeKey.unwrap(none.bound(store), wrapped);
      return plain == null ? null : new PlainKey(id, owner, madeAtMillis, plain);
    }
  }

  /** A key in plain, which is in no file unless that is encrypted as a whole. */
  record Plain(PlainKey key) implements StoreRecord {}

  /** The ids of erased keys. */
  record Erased(long[] ids) implements StoreRecord {}

  /** The journal to which the store belongs. */
  record OfJournal(StoreContent.FirstLeaf leaf) implements StoreRecord {}

  /** A rotation of which the journal may have no event yet. */
  record Rotated(WrappingRotation rotation) implements StoreRecord {}

  /** The journal has the event of the rotation of before. */
  record RotationRecorded() implements StoreRecord {}

  /** The content with what a note says. */
  default StoreContent addedTo(StoreContent content) {
    return switch (this) {
      case OfJournal(var leaf) -> content.of(leaf);
      case Rotated(var rotation) -> content.with(Optional.of(rotation));
      case RotationRecorded() -> content.with(Optional.empty());
      case WrappedKey _, Plain _, Erased _ -> throw new IllegalArgumentException("no note");
    };
  }

  static byte[] encode(StoreRecord... records) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      for (StoreRecord record : records) {
        write(record, out);
      }
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory can be written", e);
    }
  }

  private static void write(StoreRecord record, DataOutputStream out) throws IOException {
    switch (record) {
      case WrappedKey(long id, var owner, long madeAtMillis, var wrapped) ->
          key(out, 'k', id, owner, madeAtMillis, wrapped);
      case Plain(var key) -> key(out, 'p', key.id(), key.owner(), key.madeAtMillis(), key.bytes());
      case Erased(var ids) -> {
        out.writeByte('e');
        out.writeInt(ids.length);
        for (long id : ids) {
          out.writeLong(id);
        }
      }
      case OfJournal(var leaf) -> {
        out.writeByte('j');
        out.write(HexFormat.of().parseHex(leaf.hex()));
      }
      case Rotated(var rotation) -> {
        out.writeByte('r');
        text(out, rotation.before());
        text(out, rotation.after());
        out.writeLong(rotation.at().toEpochMilli());
        text(out, rotation.operator());
      }
      case RotationRecorded() -> out.writeByte('d');
    }
  }

  private static void key(
      DataOutputStream out, char kind, long id, ContentOwner owner, long madeAtMillis, byte[] bytes)
      throws IOException {
    out.writeByte(kind);
    out.writeLong(id);
    out.writeLong(madeAtMillis);
    out.writeInt((int) owner.day().toEpochDay());
    text(out, owner.principal());
    out.write(bytes);
  }

  /** The next record; null when these bytes are none. */
  static @Nullable StoreRecord decode(ByteBuffer in) {
    return switch (in.get()) {
      case 'k' -> wrappedKey(in);
      case 'p' -> plainKey(in);
      case 'e' -> {
        long[] ids = new long[in.getInt()];
        for (int i = 0; i < ids.length; i++) {
          ids[i] = in.getLong();
        }
        yield new Erased(ids);
      }
      case 'j' ->
          new OfJournal(
              new StoreContent.FirstLeaf(
                  HexFormat.of().formatHex(bytes(in, StoreContent.FirstLeaf.BYTES))));
      case 'r' ->
          new Rotated(
              new WrappingRotation(
                  required(in), required(in), Instant.ofEpochMilli(in.getLong()), required(in)));
      case 'd' -> new RotationRecorded();
      default -> null;
    };
  }

  private static WrappedKey wrappedKey(ByteBuffer in) {
    long id = in.getLong();
    long madeAtMillis = in.getLong();
    return new WrappedKey(id, owner(in), madeAtMillis, bytes(in, WrappingKey.WRAPPED_BYTES));
  }

  private static Plain plainKey(ByteBuffer in) {
    long id = in.getLong();
    long madeAtMillis = in.getLong();
    return new Plain(new PlainKey(id, owner(in), madeAtMillis, bytes(in, ContentKey.BYTES)));
  }

  private static ContentOwner owner(ByteBuffer in) {
    LocalDate day = LocalDate.ofEpochDay(in.getInt());
    return new ContentOwner(text(in), day);
  }

  private static void text(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(-1);
    } else {
      byte[] bytes = text.getBytes(UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static @Nullable String text(ByteBuffer in) {
    int length = in.getInt();
    return length < 0 ? null : new String(bytes(in, length), UTF_8);
  }

  private static String required(ByteBuffer in) {
    String text = text(in);
    return text == null ? "" : text;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
