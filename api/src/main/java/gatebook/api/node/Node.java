package gatebook.api.node;

import gatebook.api.data.DataDirectory;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.Readiness;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.RulesFiles;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.fault.ServerFault;
import gatebook.events.journal.SlowOperation;
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
  private final NodeJournal journal;
  private final ProcessMetrics processMetrics;
  private final GatewayWiring border;
  private final HttpServers httpServers;

  /** What starting a node ends in. */
  sealed interface Start {
    record Serving(Node node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  /** Opens the journal of a node in its data directory. */
  @FunctionalInterface
  interface Journals {
    NodeJournal.Opening open(ServeSettings settings, DataDirectory directory);
  }

  private Node(
      DataDirectory directory,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring border,
      HttpServers httpServers) {
    this.directory = directory;
    this.journal = journal;
    this.processMetrics = processMetrics;
    this.border = border;
    this.httpServers = httpServers;
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
  ListenAddress at(Port port) {
    return httpServers.at(port);
  }

  GatewayWiring border() {
    return border;
  }

  @Override
  public void close() {
    try {
      httpServers.close();
    } finally {
      border.close();
      closeAll(processMetrics, journal, directory);
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
      ServeSettings settings, DataDirectory directory, NodeJournal.Opening opening) {
    return switch (opening) {
      case NodeJournal.Opening.Refused(var sentence) -> {
        directory.close();
        yield new Start.Refused(sentence);
      }
      case NodeJournal.Opening.Opened(var journal) -> openBorder(settings, directory, journal);
    };
  }

  private static Start openBorder(
      ServeSettings settings, DataDirectory directory, NodeJournal journal) {
    ProcessMetrics processMetrics = new ProcessMetrics(journal);
    return switch (NodeKeys.open(directory.path(), System.getenv())) {
      case NodeKeys.Opening.Refused(var sentence) -> {
        closeAll(processMetrics, journal, directory);
        yield new Start.Refused(sentence);
      }
      case NodeKeys.Opening.Opened(var payloadRecorder) ->
          openDoors(
              settings,
              directory,
              journal,
              processMetrics,
              GatewayWiring.open(
                  journal,
                  payloadRecorder,
                  processMetrics.registry(),
                  RulesFiles.of(settings.rules(), System.getenv()),
                  ActiveRules.LOOK_EVERY));
    };
  }

  private static Start openDoors(
      ServeSettings settings,
      DataDirectory directory,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring border) {
    Readiness readiness =
        () ->
            readiness(
                journal.status(),
                border.ground().obstacle(),
                ViewsReadiness.of(
                    journal.views(), border.ground().rules().limits().viewLagEventsMax()));
    processMetrics.watch(readiness, journal);
    return switch (doors(settings, journal, processMetrics, border, readiness)) {
      case HttpServers.Opening.Refused(var sentence) -> {
        border.close();
        closeAll(processMetrics, journal, directory);
        yield new Start.Refused(sentence);
      }
      case HttpServers.Opening.Opened(var httpServers) -> {
        directory.announce(httpServers.at(Port.ADMIN).port());
        journal.share(
            directory, border.ports(), border.successor(), () -> border.ground().rules().limits());
        journal.closeWhatWasLeft(border.successor());
        yield new Start.Serving(new Node(directory, journal, processMetrics, border, httpServers));
      }
    };
  }

  private static HttpServers.Opening doors(
      ServeSettings settings,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring border,
      Readiness readiness) {
    try (SlowOperation _ = SlowOperation.on(() -> "opening the ports for callers and operators")) {
      return HttpServers.open(
          settings.callers(),
          settings.admin(),
          Version.text(),
          readiness,
          processMetrics.registry(),
          context -> {
            journal.introduce(context, border.ports());
            context.registerSingleton(border.border());
            context.registerSingleton(CurrentLimits.class, () -> border.ground().rules().limits());
          });
    }
  }

  private static void closeAll(
      ProcessMetrics processMetrics, NodeJournal journal, DataDirectory directory) {
    try {
      processMetrics.close();
      journal.close();
    } finally {
      directory.close();
    }
  }

  /** What keeps the journal from appending comes first: without it there are no rules either. */
  private static Readiness.Answer readiness(
      NodeJournal.Status journal, @Nullable ServerFault obstacle, ViewsReadiness views) {
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
