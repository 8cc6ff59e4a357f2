package gatebook.api.node.disk;

import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The reserve of the journal's disk: when less is free, nothing is forwarded, so that there is room
 * to record why. Looks at the disk once in a while, whoever asks.
 */
public final class DiskReserve implements Supplier<Optional<Fault>> {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Fault REACHED = new ServiceUnavailable(Cause.DISK_RESERVE, null);

  private final DiskSpace diskSpace;
  private final long reserveBytes;
  private final LongSupplier nanos;
  private final AtomicLong readAt;
  private volatile boolean reached;

  public DiskReserve(DiskSpace diskSpace, long reserveBytes) {
    this(diskSpace, reserveBytes, System::nanoTime);
  }

  DiskReserve(DiskSpace diskSpace, long reserveBytes, LongSupplier nanos) {
    this.diskSpace = diskSpace;
    this.reserveBytes = reserveBytes;
    this.nanos = nanos;
    this.readAt = new AtomicLong(nanos.getAsLong());
    this.reached = isReachedNow();
  }

  /** Why nothing is forwarded; empty when there is room. */
  @Override
  public Optional<Fault> get() {
    long now = nanos.getAsLong();
    long before = readAt.get();
    if (now - before >= EVERY_NANOS && readAt.compareAndSet(before, now)) {
      reached = isReachedNow();
    }
    return reached ? Optional.of(REACHED) : Optional.empty();
  }

  private boolean isReachedNow() {
    return diskSpace.usage().filter(it -> it.freeBytes() < reserveBytes).isPresent();
  }
}
