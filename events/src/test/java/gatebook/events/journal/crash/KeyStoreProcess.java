package gatebook.events.journal.crash;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.keys.store.TableKeyStore;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A process that makes, erases and wraps content keys anew until it is killed, and reports each
 * result on stdout. It ends when stdin does, so that it never outlives a test.
 */
final class KeyStoreProcess {
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");
  private static final int MAKERS = 4;
  private static final int ERASED_MAX = 5;
  private static final int ONE_WRAPPED_ANEW_IN = 3;

  private KeyStoreProcess() {}

  public static void main(String[] words) {
    System.setOut(System.err);
    Place place = Place.of(words);
    switch (open(place)) {
      case ContentKeyStore.Opening.Refused(String sentence) ->
          Reports.write(Line.of("refused", sentence));
      case ContentKeyStore.Opening.Opened(ContentKeyStore store, _) -> {
        Reports.write(Line.of("opened", store.describe()));
        for (int i = 0; i < MAKERS; i++) {
          Thread.ofVirtual().start(() -> makeKeys(store));
        }
        Thread.ofVirtual().start(() -> change(store));
      }
    }
    Reports.awaitEndOfInput();
    Runtime.getRuntime().halt(0);
  }

  /** Opens the store where the journal of a place has its own. */
  static ContentKeyStore.Opening open(Place place) {
    Path directory = place.directory().resolve("keys");
    return place.location() instanceof SharedLocation shared
        ? TableKeyStore.open(shared, directory, Optional.empty(), RecordedKeys.none())
        : FileKeyStore.open(directory, Optional.empty(), RecordedKeys.none());
  }

  static String digest(ContentKey key) {
    return HexFormat.of().formatHex(Sha256.of(key.bytes()), 0, Long.BYTES);
  }

  private static void makeKeys(ContentKeyStore store) {
    while (true) {
      ContentKey key = store.current(new ContentOwner(UUID.randomUUID().toString(), DAY));
      Reports.write(Line.of("made", key.id(), digest(key)));
    }
  }

  private static void change(ContentKeyStore store) {
    SplittableRandom random = new SplittableRandom();
    while (true) {
      List<String> some = some(store, random);
      if (some.isEmpty() || random.nextInt(ONE_WRAPPED_ANEW_IN) == 0) {
        Reports.write(Line.of("wrapped", store.rotateWrapping("ann").after()));
        store.rotationRecorded();
      } else {
        String ids = String.join(",", some);
        Reports.write(Line.of("erasing", ids));
        store.erase(some, 1);
        Reports.write(Line.of("erased", ids));
      }
    }
  }

  private static List<String> some(ContentKeyStore store, SplittableRandom random) {
    List<StoredKey> keys = store.list(KeySelection.ALL);
    List<String> ids = new ArrayList<>();
    for (int i = random.nextInt(ERASED_MAX); i >= 0 && !keys.isEmpty(); i--) {
      ids.add(keys.get(random.nextInt(keys.size())).id());
    }
    return ids;
  }
}
