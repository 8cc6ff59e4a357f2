package gatebook.events.journal.storage;

/**
 * The limits of everything in the journal that could grow.
 *
 * @param queueEventsMax events queued for the writer; one more is refused
 * @param queueBytesMax bytes of those events
 * @param eventBytesMax the largest event, all its columns together
 * @param batchEventsMax events in one transaction
 * @param batchBytesMax bytes in one transaction; a larger append gets a transaction of its own
 * @param tailEventsMax newest events buffered in memory for followers, a power of two
 * @param tailBytesMax bytes of those events
 * @param checkpointEventsMax events until a checkpoint is signed
 * @param checkpointMillisMax time until an event is covered by a checkpoint
 * @param inDoubtMillisMax how long a caller waits for the outcome of a commit whose response was
 *     lost
 * @param readersMax connections that read at the same time
 * @param segmentBytesMax size at which a segment is sealed and the next one begins, where the
 *     journal is in segments
 * @param segmentBlockBytesMax bytes of a sealed segment that are compressed together
 */
public record JournalLimits(
    int queueEventsMax,
    long queueBytesMax,
    int eventBytesMax,
    int batchEventsMax,
    long batchBytesMax,
    int tailEventsMax,
    long tailBytesMax,
    int checkpointEventsMax,
    long checkpointMillisMax,
    long inDoubtMillisMax,
    int readersMax,
    long segmentBytesMax,
    int segmentBlockBytesMax) {

  private static final long MIB = 1 << 20;
  private static final int KIB = 1 << 10;

  public static final JournalLimits DEFAULT =
      new JournalLimits(
          65_536, 256 * MIB, 1 << 20, 4_096, 16 * MIB, 4_096, 4 * MIB, 10_000, 1_000, 5_000, 8,
          64 * MIB, 128 * KIB);

  /** Places in a segment are numbers of 31 bits, and its last record may be long. */
  private static final long SEGMENT_BYTES_LIMIT = 1_024 * MIB;

  /** Smaller blocks are hardly compressed, and have long tables. */
  public static final int SEGMENT_BLOCK_BYTES_MIN = KIB;

  /** A read of one event reads its whole block. */
  public static final int SEGMENT_BLOCK_BYTES_LIMIT = (int) (16 * MIB);

  public JournalLimits {
    requirePositive(queueEventsMax, "queueEventsMax");
    requirePositive(queueBytesMax, "queueBytesMax");
    requirePositive(eventBytesMax, "eventBytesMax");
    requirePositive(batchEventsMax, "batchEventsMax");
    requirePositive(batchBytesMax, "batchBytesMax");
    requirePositive(tailEventsMax, "tailEventsMax");
    requirePositive(tailBytesMax, "tailBytesMax");
    requirePositive(checkpointEventsMax, "checkpointEventsMax");
    requirePositive(checkpointMillisMax, "checkpointMillisMax");
    requirePositive(inDoubtMillisMax, "inDoubtMillisMax");
    requirePositive(readersMax, "readersMax");
    requirePositive(segmentBytesMax, "segmentBytesMax");
    if (segmentBytesMax > SEGMENT_BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "segmentBytesMax must be at most %d".formatted(SEGMENT_BYTES_LIMIT));
    }
    if (segmentBlockBytesMax < SEGMENT_BLOCK_BYTES_MIN
        || segmentBlockBytesMax > SEGMENT_BLOCK_BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "segmentBlockBytesMax must be from %d to %d"
              .formatted(SEGMENT_BLOCK_BYTES_MIN, SEGMENT_BLOCK_BYTES_LIMIT));
    }
    if (Integer.bitCount(tailEventsMax) != 1) {
      throw new IllegalArgumentException("tailEventsMax must be a power of two");
    }
  }

  private static void requirePositive(long value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, not " + value);
    }
  }
}
