package gatebook.events.keys.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyBackupTest {
  private static final String PASSPHRASE = "a passphrase with an é";
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");
  private static final ContentOwner ALICE = new ContentOwner("alice", DAY);
  private static final ContentOwner BOB = new ContentOwner("bob", DAY);
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.008Z");

  /** Few iterations, so that tests are fast. */
  private static final BackupKey KEY =
      BackupKey.derive(PASSPHRASE, new byte[BackupKey.SALT_BYTES], 3);

  @TempDir Path data;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = data.resolve("backup.keys");
  }

  @Test
  void aLostStoreComesBackFromItsBackup() throws IOException {
    ContentKey alice;
    String bob;
    try (FileKeyStore store = opened("one")) {
      alice = store.current(ALICE);
      bob = store.current(BOB).id();
      store.erase(List.of(bob), 7);
      assertThat(store.backUp(file, KEY, Optional::empty))
          .isEqualTo(new KeyBackup.Writing.Written(1, Optional.of(NOW)));
    }
    byte[] written = Files.readAllBytes(file);
    assertThat(new String(written, ISO_8859_1)).doesNotContain("alice", alice.id());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    KeyBackup backup = read(PASSPHRASE);
    assertThat(backup.at()).isEqualTo(NOW);
    assertThat(backup.keys()).containsExactly(new StoredKey(alice.id(), ALICE, NOW));
    try (FileKeyStore store = opened("two")) {
      assertThat(store.add(backup)).isEqualTo(1);
    }
    try (FileKeyStore store = opened("two")) {
      assertThat(store.current(ALICE).bytes()).isEqualTo(alice.bytes());
      assertThat(store.find(bob)).isInstanceOf(KeyLookup.Erased.class);
      assertThat(store.erasedUpTo()).isEqualTo(7);
      // it goes on as the store of the backup, which its next backup may replace
      assertThat(store.backUp(file, KEY, Optional::empty))
          .isInstanceOf(KeyBackup.Writing.Written.class);
    }
  }

  @Test
  void aRestoreAddsAndBringsNothingBackThatIsErased() {
    ContentKey alice;
    String bob;
    String carol;
    try (FileKeyStore store = opened("one")) {
      alice = store.current(ALICE);
      bob = store.current(BOB).id();
      carol = store.current(new ContentOwner("carol", DAY)).id();
      store.backUp(file, KEY, Optional::empty);
    }
    try (FileKeyStore store = opened("two")) {
      ContentKey newer = store.current(ALICE);
      store.erase(List.of(bob), 9);
      assertThat(store.add(read(PASSPHRASE).without(List.of(carol), 12))).isEqualTo(1);
      assertThat(store.current(ALICE).id()).isEqualTo(newer.id());
      assertThat(store.find(alice.id())).isInstanceOf(KeyLookup.Found.class);
      assertThat(store.find(bob)).isInstanceOf(KeyLookup.Erased.class);
      assertThat(store.find(carol)).isInstanceOf(KeyLookup.Erased.class);
      assertThat(store.erasedUpTo()).isEqualTo(9); // what came after is applied at the start
      assertThat(store.add(read(PASSPHRASE))).isZero();
    }
  }

  @Test
  void anotherPassphraseOpensNothing() {
    try (FileKeyStore store = opened("one")) {
      store.current(ALICE);
      store.backUp(file, KEY, Optional::empty);
    }
    assertThat(KeyBackup.read(file, "another passphrase"))
        .isEqualTo(
            new KeyBackup.Reading.Refused(
                "this passphrase does not open %s: it was made with another one".formatted(file)));
    // the same letters, typed as others do
    assertThat(read("a passphrase with an e\u0301").keys()).hasSize(1);
  }

  @Test
  void everyChangeOfTheFileIsTold() throws IOException {
    try (FileKeyStore store = opened("one")) {
      store.current(ALICE);
      store.erase(List.of("0123456789abcdef"), 3);
      store.backUp(file, KEY, Optional::empty);
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      Files.write(file, damaged);
      assertThat(KeyBackup.read(file, PASSPHRASE))
          .as("byte " + at)
          .isInstanceOf(KeyBackup.Reading.Refused.class);
    }
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(KeyBackup.read(file, PASSPHRASE))
          .as("length " + length)
          .isInstanceOf(KeyBackup.Reading.Refused.class);
    }
    Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
    assertThat(KeyBackup.read(file, PASSPHRASE)).isInstanceOf(KeyBackup.Reading.Refused.class);
  }

  @Test
  void aBackupOfANewerVersionIsRefused() throws IOException {
    try (FileKeyStore store = opened("one")) {
      store.current(ALICE);
      store.backUp(file, KEY, Optional::empty);
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[11] = 2; // the last byte of the version
    Files.write(file, bytes);

    assertThat(KeyBackup.read(file, PASSPHRASE))
        .isEqualTo(
            new KeyBackup.Reading.Refused(
                "%s has format 2 and this version knows 1: use a newer gatebook".formatted(file)));
  }

  @Test
  void aFileThatIsNoBackupOfTheStoreStays() throws IOException {
    Files.writeString(file, "a letter");
    try (FileKeyStore store = opened("one")) {
      assertThat(store.backUp(file, KEY, Optional::empty))
          .isInstanceOf(KeyBackup.Writing.Refused.class);
      assertThat(file).hasContent("a letter");
      Files.delete(file);
      store.backUp(file, KEY, Optional::empty);
    }
    byte[] ofOne = Files.readAllBytes(file);
    try (FileKeyStore store = opened("two")) {
      assertThat(store.backUp(file, KEY, Optional::empty))
          .isInstanceOf(KeyBackup.Writing.Refused.class);
      assertThat(file).hasBinaryContent(ofOne);
      assertThat(store.backUp(data, KEY, Optional::empty))
          .isInstanceOf(KeyBackup.Writing.Refused.class);
      assertThat(store.backUp(data.resolve("missing/file"), KEY, Optional::empty))
          .isInstanceOf(KeyBackup.Writing.Refused.class);
    }
  }

  @Test
  void theKeysOfAnotherJournalAreTold() {
    try (FileKeyStore store = opened(open("one", new KeyDisk(), journal("aa")))) {
      store.current(ALICE);
      store.backUp(file, KEY, Optional::empty);
    }
    assertThat(read(PASSPHRASE).refusal(journal("bb")))
        .hasValueSatisfying(it -> assertThat(it).contains("another journal"));
    assertThat(read(PASSPHRASE).refusal(journal("aa"))).isEmpty();
  }

  @Test
  void aKilledBackupLeavesTheOneOfBefore() throws IOException {
    boolean killed = true;
    int kills = 0;
    for (int steps = 0; killed; steps++) {
      killed = false;
      StoppingDisk disk = new StoppingDisk();
      try (FileKeyStore store = opened(open("one", disk, RecordedKeys.none()))) {
        store.current(ALICE);
        store.backUp(file, KEY, Optional::empty);
        store.current(new ContentOwner("p" + steps, DAY));
        long keys = store.count();
        disk.stoppingAfter(steps);
        try {
          store.backUp(file, KEY, Optional::empty);
        } catch (StoppingDisk.Killed _) {
          killed = true;
          kills++;
        }
        assertThat(read(PASSPHRASE).keys().size())
            .satisfiesAnyOf(
                it -> assertThat((long) it).isEqualTo(keys),
                it -> assertThat((long) it).isEqualTo(keys - 1));
      }
    }
    assertThat(kills).isGreaterThan(5);
  }

  @Test
  void aKilledRestoreLeavesTheOldStoreOrTheNew() {
    String alice;
    try (FileKeyStore store = opened("one")) {
      alice = store.current(ALICE).id();
      store.backUp(file, KEY, Optional::empty);
    }
    KeyBackup backup = read(PASSPHRASE);
    boolean killed = true;
    int kills = 0;
    for (int steps = 0; killed; steps++) {
      killed = false;
      String bob;
      try (FileKeyStore store = opened("store" + steps)) {
        bob = store.current(BOB).id();
      }
      StoppingDisk disk = new StoppingDisk();
      try (FileKeyStore store = opened(open("store" + steps, disk, RecordedKeys.none()))) {
        disk.stoppingAfter(steps);
        store.add(backup);
      } catch (StoppingDisk.Killed _) {
        killed = true;
        kills++;
      } catch (KeysUnavailable e) {
        assertThat(e).hasCauseInstanceOf(StoppingDisk.Killed.class);
        killed = true;
      }
      try (FileKeyStore store = opened("store" + steps)) {
        assertThat(store.find(bob)).isInstanceOf(KeyLookup.Found.class);
        assertThat(store.count()).isEqualTo(store.find(alice) instanceof KeyLookup.Found ? 2 : 1);
      }
    }
    assertThat(kills).isGreaterThan(5);
  }

  @Test
  void manyKeysAreInManyFrames() {
    KeyIndex keys = new KeyIndex(LongStream.range(1, 10_000));
    for (int i = 0; i < 10_000; i++) {
      keys.add(PlainKey.random(new ContentOwner("p" + i, DAY), InstantSource.fixed(NOW)));
    }
    StoreContent content = StoreContent.empty(Optional.empty());
    StoreContent filled =
        new StoreContent(content.store(), 5, content.journal(), content.unrecorded(), keys);
    try {
      KeyBackupFile.write(file, new KeyDisk(), filled, KEY, NOW);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    StoreContent read = read(PASSPHRASE).content();
    assertThat(read.keys().list(KeySelection.ALL)).isEqualTo(keys.list(KeySelection.ALL));
    assertThat(read.keys().erased().toArray()).isEqualTo(keys.erased().toArray());
  }

  private static RecordedKeys journal(String firstLeaf) {
    return new RecordedKeys(
        Optional.of(new StoreContent.FirstLeaf(firstLeaf.repeat(32))), new LinkedHashSet<>());
  }

  private KeyBackup read(String passphrase) {
    KeyBackup.Reading reading = KeyBackup.read(file, passphrase);
    assertThat(reading).isInstanceOf(KeyBackup.Reading.Read.class);
    return ((KeyBackup.Reading.Read) reading).backup();
  }

  private FileKeyStore opened(String name) {
    return opened(open(name, new KeyDisk(), RecordedKeys.none()));
  }

  private ContentKeyStore.Opening open(String name, KeyDisk disk, RecordedKeys recorded) {
    return FileKeyStore.open(
        data.resolve(name), Optional.empty(), recorded, disk, InstantSource.fixed(NOW));
  }

  private static FileKeyStore opened(ContentKeyStore.Opening opening) {
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Opened.class);
    return (FileKeyStore) ((ContentKeyStore.Opening.Opened) opening).store();
  }
}
