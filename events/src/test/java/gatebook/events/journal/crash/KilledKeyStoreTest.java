package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.store.ContentKeyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed with SIGKILL while it makes keys, erases some, and writes the store anew. */
class KilledKeyStoreTest {
  private static final int ONE_KILLED_WHILE_OPENING_IN = 5;
  private static final long OPENING_MILLIS_MAX = 900;
  private static final long NANOS_MAX = 300_000_000;
  private static final int KEYS_MAX = 20;

  private final SplittableRandom random = Proof.random("killed stores of keys");

  /** The digest of each key that a process got, by its id. */
  private final Map<String, String> made = new ConcurrentHashMap<>();

  /** The keys of erasures that began, and those that are erased for good. */
  private final Set<String> erasing = ConcurrentHashMap.newKeySet();

  private final Set<String> erased = ConcurrentHashMap.newKeySet();

  @TempDir Path directory;

  @Test
  void keysInAFileSurviveEveryKill() {
    killAgainAndAgain(Place.inSegments(directory));
  }

  @Test
  void keysInTablesSurviveEveryKill() {
    SharedLocation location = Journals.freshSchema();
    Place place = new Place("node-1", directory, location);
    Journals.opened(place.settings()).close(); // has the tables
    killAgainAndAgain(place);
  }

  private void killAgainAndAgain(Place place) {
    int kills = Proof.rounds(4, 50);
    int readable = 0;
    for (int kill = 0; kill < kills; kill++) {
      try (Child child = Child.start(List.of(), KeyStoreProcess.class, place, this::take)) {
        if (kill > 0 && random.nextInt(ONE_KILLED_WHILE_OPENING_IN) == 0) {
          child.endedWithin(TimeUnit.MILLISECONDS.toNanos(random.nextLong(OPENING_MILLIS_MAX)));
        } else {
          int enough = made.size() + 1 + random.nextInt(KEYS_MAX);
          int begun = kill % 2 == 0 ? erasing.size() + 1 : 0;
          child.opened();
          await()
              .pollInterval(Duration.ofMillis(1))
              .until(() -> made.size() >= enough && erasing.size() >= begun);
          child.endedWithin(random.nextLong(NANOS_MAX));
        }
      }
      readable = check(place);
    }
    System.err.printf(
        "killed stores of keys: %d kills, %d keys made, %d erased, %d readable%n",
        kills, made.size(), erased.size(), readable);
  }

  private boolean take(Line line) {
    switch (line.word()) {
      case "made" -> made.put(line.at(1), line.at(2));
      case "erasing" -> erasing.addAll(List.of(line.at(1).split(",")));
      case "erased" -> erased.addAll(List.of(line.at(1).split(",")));
      case "wrapped" -> {
        // it is followed by reads of the next process
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Each key that a process got is in the store, unless its erasure began; returns how many. */
  private int check(Place place) {
    ContentKeyStore.Opening opening = KeyStoreProcess.open(place);
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Opened.class);
    Set<String> readable = new HashSet<>();
    try (ContentKeyStore store = ((ContentKeyStore.Opening.Opened) opening).store()) {
      made.forEach((id, digest) -> {
        switch (store.find(id)) {
          case KeyLookup.Found(var key) -> {
            assertThat(KeyStoreProcess.digest(key)).isEqualTo(digest);
            assertThat(erased).doesNotContain(id);
            readable.add(id);
          }
          case KeyLookup.Erased() -> {
            assertThat(erasing).contains(id);
            erased.add(id); // for good
          }
          case KeyLookup.Missing() -> throw new AssertionError("the key %s is lost".formatted(id));
        }
      });
    }
    return readable.size();
  }
}
