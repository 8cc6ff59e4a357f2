package gatebook.events.keys.store;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with one wrapping key on one PostgreSQL. */
class TableKeyStoreTest {
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");
  private static final ContentOwner ALICE = new ContentOwner("alice", DAY);
  private static final ContentOwner NODE = new ContentOwner(null, DAY);
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-04T05:06:07.008Z"));

  @TempDir Path data;
  private SharedLocation location;
  private Path directory;

  @BeforeEach
  void createTheTables() {
    location = Journals.freshSchema();
    Journal journal = Journals.opened(Journals.settings(data, location));
    journal.close();
    directory = data.resolve("keys");
  }

  @Test
  void nodesMakeOneKeyForEachOwner() throws Exception {
    try (TableKeyStore one = opened();
        TableKeyStore two = opened();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<String>> calls =
          IntStream.range(0, 200)
              .<Callable<String>>mapToObj(i ->
                  () -> (i % 2 == 0 ? one : two).current(new ContentOwner("p" + i / 4, DAY)).id())
              .toList();
      Set<String> ids = new HashSet<>();
      for (Future<String> call : callers.invokeAll(calls)) {
        ids.add(call.get());
      }
      assertThat(ids).hasSize(50);
      assertThat(one.list(KeySelection.ALL)).extracting(StoredKey::id).hasSameElementsAs(ids);
    }
  }

  @Test
  void aNodeFindsTheKeysThatAnotherMade() {
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      ContentKey node = one.current(NODE);

      assertThat(found(two, node.id()).bytes()).isEqualTo(node.bytes());
      assertThat(two.find("0123456789abcdef")).isEqualTo(new KeyLookup.Missing());
    }
  }

  @Test
  void nodesMakeOneKeyAheadForEachOwner() {
    LocalDate nextDay = DAY.plusDays(1);
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      for (int i = 0; i < 100; i++) {
        (i % 2 == 0 ? one : two).current(new ContentOwner("p" + i, DAY));
      }
      one.current(ALICE);
      two.current(ALICE);

      assertThat(one.makeDueKeys(nextDay, 1_000)).isEqualTo(51);
      assertThat(two.makeDueKeys(nextDay, 1_000)).isEqualTo(51);

      assertThat(one.list(new KeySelection(null, nextDay, nextDay))).hasSize(101);
      ContentOwner alice = new ContentOwner("alice", nextDay);
      assertThat(two.current(alice).id()).isEqualTo(one.current(alice).id());
    }
  }

  @Test
  void noKeyIsReadyWhenErasuresAreDue() {
    try (TableKeyStore node = opened()) {
      assertThat(node.isReady(ALICE)).isFalse();
      node.current(ALICE);
      assertThat(node.isReady(ALICE)).isTrue();
      now.set(now.get().plusSeconds(1));
      assertThat(node.isReady(ALICE)).isFalse();
    }
  }

  @Test
  void aNodeLearnsOfAnErasureWithinASecond() {
    String id;
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      id = one.current(ALICE).id();
      String kept = two.current(NODE).id();
      found(two, id);
      one.erase(List.of(id), 5);

      assertThat(one.find(id)).isEqualTo(new KeyLookup.Erased());
      now.set(now.get().plusSeconds(1));
      assertThat(two.find(id)).isEqualTo(new KeyLookup.Erased());
      assertThat(two.current(ALICE).id()).isNotEqualTo(id);
      found(one, kept);
      assertThat(two.erasedUpTo()).isEqualTo(5);
    }
    try (TableKeyStore again = opened()) {
      assertThat(again.find(id)).isEqualTo(new KeyLookup.Erased());
      assertThat(again.list(KeySelection.ALL)).hasSize(2);
    }
  }

  @Test
  void aNodeWithAnotherWrappingKeyIsRefused() throws Exception {
    opened().close();
    assertThat(refusal(Optional.of(WrappingKey.random()))).contains("GATEBOOK_WRAPPING_KEY");
    directory = data.resolve("another");
    assertThat(refusal(Optional.empty())).contains("copy that file from a node");
    Files.createDirectories(directory);
    Files.copy(
        data.resolve("keys").resolve(WrappingKeyFile.FILE),
        directory.resolve(WrappingKeyFile.FILE));
    opened().close();
  }

  @Test
  void theStoreOfAnotherJournalIsRefused() {
    try (TableKeyStore store = opened(open(Optional.empty(), journal("aa")))) {
      store.current(ALICE);
    }
    assertThat(refusal(open(Optional.empty(), journal("bb")))).contains("another journal");
    assertThat(refusal(open(Optional.empty(), journal("bb", "0123456789abcdef"))))
        .contains("another journal");
  }

  @Test
  void aKeyOfAnotherOwnerOrStoreIsRefused() throws Exception {
    try (TableKeyStore store = opened()) {
      store.current(ALICE);
      store.current(NODE);
    }
    execute("CREATE TABLE kept AS SELECT * FROM content_key");
    execute("UPDATE content_key k SET wrapped = o.wrapped FROM kept o WHERE k.id <> o.id");
    assertThat(refusal(Optional.empty())).contains("the content key").contains("was changed");

    SharedLocation first = location;
    createTheTables(); // of another store, under the same wrapping key
    try (TableKeyStore store = opened()) {
      store.current(ALICE);
    }
    String schema = first.url().replaceAll(".*currentSchema=", "");
    execute("TRUNCATE content_key");
    execute("INSERT INTO content_key SELECT * FROM %s.kept".formatted(schema));
    assertThat(refusal(Optional.empty())).contains("the content key").contains("was changed");
  }

  @Test
  void tablesFromBeforeARotationStayClosed() throws Exception {
    String alice;
    try (TableKeyStore store = opened()) {
      alice = store.current(ALICE).id();
      execute("CREATE TABLE kept_store AS SELECT * FROM content_key_store");
      execute("CREATE TABLE kept_key AS SELECT * FROM content_key");
      store.erase(List.of(alice), 5);
      store.rotateWrapping("ann");
    }
    execute("TRUNCATE content_key_store, content_key, content_key_erased");
    execute("INSERT INTO content_key_store SELECT * FROM kept_store");
    execute("INSERT INTO content_key SELECT * FROM kept_key");
    assertThat(refusal(Optional.empty())).contains("are wrapped by the key").contains("copy that");
  }

  private void execute(String sql) throws SQLException {
    try (Connection administrator = Journals.administrator(location)) {
      administrator.createStatement().execute(sql);
    }
  }

  private static RecordedKeys journal(String firstLeaf, String... ids) {
    return new RecordedKeys(
        Optional.of(new StoreContent.FirstLeaf(firstLeaf.repeat(32))),
        new LinkedHashSet<>(List.of(ids)));
  }

  @Test
  void aRotationReplacesTheWrappingKeyOfAllNodes() {
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      ContentKey alice = one.current(ALICE);
      WrappingRotation rotation = one.rotateWrapping("ann");
      now.set(now.get().plusSeconds(1));

      assertThat(found(two, alice.id()).bytes()).isEqualTo(alice.bytes());
      assertThat(two.wrappingKey()).isEqualTo(rotation.after());
      assertThat(two.unrecordedRotation()).contains(rotation);
      two.rotationRecorded();
    }
    try (TableKeyStore again = opened()) {
      assertThat(again.unrecordedRotation()).isEmpty();
    }
  }

  @Test
  void aBackupHasTheKeysOfAllNodes() {
    Path file = data.resolve("backup.keys");
    BackupKey key = BackupKey.derive("a long passphrase", new byte[BackupKey.SALT_BYTES], 3);
    ContentKey alice;
    ContentKey node;
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      alice = one.current(ALICE);
      node = two.current(NODE);
      assertThat(one.backUp(file, key, Optional::empty))
          .isEqualTo(new KeyBackup.Writing.Written(2, Optional.of(now.get())));
    }
    createTheTables(); // another database, on which two nodes run already
    try (TableKeyStore one = opened();
        TableKeyStore two = opened()) {
      ContentKey newer = two.current(ALICE);
      assertThat(KeyBackup.read(file, "a long passphrase"))
          .isInstanceOfSatisfying(
              KeyBackup.Reading.Read.class, it -> assertThat(one.add(it.backup())).isEqualTo(2));
      now.set(now.get().plusSeconds(1));
      assertThat(found(two, alice.id()).bytes()).isEqualTo(alice.bytes());
      assertThat(two.current(NODE).id()).isEqualTo(node.id());
      assertThat(two.current(ALICE).id()).isEqualTo(newer.id());
    }
  }

  private static ContentKey found(ContentKeyStore store, String id) {
    KeyLookup lookup = store.find(id);
    assertThat(lookup).isInstanceOf(KeyLookup.Found.class);
    return ((KeyLookup.Found) lookup).key();
  }

  private TableKeyStore opened() {
    return opened(open(Optional.empty(), RecordedKeys.none()));
  }

  private static TableKeyStore opened(ContentKeyStore.Opening opening) {
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Opened.class);
    return (TableKeyStore) ((ContentKeyStore.Opening.Opened) opening).store();
  }

  private String refusal(Optional<WrappingKey> given) {
    return refusal(open(given, RecordedKeys.none()));
  }

  private static String refusal(ContentKeyStore.Opening opening) {
    assertThat(opening).isInstanceOf(ContentKeyStore.Opening.Refused.class);
    return ((ContentKeyStore.Opening.Refused) opening).sentence();
  }

  private ContentKeyStore.Opening open(Optional<WrappingKey> given, RecordedKeys recorded) {
    return TableKeyStore.open(location, directory, given, recorded, now::get);
  }
}
