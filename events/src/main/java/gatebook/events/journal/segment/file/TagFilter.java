package gatebook.events.journal.segment.file;

/**
 * A filter of the tags in a segment (a blocked Bloom filter): says of nearly every tag that is not
 * in the segment that it is not. All bits of one tag are in one block, so that one small read finds
 * them.
 */
final class TagFilter {
  static final int BLOCK_BYTES = 64;

  /** With 10 bits for each tag, about one in a hundred lookups finds the bits of other tags. */
  private static final int BITS_PER_TAG = 10;

  private static final int BITS_SET = 6;
  private static final int BLOCK_BITS_LOG = 9;
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private TagFilter() {}

  /** How many bytes a filter for this number of tags has. */
  static int bytes(int tags) {
    long bits = (long) tags * BITS_PER_TAG;
    return (int) (bits / (BLOCK_BYTES * Byte.SIZE) + 1) * BLOCK_BYTES;
  }

  static void add(byte[] filter, TagHash tag) {
    int from = blockAt(filter.length, tag);
    long bits = tag.hash() * SPREAD;
    for (int i = 0; i < BITS_SET; i++) {
      int bit = bit(bits, i);
      filter[from + bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
    }
  }

  /** Where the block of a tag begins in a filter. */
  static int blockAt(int filterBytes, TagHash tag) {
    long blocks = filterBytes / BLOCK_BYTES;
    return (int) ((Integer.toUnsignedLong(tag.order()) * blocks) >>> Integer.SIZE) * BLOCK_BYTES;
  }

  static boolean mayContain(byte[] bytes, int blockAt, TagHash tag) {
    long bits = tag.hash() * SPREAD;
    for (int i = 0; i < BITS_SET; i++) {
      int bit = bit(bits, i);
      if ((bytes[blockAt + bit / Byte.SIZE] & (1 << (bit % Byte.SIZE))) == 0) {
        return false;
      }
    }
    return true;
  }

  private static int bit(long bits, int i) {
    return (int) (bits >>> (i * BLOCK_BITS_LOG + 10)) & ((1 << BLOCK_BITS_LOG) - 1);
  }
}
