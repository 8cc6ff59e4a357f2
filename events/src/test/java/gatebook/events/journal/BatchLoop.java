package gatebook.events.journal;

import java.util.ArrayList;
import java.util.List;

/** The loop of a bare subject: one thread writes batch after batch for some time. */
public record BatchLoop<X extends Exception>(BatchWriter<X> batchWriter) {

  /** Writes events and makes them durable. */
  @FunctionalInterface
  public interface BatchWriter<X extends Exception> {
    /** Writes the events after those that are written, up to this position. */
    void write(long upTo) throws X;
  }

  /** Measures the batches from a position on. */
  public AppendSample measure(long before, double eventsPerBatch, long millis) throws X {
    List<Long> latencyNanos = new ArrayList<>();
    long start = System.nanoTime();
    long position = before;
    while (System.nanoTime() - start < millis * 1_000_000) {
      long batchStart = System.nanoTime();
      long upTo = before + Math.max(1, Math.round((latencyNanos.size() + 1) * eventsPerBatch));
      batchWriter.write(upTo);
      position = Math.max(position, upTo);
      latencyNanos.add(System.nanoTime() - batchStart);
    }
    long elapsed = System.nanoTime() - start;
    long[] nanos = latencyNanos.stream().mapToLong(Long::longValue).toArray();
    return AppendSample.of(nanos, position - before, elapsed, eventsPerBatch);
  }
}
