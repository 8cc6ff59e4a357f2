package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CosignatureRefused;
import gatebook.events.Event;
import gatebook.events.OriginBegun;
import gatebook.events.Proof;
import gatebook.events.RollbackFound;
import gatebook.events.call.Bytes;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.RestoreContinuation;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.witness.CosignatureCollector.Result;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes witness each other, minute by minute of a simulated clock, while they are restarted,
 * put back to older states, and forked, and while answers are lost.
 */
class MutualWitnessTest {
  private static final EventVocabulary VOCABULARY = new EventVocabulary();
  private static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofMinutes(5);
  private static final int MINUTES = 60;

  @TempDir Path directory;
  private Instant now = Instant.ofEpochSecond(1_800_000_000);

  /** What happened, as the test knows it without the product. */
  private int cosigned;

  private int forksFound;
  private int rollbacksFound;

  @Test
  void everyForkIsFoundAndNoHonestCheckpointIsRefused() throws Exception {
    SplittableRandom random = Proof.random("two nodes that witness each other");
    for (int hour = 0; hour < Proof.rounds(1, 40); hour++) {
      Path place = Files.createDirectory(directory.resolve("hour" + hour));
      try (Node one = new Node("a", place, random.split());
          Node other = new Node("b", place, random.split())) {
        one.meet(other);
        other.meet(one);
        for (int minute = 0; minute < MINUTES; minute++) {
          now = now.plusSeconds(60);
          one.live(minute);
          other.live(minute);
          one.askAndCheck();
          other.askAndCheck();
        }
      }
    }
    assertThat(cosigned).isGreaterThan(MINUTES / 2);
    assertThat(forksFound).isPositive();
    assertThat(rollbacksFound).isPositive();
  }

  /** A node: a log, and a witness of the other one. */
  private final class Node implements AutoCloseable {
    private final Path place;
    private final Path copies;
    private final SplittableRandom random;
    private final JournalSettings settings;
    private final CosigningKey cosigningKey;
    private final List<Event> recorded = new ArrayList<>();
    private final List<Path> older = new ArrayList<>();
    private WitnessedLogs known = new WitnessedLogs(Map.of());
    private Journal journal;
    private Node witness;
    private int copied;
    private boolean losesAnswers;

    Node(String name, Path parent, SplittableRandom random) throws IOException {
      this.place = Files.createDirectory(parent.resolve(name));
      this.copies = Files.createDirectory(parent.resolve(name + "-copies"));
      this.random = random;
      this.settings = Journals.inSegments(Files.createDirectory(place.resolve("log")));
      Files.createDirectory(place.resolve("cosigned"));
      Files.createDirectory(place.resolve("kept"));
      this.cosigningKey =
          loaded(
              CosigningKey.loadOrCreate(place.resolve("cosigning.key"), "witness.example/" + name));
      this.journal = Journals.opened(settings);
      this.witness = this;
    }

    void meet(Node other) {
      witness = other;
      other.know(journal.verifier());
    }

    private void know(VerifierKey key) {
      known =
          WitnessedLogs.of(
              Stream.concat(known.keys().values().stream().flatMap(List::stream), Stream.of(key))
                  .toList());
    }

    /** What happens within a minute. */
    void live(int minute) throws Exception {
      append(1 + random.nextInt(20));
      losesAnswers = random.nextInt(8) == 0;
      if (minute % 20 >= 18) { // so that there is something to put back below
        older.add(copy());
        losesAnswers = false;
        return;
      }
      switch (minute == 20 ? 3 : minute == 40 ? 4 : random.nextInt(12)) {
        case 0, 1 -> older.add(copy());
        case 2 -> restart();
        case 3 -> putBack(minute, head().size() + random.nextInt(5));
        case 4 -> putBack(minute, 0);
        default -> {}
      }
    }

    private void append(long events) {
      append(Stream.generate(() -> Journals.draft("x" + random.nextLong())).limit(events).toList());
    }

    private void append(List<DraftEvent> drafts) {
      Append _ = journal.append(ConflictCondition.none(), drafts).join();
      journal.sign().join();
    }

    private void restart() {
      journal.close();
      journal = Journals.opened(settings);
    }

    private Path copy() throws IOException {
      journal.close();
      Path copy = copies.resolve("copy" + copied++);
      copyAll(place.resolve("log"), copy);
      journal = Journals.opened(settings);
      return copy;
    }

    /** Puts the log back to an older state, from which it goes on, up to so many events. */
    private void putBack(int minute, long size) throws IOException {
      if (!older.isEmpty()) {
        putBack(older.get(minute % 20 == 0 ? 0 : random.nextInt(older.size())));
        append(Math.max(1, size - head().size()));
      }
    }

    private void putBack(Path copy) throws IOException {
      journal.close();
      removeAll(place.resolve("log"));
      copyAll(copy, place.resolve("log"));
      journal = Journals.opened(settings);
    }

    /** Asks the witness, and compares what comes of it with what both really have. */
    void askAndCheck() throws Exception {
      Checkpoint head = head();
      Optional<Checkpoint> seen = witness.seen(head.origin());
      Result result =
          collector()
              .ask(
                  new KnownWitness("w", witness.key(), URI.create("test:w")), CLOCK_DIFFERENCE_MAX);
      if (seen.isPresent() && seen.get().size() > head.size()) {
        requireFound(result, WitnessFailure.ROLLED_BACK, RollbackFound.class);
        recoverFromRollback();
      } else if (seen.isPresent() && !Arrays.equals(root(seen.get().size()), seen.get().root())) {
        requireFound(result, WitnessFailure.INCONSISTENT, CosignatureRefused.class);
        recoverFromFork(seen.get());
      } else {
        requireHonest(result, head);
      }
    }

    private CosignatureCollector collector() {
      return new CosignatureCollector(
          journal,
          new CosignatureStore(new CosignedFiles(place.resolve("kept"))),
          new InProcess(),
          this::record,
          () -> now);
    }

    private void record(Event event) {
      recorded.add(event);
      assertThat(
              journal
                  .append(ConflictCondition.none(), List.of(VOCABULARY.draft(event, now)))
                  .join())
          .isInstanceOf(Append.Stored.class);
    }

    private void requireFound(Result result, WitnessFailure failure, Class<? extends Event> event) {
      if (losesAnswers) {
        requireLost(result);
        losesAnswers = false;
        requireFound(
            collector()
                .ask(
                    new KnownWitness("w", witness.key(), URI.create("test:w")),
                    CLOCK_DIFFERENCE_MAX),
            failure,
            event);
        return;
      }
      assertThat(result)
          .isInstanceOfSatisfying(
              Result.Failed.class, it -> assertThat(it.failure()).isEqualTo(failure));
      assertThat(recorded).singleElement().isInstanceOf(event);
      recorded.clear();
    }

    private void requireHonest(Result result, Checkpoint head) throws IOException {
      if (losesAnswers) {
        requireLost(result);
      } else {
        assertThat(result)
            .isInstanceOfSatisfying(
                Result.Cosigned.class,
                it -> assertThat(it.checkpoint().checkpoint()).isEqualTo(head));
        assertThat(witness.seen(head.origin())).contains(head);
        cosigned++;
      }
      assertThat(recorded).isEmpty();
    }

    private static void requireLost(Result result) {
      assertThat(result)
          .isInstanceOfSatisfying(
              Result.Failed.class,
              it -> assertThat(it.failure()).isEqualTo(WitnessFailure.NO_ANSWER));
    }

    /** Nothing is appended, also after a restart, until an operator acts. */
    private void recoverFromRollback() throws Exception {
      rollbacksFound++;
      requireStopped();
      restart();
      requireStopped();
      journal.close();
      RestoredMark mark = rolledBack();
      String origin = CheckpointKey.newName();
      OriginBegun begun =
          new OriginBegun(
              "alice",
              "a disk was put back",
              mark.origin(),
              origin,
              mark.size(),
              new Bytes(mark.root()),
              null);
      assertThat(
              RestoreContinuation.of(
                  settings, mark, List.of(VOCABULARY.draft(begun, now)), Optional.of(origin)))
          .isInstanceOf(RestoreContinuation.Outcome.Continues.class);
      older.clear();
      journal = Journals.opened(settings);
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      witness.know(journal.verifier().named(origin));
    }

    private RestoredMark rolledBack() throws OpenRefusal {
      return RestoreContinuation.rolledBack(settings).orElseThrow();
    }

    private void requireStopped() {
      assertThat(journal.state()).isInstanceOf(JournalState.RolledBack.class);
      assertThat(Journals.append(journal, Journals.draft("z"))).isInstanceOf(Append.ReadOnly.class);
    }

    /** The operator has no copy of what the witness saw: the witness gives up the log. */
    private void recoverFromFork(Checkpoint seen) throws IOException {
      forksFound++;
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      Files.delete(witness.cosignedFile(seen.origin()));
      older.clear();
    }

    private Path cosignedFile(String origin) {
      return place.resolve("cosigned").resolve(WitnessedLogs.hash(origin) + ".checkpoint");
    }

    private Checkpoint head() {
      return Checkpoint.ofNote(journal.newestCheckpoint().orElseThrow().note()).orElseThrow();
    }

    private byte[] root(long size) {
      RightEdge edge = new RightEdge();
      if (size > 0) {
        journal.leaves(0, size).forEach(edge::append);
      }
      return edge.root();
    }

    private VerifierKey key() {
      return cosigningKey.verifier();
    }

    private Witness witness() {
      return new Witness(cosigningKey, new CosignedFiles(place.resolve("cosigned")), () -> now);
    }

    /** What this node cosigned last of a log. */
    private Optional<Checkpoint> seen(String origin) throws IOException {
      return witness().newest(WitnessedLogs.hash(origin), known).flatMap(Checkpoint::ofNote);
    }

    @Override
    public void close() {
      journal.close();
    }

    /** The connection to the other node, without HTTP. */
    private final class InProcess implements WitnessConnection {
      @Override
      public Response post(URI url, byte[] body) {
        try {
          WitnessAnswer answer = witness.witness().add(body, witness.known);
          return losesAnswers ? new Response.Failed("the answer was lost") : response(answer);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public Response get(URI url) {
        try {
          String log = url.toString().split("/", -1)[1];
          return witness
              .witness()
              .newest(log, witness.known)
              .map(note -> answered(200, "text/plain", note))
              .orElseGet(() -> answered(404, "text/plain", ""));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      private static Response response(WitnessAnswer answer) {
        return switch (answer) {
          case WitnessAnswer.Cosigned(String lines) -> answered(200, "text/plain", lines);
          case WitnessAnswer.OtherSize(long size) -> answered(409, "text/x.tlog.size", size + "\n");
          case WitnessAnswer.Inconsistent _ -> answered(422, "text/plain", "");
          case WitnessAnswer.UnknownLog() -> answered(404, "text/plain", "");
          case WitnessAnswer.Untrusted() -> answered(403, "text/plain", "");
          case WitnessAnswer.Malformed(String why) -> answered(400, "text/plain", why);
        };
      }

      private static Response answered(int status, String type, String body) {
        return new Response.Answered(status, type, body.getBytes(UTF_8));
      }
    }
  }

  private static <K> K loaded(LoadedKey<K> key) {
    return switch (key) {
      case LoadedKey.Key<K>(K known) -> known;
      case LoadedKey.Refused<K>(String why) -> throw new AssertionError(why);
    };
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void removeAll(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
