package gatebook.api.serve;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
import gatebook.api.operator.Desk;
import gatebook.api.operator.Ports;
import gatebook.api.owner.OwnersDoor;
import gatebook.command.rules.Limits;
import gatebook.events.journal.Book;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalFigures;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.axon.BookEngine;
import gatebook.events.journal.axon.JournalEngine;
import gatebook.events.journal.axon.JournalEventStore;
import gatebook.events.journal.axon.Messages;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.events.vocabulary.VocabularyConverter;
import gatebook.query.Views;
import gatebook.query.calls.OpenCall;
import gatebook.query.projection.Standing;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.SimpleEventBus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal and its views as probes, Prometheus and operators see them. */
final class OpenJournal implements JournalDoor {

  private static final Logger LOG = LoggerFactory.getLogger(OpenJournal.class);

  private final Journal journal;
  private final ViewFile file;
  private final Views views;
  private final OperatorToken token;
  private final Predicate<OpenCall> leftOpen;
  private @Nullable Desk desk;
  private volatile @Nullable OwnersDoor sharing;

  private OpenJournal(
      Journal journal,
      ViewFile file,
      Views views,
      OperatorToken token,
      Predicate<OpenCall> leftOpen) {
    this.journal = journal;
    this.file = file;
    this.views = views;
    this.token = token;
    this.leftOpen = leftOpen;
  }

  /**
   * Has the views follow the journal.
   *
   * @param token of the node's own operator
   * @param leftOpen whether the process that has a call is no more
   */
  static OpenJournal of(
      Journal journal, ViewFile file, OperatorToken token, Predicate<OpenCall> leftOpen) {
    return new OpenJournal(journal, file, Views.follow(file, journal), token, leftOpen);
  }

  @Override
  public void introduce(ApplicationContext controllers, Ports ports) {
    controllers.registerSingleton(Desk.class, desk(ports));
  }

  private synchronized Desk desk(Ports ports) {
    Desk made = desk;
    if (made == null) {
      made = new Desk(journal, views, token, ports, Version.text(), Clock.systemUTC());
      desk = made;
    }
    return made;
  }

  @Override
  public Optional<byte[]> answer(Ports ports, String shown, byte[] message) {
    return desk(ports).answer(message, shown);
  }

  @Override
  public Book book() {
    return journal;
  }

  @Override
  public void share(
      DataDirectory directory, Ports ports, Successor successor, Supplier<Limits> limits) {
    try {
      OwnersDoor door =
          OwnersDoor.open(
              journal,
              new SharedDesk(() -> desk(ports), limits),
              () -> closeWhatWasLeft(successor));
      sharing = door;
      directory.announce(door.place());
    } catch (IOException e) {
      LOG.atWarn()
          .setCause(e)
          .log("no port can be opened on this machine: other processes cannot record here");
    }
  }

  @Override
  public void closeWhatWasLeft(Successor successor) {
    new Aftermath(views.calls(), successor, Clock.systemUTC(), leftOpen).begin(journal.head());
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
  public List<Standing> views() {
    return views.all().stream().map(View::standing).toList();
  }

  @Override
  public EventStore eventStore(Configuration axon) {
    return store(messages -> new JournalEngine(journal, messages), axon);
  }

  /** The store of commands' events, in their words. */
  static EventStore store(Function<Messages, BookEngine> engine, Configuration axon) {
    VocabularyConverter converter = new VocabularyConverter(new Vocabulary());
    return new JournalEventStore(
        engine.apply(new Messages(converter, converter::present)),
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
    views.all().forEach(view -> view(registry, view));
    gauge(registry, "queue.bytes", "bytes waiting to be written", Journal::queuedBytes);
  }

  @Override
  public void close() {
    try {
      if (sharing != null) {
        sharing.close();
      }
      views.close();
      file.close();
    } finally {
      journal.close();
    }
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

  private static void view(MeterRegistry registry, View view) {
    view(
        registry,
        view,
        "position",
        "everything up to this position is in the view",
        Standing::position);
    view(registry, view, "lag", "events the view is behind the journal", Standing::lag);
    view(registry, view, "parked", "events the view could not take in", Standing::parked);
  }

  private static void view(
      MeterRegistry registry,
      View view,
      String name,
      String what,
      ToDoubleFunction<Standing> figure) {
    Gauge.builder("gatebook.view." + name, view, it -> figure.applyAsDouble(it.standing()))
        .tag("view", view.name())
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
