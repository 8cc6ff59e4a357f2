package gatebook.events.journal;

import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import gatebook.events.bench.Times;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/** Measures keeping many denied calls: their size on disk, and how fast they are read and found. */
final class StorageMeasurement {
  private static final int APPENDS_IN_FLIGHT = 256;
  private static final int PAGE = 1_000;
  private static final int LOOKUPS = 5_000;

  private final JournalBenchPlan plan;
  private final JournalSettings settings;
  private final JournalSettings settingsOfOneCaller;
  private final DeniedDrafts drafts = new DeniedDrafts();
  private final List<String> calls = new ArrayList<>();
  private final Table table;
  private long payloadBytes;

  StorageMeasurement(JournalBenchPlan plan, Path directory) throws IOException {
    this.plan = plan;
    // compressing in the background would disturb what is measured
    this.settings =
        Journals.withCompression(
            Journals.inSegments(Files.createDirectory(directory.resolve("many"))),
            SegmentCompression.NONE);
    this.settingsOfOneCaller = Journals.inSegments(Files.createDirectory(directory.resolve("one")));
    this.table = new Table("denied calls, segments", "figure");
  }

  Table measure() throws Exception {
    measureGrowth();
    try (Journal journal = Journals.opened(settings)) {
      fill(journal, plan.fewEvents());
      measureLookups(journal);
      fill(journal, plan.events());
      measureLookups(journal);
      measureReads(journal);
      payloadBytes = journal.figures().bytesStored();
      size("while open");
    }
    size("after a clean stop");
    measureStart();
    measureCompressed();
    return table;
  }

  private void measureCompressed() throws Exception {
    long start = System.nanoTime();
    new SegmentEditor(((SegmentLocation) settings.location()).directory()).compress();
    table.add(
        "compressing all sealed segments takes",
        "%.1f s".formatted((System.nanoTime() - start) / 1e9));
    size("with sealed segments compressed");
    try (Journal journal = Journals.opened(settings)) {
      measureLookups(journal);
      measureReads(journal);
    }
  }

  private void measureStart() {
    long start = System.nanoTime();
    try (Journal journal = Journals.opened(settings)) {
      table.add(
          "opening the journal with %,d events".formatted(journal.head()),
          "%.0f ms".formatted((System.nanoTime() - start) / 1e6));
    }
  }

  /** The worst case of a file that is never overwritten: a commit for every event. */
  private void measureGrowth() throws IOException {
    long bytes;
    try (Journal journal = Journals.opened(settingsOfOneCaller)) {
      for (int i = 0; i < plan.fewEvents(); i++) {
        requireStored(Journals.append(journal, drafts.denied(DeniedCall.newCallId())));
      }
      bytes = journal.figures().bytesStored();
      sizeOfOneCaller("while open", bytes);
    }
    sizeOfOneCaller("after a clean stop", bytes);
  }

  private void sizeOfOneCaller(String when, long payload) throws IOException {
    table.add(
        "file of %,d events of one caller %s".formatted(plan.fewEvents(), when),
        "%.1f MB (payload %.1f MB)".formatted(bytes(settingsOfOneCaller) / 1e6, payload / 1e6));
  }

  private void fill(Journal journal, int events) throws InterruptedException {
    Semaphore inFlight = new Semaphore(APPENDS_IN_FLIGHT);
    while (2 * calls.size() < events) {
      String call = DeniedCall.newCallId();
      calls.add(call);
      inFlight.acquire();
      var _ =
          journal
              .append(ConflictCondition.none(), drafts.deniedCall(call))
              .thenAccept(append -> {
                requireStored(append);
                inFlight.release();
              });
    }
    inFlight.acquire(APPENDS_IN_FLIGHT);
  }

  private static void requireStored(Append append) {
    if (!(append instanceof Append.Stored)) {
      throw new IllegalStateException("not stored: " + append);
    }
  }

  private void measureLookups(Journal journal) throws Exception {
    Times times = Times.measure(LOOKUPS, LOOKUPS, () -> lookUp(journal));
    table.add(
        "find one call's events by tag among %,d events".formatted(journal.head()),
        "p50 %,.0f us, p99 %,.0f us".formatted(times.micros(0.5), times.micros(0.99)));
  }

  private void lookUp(Journal journal) {
    Tag tag = new Tag("call", calls.get(ThreadLocalRandom.current().nextInt(calls.size())));
    int found = journal.find(EventCriteria.havingTags(tag), 0, journal.head(), PAGE).size();
    if (found != 2) {
      throw new IllegalStateException("found " + found + " events of a call that has two");
    }
  }

  private void measureReads(Journal journal) {
    List<Double> pages = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      pages.add(perSecond(() -> readPages(journal)));
    }
    table.add("read all by position, journal's pages", Spread.of(pages).text(0) + " events/s");
  }

  private static double perSecond(LongSupplier read) {
    long start = System.nanoTime();
    long events = read.getAsLong();
    return events * 1e9 / (System.nanoTime() - start);
  }

  private static long readPages(Journal journal) {
    long after = 0;
    for (List<Entry> page = journal.read(after, PAGE);
        !page.isEmpty();
        page = journal.read(after, PAGE)) {
      after = page.getLast().position();
    }
    return after;
  }

  private void size(String when) throws IOException {
    long bytes = bytes(settings);
    long events = 2L * calls.size();
    table.add(
        "bytes on disk per event " + when,
        "%,d (%.2f times the payload of %,d)"
            .formatted(bytes / events, bytes / (double) payloadBytes, payloadBytes / events));
  }

  private static long bytes(JournalSettings settings) throws IOException {
    return size(((SegmentLocation) settings.location()).directory());
  }

  private static long size(Path directory) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
