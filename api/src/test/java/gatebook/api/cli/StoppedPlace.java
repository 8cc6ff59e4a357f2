package gatebook.api.cli;

import static org.awaitility.Awaitility.await;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.JournalOutage;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalEditor;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** A journal in a data directory that no process holds, with its database there or on a server. */
final class StoppedPlace {
  static final int EVENTS = 7;

  enum Where {
    SEGMENTS,
    POSTGRES
  }

  final Path data;
  private final Map<String, String> environment = new HashMap<>();
  private final Optional<String> url;
  final JournalSettings settings;
  private String verifierKey = "";

  StoppedPlace(Path temp, Where where) {
    this(temp, where, JournalLimits.DEFAULT.segmentBytesMax());
  }

  StoppedPlace(Path temp, Where where, long segmentBytesMax) {
    data = temp.resolve("data");
    ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory().close();
    if (where == Where.POSTGRES) {
      SharedLocation shared = Journals.freshSchema();
      environment.put("GATEBOOK_DB_USER", shared.user());
      environment.put("GATEBOOK_DB_PASSWORD", shared.password());
      url = Optional.of(shared.url());
    } else {
      url = Optional.empty();
    }
    settings =
        Journals.withSegments(
            new JournalPlace(data, url).settings(JournalSection.DEFAULT, environment),
            segmentBytesMax);
    try (Journal journal = Journals.opened(settings)) {
      verifierKey = journal.verifier().text();
      IntStream.range(0, EVENTS).forEach(_ -> append(journal));
    }
  }

  String verifierKey() {
    return verifierKey;
  }

  /** Moves the sealed segments to an archive. */
  void moveTo(Path archive) {
    SegmentRetention retention =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> DirectoryTarget.open(archive)),
            Duration.ofMillis(20));
    try (Journal _ =
        Journals.opened(
            Journals.at(((SegmentLocation) settings.location()).with(retention), settings))) {
      await().until(() -> Files.exists(data.resolve("journal/0000000000000000001.archived")));
    }
  }

  void append() {
    try (Journal journal = Journals.opened(settings)) {
      append(journal);
    }
  }

  private static void append(Journal journal) {
    journal
        .append(
            ConflictCondition.none(),
            List.of(new EventVocabulary().draft(outage(), OperatorTestNode.AT)))
        .join();
  }

  JournalState state() {
    try (Journal journal = Journals.opened(settings)) {
      return journal.state();
    }
  }

  CheckpointKey key() {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(settings.keyFile())).key();
  }

  JournalEditor editor() {
    return Journals.editor(settings.location());
  }

  CommandRun verify(String... more) {
    return run(new VerifyCommand(environment), more);
  }

  /** Runs a command on this journal. */
  CommandRun run(Object command, String... more) {
    List<String> args = new ArrayList<>(List.of("--data", data.toString()));
    url.ifPresent(it -> args.addAll(List.of("--db", it)));
    return CommandRun.of(command, args, more);
  }

  Map<String, String> environment() {
    return environment;
  }

  static JournalOutage outage() {
    return new JournalOutage(OperatorTestNode.AT, OperatorTestNode.AT, "test", 1, 0);
  }
}
