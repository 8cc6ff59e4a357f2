package gatebook.events.journal.segment.file;

/** A tag as it is indexed, with its hash. */
public record TagHash(String tag, long hash) {
  private static final long OFFSET = 0xcbf2_9ce4_8422_2325L;
  private static final long PRIME = 0x100_0000_01b3L;
  private static final long MIX_1 = 0xff51_afd7_ed55_8ccdL;
  private static final long MIX_2 = 0xc4ce_b9fe_1a85_ec53L;

  static TagHash of(String tag) {
    return new TagHash(tag, hash(tag));
  }

  /** The upper half, by which the lines of an index are sorted, unsigned. */
  int order() {
    return (int) (hash >>> Integer.SIZE);
  }

  /** FNV-1a over the chars, and a finalizer that spreads them over all bits. */
  public static long hash(String text) {
    long hash = OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * MIX_1;
    hash = (hash ^ (hash >>> 33)) * MIX_2;
    return hash ^ (hash >>> 33);
  }
}
