package gatebook.api.data;

/**
 * The limits of the disk that has the journal.
 *
 * @param warningPercent used, from which on it is told
 * @param urgentPercent used, from which on it is urgent
 * @param reserveBytes free, below which nothing is forwarded
 */
public record DiskLimits(int warningPercent, int urgentPercent, long reserveBytes) {
  public static final DiskLimits DEFAULT = new DiskLimits(80, 90, 256L << 20);

  /** The limits of a disk that has no journal. */
  public DiskLimits withoutReserve() {
    return new DiskLimits(warningPercent, urgentPercent, 0);
  }
}
