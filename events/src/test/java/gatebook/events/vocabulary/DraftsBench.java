package gatebook.events.vocabulary;

import static gatebook.events.bench.Bench.print;

import com.sun.management.ThreadMXBean;
import gatebook.events.Event;
import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Table;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drafting the events of a denied call and opening them, on one thread, in a few seconds: allocated
 * bytes, which are the same in each run, and processor time.
 */
final class DraftsBench {
  private static final int TIMES = Bench.QUICK ? 1_000 : 100_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Table table = new Table("what", "bytes allocated", "µs of processor time");
  private final EventVocabulary eventVocabulary =
      new EventVocabulary(new ReadyKeys(), OldKeys.NONE);

  private DraftsBench() {}

  static void measure(Bench bench) throws Exception {
    new DraftsBench().measure();
  }

  private void measure() throws Exception {
    Instant at = Instant.now();
    List<Event> events = SampleCalls.events(0, at);
    for (Event event : events) {
      add("drafting " + event.getClass().getSimpleName(), () -> eventVocabulary.draft(event, at));
    }
    for (Event event : events) {
      var entry = eventVocabulary.draft(event, at).toEntry(1, "node");
      add("opening " + event.getClass().getSimpleName(), () -> eventVocabulary.open(entry));
    }
    print("%n%s%n", table);
  }

  private void add(String what, Bench.Work work) throws Exception {
    repeat(work); // until it is compiled
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long nanos = threads.getCurrentThreadCpuTime();
    repeat(work);
    nanos = threads.getCurrentThreadCpuTime() - nanos;
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    table.add(what, "%,d".formatted(allocated / TIMES), "%.1f".formatted(nanos / 1e3 / TIMES));
  }

  private static void repeat(Bench.Work work) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      work.run();
    }
  }

  /** Keys that are ready, as a store has them. */
  private static final class ReadyKeys implements ContentKeys {
    private final Map<ContentOwner, ContentKey> keys = new ConcurrentHashMap<>();

    @Override
    public ContentKey current(ContentOwner owner) {
      return keys.computeIfAbsent(
          owner, it -> new ContentKey("0123456789abcdef", it, new byte[ContentKey.BYTES]));
    }

    @Override
    public KeyLookup find(String id) {
      return new KeyLookup.Found(keys.values().iterator().next());
    }
  }
}
