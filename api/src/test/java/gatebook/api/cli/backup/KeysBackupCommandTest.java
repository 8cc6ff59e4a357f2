package gatebook.api.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.backup.RecordedBackups;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.VerifyCommand;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.NewestBackup;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.ErasureBegun;
import gatebook.events.Event;
import gatebook.events.KeysBackupBegun;
import gatebook.events.KeysBackupCompleted;
import gatebook.events.KeysRestoreBegun;
import gatebook.events.OperatorActed;
import gatebook.events.call.ErasureCause;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeysBackupCommandTest {
  private static final LocalDate DAY = LocalDate.parse("2026-01-02");
  private static final Map<String, String> PASSPHRASE =
      Map.of("GATEBOOK_BACKUP_PASSPHRASE", "a long passphrase");

  @TempDir private Path temp;

  private Path data() {
    return temp.resolve("data");
  }

  private Path file() {
    return temp.resolve("vault.keys");
  }

  private CommandRun backup(Map<String, String> environment, String... args) {
    return CommandRun.of(
        new BackupKeysCommand(environment), List.of("--data", data().toString()), args);
  }

  private CommandRun restore(Map<String, String> environment, String... args) {
    return CommandRun.of(
        new RestoreKeysCommand(environment), List.of("--data", data().toString()), args);
  }

  /** Uses the store of the stopped node; each principal has a key. */
  private <T> T stored(Function<ContentKeyStore, T> use) {
    ContentKeyStore.Opening opening =
        JournalKeys.openAlone(new JournalPlace(data(), Optional.empty()), Map.of());
    try (ContentKeyStore store = KeysOnDisk.opened(opening)) {
      return use.apply(store);
    }
  }

  private String keyOf(String principal) {
    return stored(store -> store.current(new ContentOwner(principal, DAY)).id());
  }

  private KeyLookup found(String id) {
    return stored(store -> store.find(id));
  }

  private void loseTheKeys() throws IOException {
    try (Stream<Path> files = Files.list(data().resolve("keys"))) {
      for (Path key : files.toList()) {
        Files.delete(key);
      }
    }
    Files.delete(data().resolve("keys"));
  }

  private List<Event> events() throws IOException {
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      return node.events();
    }
  }

  @Test
  void aRunningNodeBacksUpItsKeysAndRecordsIt() throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      CommandRun run = backup(PASSPHRASE, file().toString());

      assertThat(run.err()).isEmpty();
      assertThat(run.out()).contains("content keys in " + file());
      List<Event> events = new ArrayList<>(node.events());
      assertThat(events.get(0))
          .isInstanceOfSatisfying(
              KeysBackupBegun.class,
              begun -> {
                assertThat(begun.operator()).isEqualTo("operator");
                assertThat(begun.file()).isEqualTo(file().toString());
              });
      assertThat(events.get(1)).isInstanceOf(KeysBackupCompleted.class);
      assertThat(events.get(2))
          .isInstanceOfSatisfying(
              OperatorActed.class,
              acted -> {
                assertThat(acted.method()).isEqualTo("backup.keys");
                assertThat(String.valueOf(acted.params())).contains("\"key\":{\"sizeBytes\":44,");
              });
      assertThat(backup(PASSPHRASE, "--token", "wrong", file().toString()).code()).isEqualTo(1);
    }
  }

  @Test
  void lostKeysComeBackButNotThoseThatWereErased() throws Exception {
    new OperatorTestNode(data()).close();
    String alice = keyOf("alice");
    String bob = keyOf("bob");
    assertThat(backup(PASSPHRASE, file().toString()).err()).isEmpty();
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      node.append(
          new ErasureBegun(
              UUID.randomUUID(), ErasureCause.FORGET, "ada", "bob", null, DAY, List.of(bob), null));
    }
    loseTheKeys();

    CommandRun run = restore(PASSPHRASE, file().toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("restored  1 content keys, of 2 in the backup of ");
    assertThat(found(alice)).isInstanceOf(KeyLookup.Found.class);
    assertThat(found(bob)).isInstanceOf(KeyLookup.Erased.class);
    assertThat(events().getLast())
        .isInstanceOfSatisfying(
            KeysRestoreBegun.class, begun -> assertThat(begun.keys()).isEqualTo(2));
    assertThat(restore(PASSPHRASE, file().toString()).out()).startsWith("restored  0 content");
    assertThat(backup(PASSPHRASE, file().toString()).code()).isEqualTo(0);
  }

  @Test
  void aBackupOfTheJournalWarnsOfKeysWithoutBackup() throws Exception {
    new OperatorTestNode(data()).close();
    keyOf("alice");
    String target = temp.resolve("backups").toString();
    assertThat(backUpJournal(target))
        .contains("warning   there is no backup of the content keys: run gatebook backup keys");
    backup(PASSPHRASE, file().toString());
    assertThat(backUpJournal(target)).doesNotContain("warning");
    assertThat(NewestBackup.in(data()).at()).isPresent();
    keyOf("bob");
    assertThat(backUpJournal(target)).contains("in " + file(), " lacks 1 of them");
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      RecordedBackups recorded = new RecordedBackups(node.journal(), InstantSource.system());
      assertThat(recorded.mayStillHold())
          .singleElement()
          .satisfies(it -> assertThat(it).contains("(0 h ago) in " + file()));
      backup(PASSPHRASE, file().toString());
      backup(PASSPHRASE, temp.resolve("another.keys").toString());
      assertThat(recorded.mayStillHold()).hasSize(2); // one file was replaced
      assertThat(recorded.secondsSince()).isBetween(0.0, 300.0);
    }
  }

  private String backUpJournal(String target) {
    CommandRun run =
        CommandRun.of(new BackupCommand(), List.of("--data", data().toString()), target);
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    return run.out();
  }

  @Test
  void missingKeysAreToldUntilTheyAreRestored() throws Exception {
    new OperatorTestNode(data()).close();
    appendSealed(2);
    backup(PASSPHRASE, file().toString());
    long head = events().size();
    assertThat(verify().code()).isEqualTo(0);
    assertThat(verify().out()).doesNotContain("keys  ");
    loseTheKeys();

    assertThat(verify().out())
        .contains("keys      not looked for: there are no content keys in " + data());
    assertThat(verify().code()).isEqualTo(0);
    assertThat(data().resolve("keys")).doesNotExist();

    appendSealed(0); // opens an empty store, as a start does
    CommandRun missing = verify();
    assertThat(missing.code()).isEqualTo(3);
    assertThat(missing.out())
        .contains(
            "wrong     nothing",
            "keys      2 events, from position 1 to 2, have content whose key is missing");
    assertThat(head).isEqualTo(4);

    restore(PASSPHRASE, file().toString());
    assertThat(verify().code()).isEqualTo(0);
  }

  private CommandRun verify() {
    return CommandRun.of(new VerifyCommand(), List.of("--data", data().toString()));
  }

  /** Appends events whose content is sealed by the store of the stopped node. */
  private void appendSealed(int events) {
    JournalPlace place = new JournalPlace(data(), Optional.empty());
    try (Journal journal = Journals.opened(place.settings(JournalSection.DEFAULT, Map.of()))) {
      ContentKeyStore.Opening opening = JournalKeys.open(place, journal, Map.of());
      try (ContentKeyStore store = KeysOnDisk.opened(opening)) {
        for (int i = 0; i < events; i++) {
          OperatorActed acted =
              new OperatorActed("ada", "audit.lookup", JsonValue.parse("{}"), null, true);
          journal
              .append(
                  ConflictCondition.none(),
                  List.of(
                      new EventVocabulary(store, OldKeys.NONE).draft(acted, OperatorTestNode.AT)))
              .join();
        }
      }
    }
  }

  @Test
  void whatCannotBeRestoredChangesNothing() throws Exception {
    new OperatorTestNode(data()).close();
    keyOf("alice");
    backup(PASSPHRASE, file().toString());
    byte[] written = Files.readAllBytes(data().resolve("keys/content-keys"));
    Path passphrase = Files.writeString(temp.resolve("passphrase"), "another passphrase\n");

    assertThat(
            restore(Map.of(), file().toString(), "--passphrase-file", passphrase.toString()).err())
        .contains("this passphrase does not open");
    assertThat(restore(PASSPHRASE, data().resolve("checkpoint").toString()).err())
        .contains("is no backup of content keys");
    assertThat(restore(PASSPHRASE, temp.resolve("none").toString()).err()).contains("no file");
    assertThat(data().resolve("keys/content-keys")).hasBinaryContent(written);
    try (OperatorTestNode _ = new OperatorTestNode(data())) {
      assertThat(restore(PASSPHRASE, file().toString()).err()).contains("in use");
    }
  }

  @Test
  void thePassphraseIsRequiredAndLong() throws Exception {
    new OperatorTestNode(data()).close();

    assertThat(backup(Map.of(), file().toString()).code()).isEqualTo(2);
    assertThat(backup(Map.of("GATEBOOK_BACKUP_PASSPHRASE", "eleven char"), file().toString()).err())
        .contains("at least 12 characters");
    assertThat(backup(PASSPHRASE).code()).isEqualTo(2);
    assertThat(restore(Map.of(), file().toString()).code()).isEqualTo(2);
    assertThat(file()).doesNotExist();
  }
}
