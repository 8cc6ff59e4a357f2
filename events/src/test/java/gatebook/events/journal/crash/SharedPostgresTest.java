package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.axon.EventMessages;
import gatebook.events.journal.axon.FollowableStorageEngine;
import gatebook.events.journal.storage.Entry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.axonframework.conversion.ChainingContentTypeConverter;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes share one PostgreSQL database, and some of them are killed with SIGKILL. */
@Order(1)
class SharedPostgresTest {
  private static final int PROCESSES = 3;
  private static final int APPENDS_MAX = 500;

  private final SplittableRandom random = Proof.random("processes on one PostgreSQL");
  private final Ledger ledger = new Ledger();
  private final List<Child> children = new ArrayList<>();
  private int started;

  @TempDir Path directory;

  @AfterEach
  void killAll() {
    children.forEach(Child::close);
  }

  @Test
  void killedProcessesLeaveADenseJournalInOrder() {
    Place place = new Place("follower", directory, Journals.freshSchema());
    int kills = Proof.rounds(2, 30);
    try (Journal journal = Journals.opened(place.settings())) {
      Reader reader = new Reader(journal);
      Streamer streamer = new Streamer(journal);
      for (int i = 0; i < PROCESSES; i++) {
        children.add(loading(place));
      }
      for (int kill = 0; kill < kills; kill++) {
        int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
        children.remove(random.nextInt(PROCESSES)).close();
        children.add(loading(place));
      }
      children.forEach(child -> child.send("quiet"));
      children.forEach(child -> assertThat(child.done("quiet")).isEqualTo("Writable[]"));

      long size = StoredEdge.of(place.location()).size();
      List<Long> all = LongStream.rangeClosed(1, size).boxed().toList();
      await().untilAsserted(() -> assertThat(reader.positions()).isEqualTo(all));
      await().untilAsserted(() -> assertThat(streamer.positions()).isEqualTo(all));
      ledger.check(journal, place.settings());
      System.err.printf(
          "processes on one PostgreSQL: %d kills, %s, %d events%n", kills, ledger, size);
    }
  }

  /** The journals of a database tell of their appends by one channel. */
  @Test
  void noAppendIsMissedForThatOfAnotherSchema() {
    Place place = new Place("node-1", directory, Journals.freshSchema());
    Place neighbour = new Place("neighbour", directory, Journals.freshSchema());
    try (Journal first = Journals.opened(place.settings());
        Journal second = Journals.opened(place.as("node-2").settings());
        Journal other = Journals.opened(neighbour.settings())) {
      for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 10; j++) {
          Journals.append(first, Journals.draft("a"), Journals.draft("a"));
          Journals.append(other, Journals.draft("b"));
        }
        await().until(() -> second.head() == first.head());
      }
    }
  }

  private Child loading(Place place) {
    Child child = Child.start(place.as("node-" + ++started), ledger::add);
    assertThat(child.opened()).isEqualTo("Writable[]");
    child.send("load", Long.toString(random.nextLong()));
    child.done("load");
    return child;
  }

  /** Follows with a callback, and reads the new events in it. */
  private static final class Reader {
    private final Journal journal;
    private final List<Long> positions = new ArrayList<>();
    private long last;

    Reader(Journal journal) {
      this.journal = journal;
      journal.follow(this::readNew);
    }

    private synchronized void readNew() {
      for (List<Entry> page = journal.read(last, 100);
          !page.isEmpty();
          page = journal.read(last, 100)) {
        page.forEach(entry -> positions.add(entry.position()));
        last = page.getLast().position();
      }
    }

    synchronized List<Long> positions() {
      return List.copyOf(positions);
    }
  }

  /** Follows like a streaming processor of Axon. */
  private static final class Streamer {
    private final MessageStream<EventMessage> stream;
    private final List<Long> positions = new ArrayList<>();

    Streamer(Journal journal) {
      FollowableStorageEngine engine =
          new FollowableStorageEngine(
              journal, new EventMessages(new ChainingContentTypeConverter()));
      stream =
          engine.stream(StreamingCondition.startingFrom(new GlobalSequenceTrackingToken(0)), null);
      stream.setCallback(this::readNew);
    }

    private synchronized void readNew() {
      for (Optional<MessageStream.Entry<EventMessage>> next = stream.next();
          next.isPresent();
          next = stream.next()) {
        positions.add(TrackingToken.fromContext(next.get()).orElseThrow().position().orElseThrow());
      }
    }

    synchronized List<Long> positions() {
      return List.copyOf(positions);
    }
  }
}
