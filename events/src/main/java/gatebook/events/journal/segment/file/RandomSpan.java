package gatebook.events.journal.segment.file;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A span of random bytes in a segment, which DEFLATE makes longer than they are when packed: a
 * leaf, an id, a digest or a sealed content.
 *
 * @param at where it begins
 * @param bytes how long it is
 */
public record RandomSpan(long at, int bytes, Kind kind) {
  public static final int HASH_BYTES = 32;
  public static final int UUID_BYTES = 36;

  /** Characters and bytes of a group of Base64. */
  public static final int GROUP_TEXT_BYTES = 4;

  private static final int GROUP_PACKED_BYTES = 3;

  /** A kind of span: how its text is packed. */
  public enum Kind {
    /** 32 bytes as they are. */
    HASH {
      @Override
      public boolean pack(ByteBuffer text, ByteBuffer into) {
        into.put(text);
        return true;
      }

      @Override
      void unpack(ByteBuffer from, ByteBuffer text) {
        text.put(from.slice(from.position(), text.remaining()));
        from.position(from.position() + HASH_BYTES);
      }
    },

    /** The 36 characters of a UUID as 16 bytes. */
    UUID {
      private static final int BYTES = 16;
      private static final HexFormat HEX = HexFormat.of();

      @Override
      public boolean pack(ByteBuffer text, ByteBuffer into) {
        byte[] packed = new byte[BYTES];
        int digits = 0;
        for (int i = 0; i < UUID_BYTES; i++) {
          byte character = text.get();
          if (isDash(i)) {
            if (character != '-') {
              return false;
            }
          } else {
            int digit = digit(character);
            if (digit < 0) {
              return false;
            }
            packed[digits / 2] |= (byte) (digits % 2 == 0 ? digit << 4 : digit);
            digits++;
          }
        }
        into.put(packed);
        return true;
      }

      private static boolean isDash(int i) {
        return i == 8 || i == 13 || i == 18 || i == 23;
      }

      // a capital letter would come back as a small one
      private static int digit(byte character) {
        boolean isCapital = character >= 'A' && character <= 'F';
        return isCapital || !HexFormat.isHexDigit(character)
            ? -1
            : HexFormat.fromHexDigit(character);
      }

      @Override
      void unpack(ByteBuffer from, ByteBuffer text) {
        for (int i = 0; i < UUID_BYTES; ) {
          if (isDash(i)) {
            text.put((byte) '-');
            i++;
          } else {
            byte packed = from.get();
            text.put((byte) HEX.toHighHexDigit(packed)).put((byte) HEX.toLowHexDigit(packed));
            i += 2;
          }
        }
      }
    },

    /** Groups of 4 characters of Base64, each as 3 bytes. */
    BASE64 {
      @Override
      public boolean pack(ByteBuffer text, ByteBuffer into) {
        into.put(Base64.getDecoder().decode(text));
        return true;
      }

      @Override
      void unpack(ByteBuffer from, ByteBuffer text) {
        int packed = text.remaining() / GROUP_TEXT_BYTES * GROUP_PACKED_BYTES;
        text.put(Base64.getEncoder().encode(from.slice(from.position(), packed)));
        from.position(from.position() + packed);
      }
    };

    /** Appends a text packed; false, and nothing is appended, when it is not of this kind. */
    public abstract boolean pack(ByteBuffer text, ByteBuffer into);

    /** Fills the text with what was packed of it. */
    abstract void unpack(ByteBuffer from, ByteBuffer text);
  }

  /** Where it ends. */
  public long end() {
    return at + bytes;
  }
}
