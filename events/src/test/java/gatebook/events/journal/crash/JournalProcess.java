package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.Journal;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.backup.JournalBackup;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with an open journal: it runs the commands on stdin, and reports the results on stdout.
 * It ends when stdin does, so that it never outlives a test.
 */
final class JournalProcess {
  private final Place place;
  private final Journal journal;
  private final Ballast ballast;
  private Optional<Callers> callers = Optional.empty();

  private JournalProcess(Place place, Journal journal) {
    this.place = place;
    this.journal = journal;
    this.ballast = new Ballast(place.directory().resolve("ballast"));
  }

  public static void main(String[] words) {
    System.setOut(System.err);
    try {
      run(Place.of(words));
    } catch (IOException | RuntimeException e) {
      System.err.println("the journal process failed: " + e);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void run(Place place) throws IOException {
    switch (Journal.open(place.settings())) {
      case Journal.OpenResult.Refused(String sentence) ->
          Reports.write(Line.of("refused", sentence));
      case Journal.OpenResult.Opened(Journal journal) -> {
        Reports.write(Line.of("opened", journal.state().toString()));
        new JournalProcess(place, journal).runCommands();
      }
    }
  }

  private void runCommands() throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      runCommand(Line.read(text).orElseThrow());
    }
  }

  private void runCommand(Line line) throws IOException {
    switch (line.word()) {
      case "load" -> callers = Optional.of(load(line.number(1)));
      case "rotate" -> rotate();
      case "drop" -> Thread.ofPlatform().daemon().start(this::drop);
      case "quiet" -> callers.ifPresent(Callers::stop);
      case "rows" -> rows(line.number(1));
      case "backup" -> backup(Path.of(line.at(1)));
      case "fill" -> ballast.fill();
      case "free" -> ballast.remove();
      default -> throw new IllegalArgumentException(line.word());
    }
    Reports.write(Line.of("done", line.word(), journal.state().toString()));
  }

  private Callers load(long seed) {
    return Callers.start(journal, seed, reportedResult -> Reports.write(reportedResult.line()));
  }

  private void backup(Path directory) throws IOException {
    try (ArchiveTarget target = DirectoryTarget.open(directory)) {
      JournalBackup.Outcome outcome =
          new JournalBackup(journal, target, "test", (_, _, _, _) -> {}).run(Instant.now());
      if (outcome instanceof JournalBackup.Outcome.Refused(String sentence)) {
        System.err.println(sentence);
      }
    }
  }

  /** Drops events as long as the process lives. */
  private void drop() {
    EventDrops drops = TestDrops.keepingEachTenth(journal);
    while (true) {
      boolean isFinished =
          drops.finishBegun().map(EventDrops.Outcome.Dropped.class::isInstance).orElse(true);
      if (isFinished
          && drops.oldest().isPresent()
          && drops.drop(drops.oldest().get()) instanceof EventDrops.Outcome.Dropped) {
        Reports.write(Line.of("dropped"));
      }
      drops.removeArchived();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void rotate() {
    journal
        .checkpointKeyRotation()
        .rotate((oldKey, newKey) ->
            new EventVocabulary()
                .draft(
                    new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                    Instant.now()));
  }

  private void rows(long after) {
    Row.forEach(journal, after, row -> Reports.write(row.line()));
    Reports.write(StoredEdge.of(place.location()).line());
  }
}
