package gatebook.api.serve;

import gatebook.api.data.DataDirectory;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Door;
import gatebook.api.http.Doors;
import gatebook.api.http.Listen;
import gatebook.api.http.Readiness;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.RulesFiles;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.fault.ServerFault;
import gatebook.events.waiting.Waiting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running node: its data directory, its journal, who decides, and its two doors, opened in this
 * order and closed in the opposite one, so that nothing is answered that cannot be recorded.
 */
final class Node implements AutoCloseable {

  private final DataDirectory directory;
  private final JournalDoor journal;
  private final Metrics metrics;
  private final BorderWiring border;
  private final Doors doors;

  /** What starting a node ends in. */
  sealed interface Start {
    record Serving(Node node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  /** Opens the journal of a node in its data directory. */
  @FunctionalInterface
  interface Journals {
    JournalDoor.Opening open(ServeSettings settings, DataDirectory directory);
  }

  private Node(
      DataDirectory directory,
      JournalDoor journal,
      Metrics metrics,
      BorderWiring border,
      Doors doors) {
    this.directory = directory;
    this.journal = journal;
    this.metrics = metrics;
    this.border = border;
    this.doors = doors;
  }

  static Start start(ServeSettings settings, Journals journals) {
    Optional<String> refusal =
        settings.refusal().or(() -> settings.exposure(() -> knowsPrincipals(settings)));
    return refusal.isPresent()
        ? new Start.Refused(refusal.get())
        : openDirectory(settings, journals);
  }

  /** By what the rules file says now; rules that are broken name nobody. */
  private static boolean knowsPrincipals(ServeSettings settings) {
    return RulesFiles.of(settings.rules(), System.getenv()).read()
            instanceof RulesFile.Reading.Read read
        && !read.rules().principals().isEmpty();
  }

  /** Where a door listens. */
  Listen at(Door door) {
    return doors.at(door);
  }

  BorderWiring border() {
    return border;
  }

  @Override
  public void close() {
    try {
      doors.close();
    } finally {
      border.close();
      closeAll(metrics, journal, directory);
    }
  }

  private static Start openDirectory(ServeSettings settings, Journals journals) {
    return switch (DataDirectory.open(settings.data())) {
      case DataDirectory.Opening.Refused(var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Held(_, _, var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Opened(var directory) ->
          openJournal(settings, directory, journals.open(settings, directory));
    };
  }

  private static Start openJournal(
      ServeSettings settings, DataDirectory directory, JournalDoor.Opening opening) {
    return switch (opening) {
      case JournalDoor.Opening.Refused(var sentence) -> {
        directory.close();
        yield new Start.Refused(sentence);
      }
      case JournalDoor.Opening.Opened(var journal) -> openBorder(settings, directory, journal);
    };
  }

  private static Start openBorder(
      ServeSettings settings, DataDirectory directory, JournalDoor journal) {
    Metrics metrics = new Metrics(journal);
    return switch (NodesKeys.open(directory.path(), System.getenv())) {
      case NodesKeys.Opening.Refused(var sentence) -> {
        closeAll(metrics, journal, directory);
        yield new Start.Refused(sentence);
      }
      case NodesKeys.Opening.Opened(var keeper) ->
          openDoors(
              settings,
              directory,
              journal,
              metrics,
              BorderWiring.open(
                  journal,
                  keeper,
                  metrics.registry(),
                  RulesFiles.of(settings.rules(), System.getenv()),
                  ActiveRules.LOOK_EVERY));
    };
  }

  private static Start openDoors(
      ServeSettings settings,
      DataDirectory directory,
      JournalDoor journal,
      Metrics metrics,
      BorderWiring border) {
    Readiness readiness =
        () ->
            readiness(
                journal.status(),
                border.ground().obstacle(),
                ViewsReadiness.of(
                    journal.views(), border.ground().rules().limits().viewLagEventsMax()));
    metrics.watch(readiness, journal);
    return switch (doors(settings, journal, metrics, border, readiness)) {
      case Doors.Opening.Refused(var sentence) -> {
        border.close();
        closeAll(metrics, journal, directory);
        yield new Start.Refused(sentence);
      }
      case Doors.Opening.Opened(var doors) -> {
        directory.announce(doors.at(Door.ADMIN).port());
        journal.share(
            directory, border.ports(), border.successor(), () -> border.ground().rules().limits());
        journal.closeWhatWasLeft(border.successor());
        yield new Start.Serving(new Node(directory, journal, metrics, border, doors));
      }
    };
  }

  private static Doors.Opening doors(
      ServeSettings settings,
      JournalDoor journal,
      Metrics metrics,
      BorderWiring border,
      Readiness readiness) {
    try (Waiting _ = Waiting.on(() -> "opening the ports for callers and operators")) {
      return Doors.open(
          settings.callers(),
          settings.admin(),
          Version.text(),
          readiness,
          metrics.registry(),
          context -> {
            journal.introduce(context, border.ports());
            context.registerSingleton(border.border());
            context.registerSingleton(CurrentLimits.class, () -> border.ground().rules().limits());
          });
    }
  }

  private static void closeAll(Metrics metrics, JournalDoor journal, DataDirectory directory) {
    try {
      metrics.close();
      journal.close();
    } finally {
      directory.close();
    }
  }

  /** What keeps the journal from appending comes first: without it there are no rules either. */
  private static Readiness.Answer readiness(
      JournalDoor.Status journal, @Nullable ServerFault obstacle, ViewsReadiness views) {
    return new Readiness.Answer(
        checks(journal.word(), rules(obstacle), views.word()),
        journal
            .problem()
            .or(() -> Optional.ofNullable(obstacle).map(Node::problem))
            .or(views::problem)
            .orElse(null),
        journal.durability());
  }

  private static Map<String, String> checks(String journal, String rules, String views) {
    Map<String, String> checks = new LinkedHashMap<>();
    checks.put("journal", journal);
    checks.put("rules", rules);
    checks.put("views", views);
    return checks;
  }

  private static String rules(@Nullable ServerFault obstacle) {
    return switch (obstacle) {
      case null -> "in-force";
      case ServerFault.ServiceUnavailable _ -> "not-recorded";
      case ServerFault _ -> "broken";
    };
  }

  private static String problem(ServerFault obstacle) {
    return obstacle instanceof ServerFault.ServiceUnavailable
        ? "the journal has not taken the rules yet"
        : "the rules file has mistakes: see the log, or gatebook rules check FILE";
  }
}
