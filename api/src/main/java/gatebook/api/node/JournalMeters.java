package gatebook.api.node;

import gatebook.api.erasure.ErasureFigures;
import gatebook.api.node.disk.DiskWatch;
import gatebook.events.call.ErasureCause;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalFigures;
import gatebook.events.journal.JournalState;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.query.Views;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of a journal, its views, its content keys and its disk. */
record JournalMeters(
    Journal journal,
    Views views,
    ContentKeyStore contentKeys,
    ErasureFigures erasureFigures,
    DiskWatch diskWatch)
    implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "events.stored", "events stored", JournalFigures::eventsStored);
    count(registry, "bytes.stored", "bytes of stored events", JournalFigures::bytesStored);
    count(registry, "checkpoints", "checkpoints signed", JournalFigures::checkpoints);
    count(registry, "conflicts", "appends whose condition failed", JournalFigures::conflicts);
    count(registry, "overloaded", "appends refused by a full queue", JournalFigures::overloaded);
    count(registry, "unavailable", "appends that failed", JournalFigures::unavailable);
    count(registry, "unstorable", "appends of flawed events", JournalFigures::unstorable);
    count(
        registry,
        "recoveries",
        "times the journal wrote again after a failure",
        JournalFigures::recoveries);
    count(
        registry,
        "checkpoint.file.failures",
        "checkpoints that did not reach their file",
        JournalFigures::checkpointFileFailures);
    commits(registry);
    gauge(registry, "head", "position of the newest event", Journal::head);
    gauge(
        registry,
        "damaged.files",
        "files of the journal that were removed or changed while they are open",
        it -> it.damagedFiles().size());
    gauge(
        registry,
        "rolled.back",
        "1 when a witness showed that the journal was rolled back, else 0",
        it -> it.state() instanceof JournalState.RolledBack ? 1 : 0);
    gauge(registry, "queue.events", "events waiting to be written", Journal::queuedEvents);
    Views.NAMES.forEach(name -> view(registry, name, views.named(name)));
    gauge(registry, "queue.bytes", "bytes waiting to be written", Journal::queuedBytes);
    Gauge.builder("gatebook.content.keys", contentKeys, ContentKeyStore::count)
        .description("keys of content that is not erased")
        .register(registry);
    FunctionCounter.builder("gatebook.archive.failures", journal, Journal::archiveFailures)
        .description("attempts to move segments to the archive that failed")
        .register(registry);
    for (ErasureCause cause : ErasureCause.values()) {
      erasures(registry, cause, "completed", it -> it.countCompleted(cause));
      erasures(registry, cause, "refused", it -> it.countRefused(cause));
    }
    Gauge.builder("gatebook.disk.used.ratio", diskWatch, DiskWatch::usedRatio)
        .description(
            "used part of the disk that has the journal, or only the views of a shared one")
        .register(registry);
    Gauge.builder("gatebook.disk.left.seconds", diskWatch, DiskWatch::secondsLeft)
        .description("seconds until that disk is full at today's growth; NaN while it is unknown")
        .register(registry);
  }

  private void count(
      MeterRegistry registry, String name, String what, ToDoubleFunction<JournalFigures> figure) {
    FunctionCounter.builder("gatebook.journal." + name, journal.figures(), figure)
        .description(what)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToDoubleFunction<Journal> figure) {
    Gauge.builder("gatebook.journal." + name, journal, figure).description(what).register(registry);
  }

  private void erasures(
      MeterRegistry registry,
      ErasureCause cause,
      String outcome,
      ToDoubleFunction<ErasureFigures> figure) {
    FunctionCounter.builder("gatebook.erasures", erasureFigures, figure)
        .tag("cause", cause.word())
        .tag("outcome", outcome)
        .description("erasures of content")
        .register(registry);
  }

  private static void view(MeterRegistry registry, String name, View view) {
    view(
        registry,
        name,
        view,
        "position",
        "everything up to this position is in the view",
        ViewStatus::position);
    view(registry, name, view, "lag", "events the view is behind the journal", ViewStatus::lag);
    view(registry, name, view, "parked", "events the view could not take in", ViewStatus::parked);
  }

  private static void view(
      MeterRegistry registry,
      String view,
      View measured,
      String name,
      String what,
      ToDoubleFunction<ViewStatus> figure) {
    Gauge.builder("gatebook.view." + name, measured, it -> figure.applyAsDouble(it.status()))
        .tag("view", view)
        .description(what)
        .register(registry);
  }

  private void commits(MeterRegistry registry) {
    FunctionTimer.builder(
            "gatebook.journal.commits",
            journal.figures(),
            JournalFigures::batches,
            JournalFigures::commitNanos,
            TimeUnit.NANOSECONDS)
        .description("batches committed and forced")
        .register(registry);
  }
}
