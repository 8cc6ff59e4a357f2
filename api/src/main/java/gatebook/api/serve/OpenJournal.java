package gatebook.api.serve;

import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalFigures;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.axon.JournalEngine;
import gatebook.events.journal.axon.JournalEventStore;
import gatebook.events.journal.axon.Messages;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.SimpleEventBus;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;

/** The journal as probes and Prometheus see it. */
final class OpenJournal implements JournalDoor {

  private final Journal journal;

  OpenJournal(Journal journal) {
    this.journal = journal;
  }

  @Override
  public Status status() {
    return switch (journal.state()) {
      case JournalState.Writable() -> status("appending", Optional.empty());
      case JournalState.Unavailable(var reason) -> status("unavailable", Optional.of(reason));
      case JournalState.Distrusted(var reason) -> status("distrusted", Optional.of(reason));
      case JournalState.Closed() -> status("closed", Optional.of("the journal is closed"));
    };
  }

  @Override
  public EventStore eventStore(Configuration axon) {
    return new JournalEventStore(
        new JournalEngine(journal, new Messages(axon.getComponent(EventConverter.class))),
        new SimpleEventBus(), // whoever wants to hear of events follows the journal
        axon.getComponent(TagResolver.class));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "events.stored", "events stored", JournalFigures::eventsStored);
    count(registry, "bytes.stored", "bytes of stored events", JournalFigures::bytesStored);
    count(registry, "checkpoints", "checkpoints signed", JournalFigures::checkpoints);
    count(registry, "conflicts", "appends whose condition failed", JournalFigures::conflicts);
    count(registry, "overloaded", "appends refused by a full queue", JournalFigures::overloaded);
    count(registry, "unavailable", "appends that failed", JournalFigures::unavailable);
    count(registry, "unstorable", "appends of flawed events", JournalFigures::unstorable);
    count(registry, "recoveries", "times the database came back", JournalFigures::recoveries);
    count(
        registry,
        "checkpoint.file.failures",
        "checkpoints that did not reach their file",
        JournalFigures::checkpointFileFailures);
    commits(registry);
    gauge(registry, "head", "position of the newest event", Journal::head);
    gauge(registry, "queue.events", "events waiting to be written", Journal::queuedEvents);
    gauge(registry, "queue.bytes", "bytes waiting to be written", Journal::queuedBytes);
  }

  @Override
  public void close() {
    journal.close();
  }

  private Status status(String word, Optional<String> problem) {
    return new Status(word, problem, journal.durability().name().toLowerCase(Locale.ROOT));
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
