package gatebook.events.keys.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKeyStoreTest {
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");
  private static final LocalDate NEXT_DAY = DAY.plusDays(1);
  private static final ContentOwner ALICE = new ContentOwner("alice", DAY);
  private static final ContentOwner BOB = new ContentOwner("bob", DAY);
  private static final ContentOwner NODE = new ContentOwner(null, DAY);
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-04T05:06:07.008Z"));

  @TempDir Path data;
  private Path directory;

  @BeforeEach
  void nameTheDirectory() {
    directory = data.resolve("keys");
  }

  @Test
  void anOwnerHasOneKeyAlsoAfterARestart() throws IOException {
    ContentKey alice;
    ContentKey node;
    try (FileKeyStore store = opened()) {
      alice = store.current(ALICE);
      node = store.current(NODE);
      assertThat(store.current(ALICE).id()).isEqualTo(alice.id());
    }
    try (FileKeyStore store = opened()) {
      assertThat(store.current(ALICE).bytes()).isEqualTo(alice.bytes());
      assertThat(found(store, node.id()).owner()).isEqualTo(NODE);
      assertThat(store.find("0123456789abcdef")).isInstanceOf(KeyLookup.Missing.class);
      assertThat(store.list(new KeySelection("alice", DAY, DAY)))
          .containsExactly(new StoredKey(alice.id(), ALICE, CLOCK.instant()));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  @Test
  void callersAtTheSameTimeShareForces() throws Exception {
    StoppingDisk disk = new StoppingDisk();
    try (FileKeyStore store = opened(disk, RecordedKeys.none());
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      int before = disk.forces();
      List<Callable<String>> calls =
          IntStream.range(0, 400)
              .<Callable<String>>mapToObj(
                  i -> () -> store.current(new ContentOwner("p" + i % 200, DAY)).id())
              .toList();
      Set<String> ids = new HashSet<>();
      for (Future<String> call : callers.invokeAll(calls)) {
        ids.add(call.get());
      }
      assertThat(ids).hasSize(200);
      assertThat(disk.forces() - before).isLessThan(200);
    }
  }

  @Test
  void keysOfTheNextDayAreMadeByOneForce() {
    StoppingDisk disk = new StoppingDisk();
    List<ContentOwner> next = new ArrayList<>();
    try (FileKeyStore store = opened(disk, RecordedKeys.none())) {
      for (int i = 0; i < 1_000; i++) {
        store.current(new ContentOwner("p" + i, DAY));
        next.add(new ContentOwner("p" + i, NEXT_DAY));
      }
      assertThat(next).noneMatch(store::isReady);
      int before = disk.forces();

      assertThat(store.dueKeys(NEXT_DAY)).isEqualTo(new ContentKeyStore.DueKeys(1_000, 0));
      assertThat(store.makeDueKeys(NEXT_DAY, 5_000)).isEqualTo(1_000);

      assertThat(disk.forces() - before).isEqualTo(1);
      assertThat(next).allMatch(store::isReady);
      assertThat(store.dueKeys(NEXT_DAY)).isEqualTo(new ContentKeyStore.DueKeys(0, 1_000));
      next.forEach(store::current);
      assertThat(disk.forces() - before).isEqualTo(1);
    }
    try (FileKeyStore store = opened()) {
      assertThat(next).allMatch(store::isReady);
    }
  }

  @Test
  void keysAreMadeBeforehandForThoseWhoUsedOne() {
    try (FileKeyStore store = opened()) {
      store.current(ALICE);
      store.current(NODE);
      store.current(BOB);
      store.erase(List.of(store.current(ALICE).id()), 1);

      assertThat(store.makeDueKeys(NEXT_DAY, 1)).isEqualTo(1);
      assertThat(owners(store)).containsExactly(NODE, BOB, new ContentOwner(null, NEXT_DAY));
      assertThat(store.makeDueKeys(NEXT_DAY, 5)).isEqualTo(1);
      assertThat(owners(store)).endsWith(new ContentOwner("bob", NEXT_DAY));
      assertThat(store.makeDueKeys(NEXT_DAY, 5)).isZero();

      store.current(new ContentOwner("bob", NEXT_DAY)); // the node uses none on that day
      assertThat(store.makeDueKeys(NEXT_DAY.plusDays(1), 5)).isEqualTo(1);
      assertThat(owners(store)).endsWith(new ContentOwner("bob", NEXT_DAY.plusDays(1)));
    }
  }

  private static List<ContentOwner> owners(FileKeyStore store) {
    return store.list(KeySelection.ALL).stream().map(StoredKey::owner).toList();
  }

  @Test
  void aTornLastRecordIsCutOff() throws IOException {
    String alice;
    long whole;
    try (FileKeyStore store = opened()) {
      alice = store.current(ALICE).id();
      whole = Files.size(file());
      store.current(BOB);
    }
    byte[] bytes = Files.readAllBytes(file());
    for (int length = (int) whole; length < bytes.length; length += 31) {
      Files.write(file(), Arrays.copyOf(bytes, length));
      try (FileKeyStore store = opened()) {
        assertThat(store.list(KeySelection.ALL)).extracting(StoredKey::id).containsExactly(alice);
      }
      assertThat(Files.size(file())).isEqualTo(whole);
    }
  }

  @Test
  void damageBeforeTheLastRecordIsTold() throws IOException {
    long whole;
    try (FileKeyStore store = opened()) {
      store.current(ALICE);
      whole = Files.size(file());
      store.current(BOB);
    }
    byte[] bytes = Files.readAllBytes(file());
    for (int at = 0; at < whole; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      Files.write(file(), damaged);
      assertThat(refusal(Optional.empty(), RecordedKeys.none()))
          .as("byte " + at)
          .contains("content-keys");
    }
  }

  @Test
  void aWrongWrappingKeyIsRefused() throws IOException {
    try (FileKeyStore store = opened()) {
      store.current(ALICE);
    }
    assertThat(refusal(Optional.of(WrappingKey.random()), RecordedKeys.none()))
        .contains("GATEBOOK_WRAPPING_KEY");
    Path key = directory.resolve(WrappingKeyFile.FILE);
    Files.writeString(key, "nothing");
    assertThat(refusal(Optional.empty(), RecordedKeys.none())).contains("copy that file");
    Files.delete(key);
    assertThat(refusal(Optional.empty(), RecordedKeys.none())).contains("copy that file");
  }

  @Test
  void theWrappingKeyOfTheEnvironmentIsInNoFile() throws IOException {
    Optional<WrappingKey> given = Optional.of(WrappingKey.random());
    String alice;
    try (FileKeyStore store = opened(given)) {
      alice = store.current(ALICE).id();
      store.erase(List.of(store.current(BOB).id()), 7);
    }
    try (FileKeyStore store = opened(given);
        Stream<Path> files = Files.list(directory)) {
      assertThat(found(store, alice).owner()).isEqualTo(ALICE);
      assertThat(files).containsExactly(file());
      assertThatThrownBy(() -> store.rotateWrapping("ann"))
          .isInstanceOf(KeysUnavailable.class)
          .hasMessageContaining("environment");
    }
  }

  @Test
  void theStoreOfAnotherJournalIsRefused() {
    String alice;
    try (FileKeyStore store = opened(new KeyDisk(), journal("aa"))) {
      alice = store.current(ALICE).id();
    }
    assertThat(refusal(Optional.empty(), journal("bb"))).contains("another journal");
    assertThat(refusal(Optional.empty(), journal("bb", "0123456789abcdef")))
        .contains("another journal");
    // its first event was changed and accepted: the keys that it names show that it is the same
    opened(new KeyDisk(), journal("bb", "0123456789abcdef", alice)).close();
    opened(new KeyDisk(), journal("bb")).close();
  }

  @Test
  void missingKeysOfTheNewestEventsAreNamed() {
    String alice;
    String bob;
    try (FileKeyStore store = opened()) {
      alice = store.current(ALICE).id();
      bob = store.current(BOB).id();
      store.erase(List.of(bob), 3);
    }
    assertThat(open(Optional.empty(), journal("aa", alice, bob, "0123456789abcdef")))
        .isInstanceOfSatisfying(
            ContentKeyStore.Opening.Opened.class,
            it -> {
              assertThat(it.missing()).containsExactly("0123456789abcdef");
              it.store().close();
            });
  }

  @Test
  void anErasedKeyIsGoneAndItsOwnerGetsAnother() throws IOException {
    ContentKey alice;
    ContentKey bob;
    try (FileKeyStore store = opened()) {
      alice = store.current(ALICE);
      bob = store.current(BOB);
      byte[] wrappingKey = Files.readAllBytes(directory.resolve(WrappingKeyFile.FILE));
      store.erase(List.of(alice.id(), "0123456789abcdef"), 42);

      assertThat(store.find(alice.id())).isInstanceOf(KeyLookup.Erased.class);
      assertThat(store.current(ALICE).id()).isNotEqualTo(alice.id());
      assertThat(Files.readAllBytes(directory.resolve(WrappingKeyFile.FILE)))
          .isNotEqualTo(wrappingKey);
    }
    try (FileKeyStore again = opened()) {
      assertThat(again.find(alice.id())).isInstanceOf(KeyLookup.Erased.class);
      assertThat(again.find("0123456789abcdef")).isInstanceOf(KeyLookup.Erased.class);
      assertThat(found(again, bob.id()).bytes()).isEqualTo(bob.bytes());
      assertThat(again.erasedUpTo()).isEqualTo(42);
      assertThat(again.list(KeySelection.upTo(DAY))).hasSize(2);
    }
  }

  @Test
  void aRotationIsKnownUntilItIsRecorded() {
    WrappingRotation rotation;
    String alice;
    try (FileKeyStore store = opened()) {
      alice = store.current(ALICE).id();
      String before = store.wrappingKey();
      rotation = store.rotateWrapping("ann");
      assertThat(rotation)
          .isEqualTo(new WrappingRotation(before, store.wrappingKey(), CLOCK.instant(), "ann"));
      assertThat(before).isNotEqualTo(store.wrappingKey());
    }
    try (FileKeyStore store = opened()) {
      assertThat(found(store, alice).owner()).isEqualTo(ALICE);
      assertThat(store.unrecordedRotation()).contains(rotation);
      store.rotationRecorded();
      assertThat(store.unrecordedRotation()).isEmpty();
    }
    try (FileKeyStore store = opened()) {
      assertThat(store.unrecordedRotation()).isEmpty();
    }
  }

  @Test
  void aKilledCreationLosesNoKeyThatWasReturned() throws IOException {
    List<String> returned = new ArrayList<>();
    killEverywhere(
        store -> {
          returned.add(store.current(ALICE).id());
          returned.add(store.current(BOB).id());
        },
        store -> {
          assertThat(returned).allSatisfy(id -> found(store, id));
          returned.clear();
        });
  }

  @Test
  void aKilledErasureIsDoneOrWasNotBegun() throws IOException {
    List<ContentKey> before = new ArrayList<>();
    killEverywhere(
        store -> {
          before.clear();
          before.add(store.current(ALICE));
          before.add(store.current(BOB));
          store.erase(List.of(before.getFirst().id()), 9);
        },
        store -> {
          if (before.size() == 2) {
            assertThat(found(store, before.getLast().id()).bytes())
                .isEqualTo(before.getLast().bytes());
            assertThat(store.find(before.getFirst().id()))
                .isInstanceOf(
                    store.erasedUpTo() == 9 ? KeyLookup.Erased.class : KeyLookup.Found.class);
          }
        });
  }

  @Test
  void aKilledRotationLeavesAReadableStore() throws IOException {
    List<ContentKey> before = new ArrayList<>();
    List<String> fingerprints = new ArrayList<>();
    killEverywhere(
        store -> {
          before.clear();
          fingerprints.clear();
          before.add(store.current(ALICE));
          fingerprints.add(store.wrappingKey());
          store.rotateWrapping("ann");
        },
        store -> {
          if (!fingerprints.isEmpty()) {
            found(store, before.getFirst().id());
            assertThat(store.unrecordedRotation().isPresent())
                .isEqualTo(!fingerprints.getFirst().equals(store.wrappingKey()));
          }
        });
  }

  /** Kills the use at each of its steps, and checks what the next process finds. */
  private void killEverywhere(Consumer<FileKeyStore> use, Consumer<FileKeyStore> check)
      throws IOException {
    boolean killed = true;
    int kills = 0;
    for (int steps = 0; killed; steps++) {
      directory = data.resolve("keys" + steps);
      killed = false;
      StoppingDisk disk = new StoppingDisk().stoppingAfter(steps);
      try {
        use.accept(opened(disk, RecordedKeys.none()));
      } catch (StoppingDisk.Killed _) {
        killed = true;
      } catch (KeysUnavailable e) {
        assertThat(e).hasCauseInstanceOf(StoppingDisk.Killed.class);
        killed = true;
      }
      kills += killed ? 1 : 0;
      try (FileKeyStore store = opened()) {
        check.accept(store);
      }
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.map(it -> it.getFileName().toString()))
            .containsExactlyInAnyOrder(FileKeyStore.FILE, WrappingKeyFile.FILE);
      }
    }
    assertThat(kills).isGreaterThan(10);
  }

  @Test
  void aFailedForceLeavesNoHalfKey() {
    StoppingDisk disk = new StoppingDisk();
    String alice;
    String bob;
    try (FileKeyStore store = opened(disk, RecordedKeys.none())) {
      alice = store.current(ALICE).id();
      disk.failForces(true);
      assertThatThrownBy(() -> store.current(BOB))
          .isInstanceOf(KeysUnavailable.class)
          .hasMessageContaining("input/output error");
      disk.failForces(false);
      bob = store.current(BOB).id();
    }
    try (FileKeyStore store = opened()) {
      assertThat(store.list(KeySelection.ALL))
          .extracting(StoredKey::id)
          .containsExactly(alice, bob);
    }
  }

  @Test
  void fourHundredThousandKeysAreOpened() throws IOException {
    KeyIndex keys = new KeyIndex(LongStream.empty());
    for (int i = 0; i < 400_000; i++) {
      keys.add(PlainKey.random(new ContentOwner("p" + i % 1_000, DAY.plusDays(i / 1_000)), CLOCK));
    }
    StoreContent content = StoreContent.empty(Optional.empty());
    KeyDisk disk = new KeyDisk();
    disk.createDirectory(directory);
    WrappingKey wrappingKey = new WrappingKeyFile(directory, disk).create();
    OpenKeyFile.write(
            directory,
            disk,
            new StoreContent(content.store(), 0, Optional.empty(), Optional.empty(), keys),
            wrappingKey,
            WrappingKey.random())
        .channel()
        .close();
    try (FileKeyStore store = opened()) {
      PlainKey some = keys.all().skip(123_456).findFirst().orElseThrow();
      assertThat(store.current(some.owner()).bytes()).isEqualTo(some.bytes());
      assertThat(store.list(new KeySelection("p7", null, null))).hasSize(400);
    }
  }

  private Path file() {
    return directory.resolve(FileKeyStore.FILE);
  }

  private static RecordedKeys journal(String firstLeaf, String... ids) {
    return new RecordedKeys(
        Optional.of(new StoreContent.FirstLeaf(firstLeaf.repeat(32))),
        new LinkedHashSet<>(List.of(ids)));
  }

  private static ContentKey found(FileKeyStore store, String id) {
    KeyLookup lookup = store.find(id);
    assertThat(lookup).isInstanceOf(KeyLookup.Found.class);
    return ((KeyLookup.Found) lookup).key();
  }

  private FileKeyStore opened() {
    return opened(new KeyDisk(), RecordedKeys.none());
  }

  private FileKeyStore opened(KeyDisk disk, RecordedKeys recorded) {
    return opened(FileKeyStore.open(directory, Optional.empty(), recorded, disk, CLOCK));
  }

  private FileKeyStore opened(Optional<WrappingKey> given) {
    return opened(open(given, RecordedKeys.none()));
  }

  private static FileKeyStore opened(ContentKeyStore.Opening opening) {
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Opened.class);
    return (FileKeyStore) ((ContentKeyStore.Opening.Opened) opening).store();
  }

  private ContentKeyStore.Opening open(Optional<WrappingKey> given, RecordedKeys recorded) {
    return FileKeyStore.open(directory, given, recorded, new KeyDisk(), CLOCK);
  }

  private String refusal(Optional<WrappingKey> given, RecordedKeys recorded) {
    ContentKeyStore.Opening opening = open(given, recorded);
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Refused.class);
    return ((ContentKeyStore.Opening.Refused) opening).sentence();
  }
}
