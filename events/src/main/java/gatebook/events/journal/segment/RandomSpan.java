package gatebook.events.journal.segment;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A span of random bytes in a segment, which a compressor can only make longer: the leaf of an
 * entry, or its id.
 *
 * @param at where it begins
 */
record RandomSpan(long at, Kind kind) {

  /** A kind of span: how it is written in a segment, and how in a compressed block. */
  enum Kind {
    /** 32 bytes as they are. */
    HASH(32, 32) {
      @Override
      boolean pack(byte[] text, int at, ByteBuffer into) {
        into.put(text, at, textBytes());
        return true;
      }

      @Override
      void unpack(ByteBuffer from, byte[] text, int at) {
        from.get(text, at, textBytes());
      }
    },

    /** The 36 characters of a UUID as 16 bytes. */
    UUID(36, 16) {
      private static final HexFormat HEX = HexFormat.of();

      @Override
      boolean pack(byte[] text, int at, ByteBuffer into) {
        int start = into.position();
        for (int i = 0; i < textBytes(); ) {
          if (isDash(i)) {
            if (text[at + i] != '-') {
              into.position(start);
              return false;
            }
            i++;
            continue;
          }
          int high = digit(text[at + i]);
          int low = digit(text[at + i + 1]);
          if (high < 0 || low < 0) {
            into.position(start);
            return false;
          }
          into.put((byte) (high << 4 | low));
          i += 2;
        }
        return true;
      }

      private static boolean isDash(int i) {
        return i == 8 || i == 13 || i == 18 || i == 23;
      }

      private static int digit(byte character) {
        return character >= '0' && character <= '9'
            ? character - '0'
            : character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
      }

      @Override
      void unpack(ByteBuffer from, byte[] text, int at) {
        for (int i = 0; i < textBytes(); ) {
          if (isDash(i)) {
            text[at + i++] = '-';
          } else {
            byte packed = from.get();
            text[at + i++] = (byte) HEX.toHighHexDigit(packed);
            text[at + i++] = (byte) HEX.toLowHexDigit(packed);
          }
        }
      }
    };

    private final int textBytes;
    private final int packedBytes;

    Kind(int textBytes, int packedBytes) {
      this.textBytes = textBytes;
      this.packedBytes = packedBytes;
    }

    /** How long it is in a segment. */
    int textBytes() {
      return textBytes;
    }

    /** How long it is in a compressed block. */
    int packedBytes() {
      return packedBytes;
    }

    /** Appends it packed; false, and nothing is appended, when the text is not of this kind. */
    abstract boolean pack(byte[] text, int at, ByteBuffer into);

    abstract void unpack(ByteBuffer from, byte[] text, int at);
  }

  /** Where it ends. */
  long end() {
    return at + kind.textBytes();
  }
}
