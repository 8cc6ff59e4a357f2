package gatebook.api.serve;

import gatebook.api.border.Border;
import gatebook.api.data.DataDirectory;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Door;
import gatebook.api.http.Doors;
import gatebook.api.http.Listen;
import gatebook.api.http.Readiness;
import gatebook.api.rules.ActiveRules;
import gatebook.command.rules.Limits;
import gatebook.command.rules.file.RulesFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node for one conversation in this process: its data directory, its journal and who decides.
 * Nobody calls it over HTTP; operators may ask it, at any free port, some time after its start.
 */
public final class LoneNode implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoneNode.class);
  private static final Listen LOCALLY = new Listen("127.0.0.1", 0, Set.of());

  private final DataDirectory directory;
  private final JournalDoor journal;
  private final Metrics metrics;
  private final BorderWiring border;

  /** Guards what follows. */
  private final Object lock = new Object();

  private @Nullable Doors doors;
  private boolean isClosed;

  /** What starting one ends in. */
  public sealed interface Start {
    record Serving(LoneNode node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  private LoneNode(
      DataDirectory directory, JournalDoor journal, Metrics metrics, BorderWiring border) {
    this.directory = directory;
    this.journal = journal;
    this.metrics = metrics;
    this.border = border;
  }

  /**
   * Takes the data directory, or says who has it.
   *
   * @param config the file with the section {@code journal}; empty for the journal as usual
   * @param rules by which is decided
   */
  public static Start start(Path data, Optional<Path> config, RulesFile rules, Behind behind) {
    return switch (DataDirectory.open(data)) {
      case DataDirectory.Opening.Refused(var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Held(_, _, var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Opened(var directory) ->
          openJournal(
              directory,
              JournalWiring.open(
                  new ServeSettings(data, config, LOCALLY, LOCALLY, Optional.empty()), directory),
              rules,
              behind);
    };
  }

  private static Start openJournal(
      DataDirectory directory, JournalDoor.Opening opening, RulesFile rules, Behind behind) {
    return switch (opening) {
      case JournalDoor.Opening.Refused(var sentence) -> {
        directory.close();
        yield new Start.Refused(sentence);
      }
      case JournalDoor.Opening.Opened(var journal) -> openBorder(directory, journal, rules, behind);
    };
  }

  private static Start openBorder(
      DataDirectory directory, JournalDoor journal, RulesFile rules, Behind behind) {
    return switch (NodesKeys.open(directory.path(), System.getenv())) {
      case NodesKeys.Opening.Refused(var sentence) -> {
        journal.close();
        directory.close();
        yield new Start.Refused(sentence);
      }
      case NodesKeys.Opening.Opened(var keeper) -> {
        Metrics metrics = new Metrics(journal);
        BorderWiring border =
            BorderWiring.open(
                journal, keeper, metrics.registry(), rules, ActiveRules.LOOK_EVERY, behind);
        journal.closeWhatWasLeft(border.successor());
        yield new Start.Serving(new LoneNode(directory, journal, metrics, border));
      }
    };
  }

  public Border border() {
    return border.border();
  }

  public Limits limits() {
    return border.ground().rules().limits();
  }

  /** Lets operators ask, and does not keep its caller waiting for it. */
  public void openToOperators() {
    Thread _ = Thread.ofPlatform().daemon().name("operators").start(this::open);
  }

  private void open() {
    switch (Doors.openAdmin(
        LOCALLY,
        Version.text(),
        this::readiness,
        metrics.registry(),
        context -> {
          journal.introduce(context, border.ports());
          context.registerSingleton(border.border());
          context.registerSingleton(CurrentLimits.class, this::limits);
        })) {
      case Doors.Opening.Refused(var sentence) ->
          LOG.warn("operators cannot ask this process: " + sentence);
      case Doors.Opening.Opened(var opened) -> keep(opened);
    }
  }

  private void keep(Doors opened) {
    synchronized (lock) {
      if (!isClosed) {
        doors = opened;
        directory.announce(opened.at(Door.ADMIN).port());
        return;
      }
    }
    opened.close();
  }

  private Readiness.Answer readiness() {
    return Node.readiness(
        journal.status(),
        border.ground().obstacle(),
        ViewsReadiness.of(journal.views(), limits().viewLagEventsMax()));
  }

  @Override
  public void close() {
    Doors open;
    synchronized (lock) {
      isClosed = true;
      open = doors;
    }
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      border.close();
      metrics.close();
      journal.close();
      directory.close();
    }
  }
}
