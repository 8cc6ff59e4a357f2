package gatebook.events.journal;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.CheckpointKeyRotation.Outcome;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointKeyRotationTest {
  @TempDir private Path directory;

  @Test
  void aCheckpointOfBothKeysIntroducesTheNewOne() throws IOException {
    JournalSettings settings = Journals.inSegments(directory);
    try (Journal journal = Journals.opened(settings)) {
      VerifierKey old = journal.verifier();
      append(journal, draft("a"));

      Outcome.Rotated rotated = rotated(journal);

      assertThat(rotated).isEqualTo(new Outcome.Rotated(2, old, journal.verifier()));
      assertThat(journal.verifier().isSameKey(old)).isFalse();
      assertThat(newest(journal).size()).isEqualTo(2);
      assertThat(isSigned(newest(journal), old)).isTrue();
      assertThat(isSigned(newest(journal), rotated.newKey())).isTrue();
      append(journal, draft("b"));
      await().until(() -> newest(journal).size() == 3);
      assertThat(isSigned(newest(journal), old)).isFalse();
      assertThat(isSigned(newest(journal), rotated.newKey())).isTrue();
    }
    assertThat(next()).doesNotExist();
    assertThat(writableAgain(settings, Journal::head)).isEqualTo(3);
  }

  /** A kill after the checkpoint was stored, and before anything else was written. */
  @Test
  void aRestartFinishesARotation() throws IOException {
    JournalSettings settings = Journals.inSegments(directory);
    byte[] oldKey;
    byte[] oldNote;
    VerifierKey newKey;
    try (Journal journal = Journals.opened(settings)) {
      append(journal, draft("a"));
      await().until(() -> Files.readString(settings.checkpointFile()).contains("\n1\n"));
      oldKey = Files.readAllBytes(settings.keyFile());
      oldNote = Files.readAllBytes(settings.checkpointFile());
      newKey = rotated(journal).newKey();
    }
    Files.move(settings.keyFile(), next());
    Files.write(settings.keyFile(), oldKey);
    Files.setPosixFilePermissions(settings.keyFile(), Files.getPosixFilePermissions(next()));
    Files.write(settings.checkpointFile(), oldNote);

    assertThat(writableAgain(settings, Journal::verifier)).isEqualTo(newKey);
    assertThat(next()).doesNotExist();
    assertThat(writableAgain(settings, Journal::verifier)).isEqualTo(newKey);
  }

  /** A kill after the new key was made, and before it was introduced. */
  @Test
  void aKeyThatWasNotIntroducedDoesNotSign() throws IOException {
    JournalSettings settings = Journals.inSegments(directory);
    VerifierKey old = writableAgain(settings, Journal::verifier);
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    JournalSettings other = Journals.inSegments(elsewhere);
    Files.copy(settings.keyFile(), other.keyFile());
    try (Journal journal = Journals.opened(other)) {
      rotated(journal);
    }
    Files.copy(other.keyFile(), next());

    assertThat(writableAgain(settings, Journal::verifier)).isEqualTo(old);
    assertThat(next()).exists();
    VerifierKey prepared = writableAgain(other, Journal::verifier);
    VerifierKey introduced = writableAgain(settings, journal -> rotated(journal).newKey());
    assertThat(introduced).isEqualTo(prepared);
  }

  @Test
  void aReplacedKeyOpensNoJournal() throws IOException {
    JournalSettings settings = Journals.inSegments(directory);
    VerifierKey newKey;
    VerifierKey old;
    byte[] oldKey;
    try (Journal journal = Journals.opened(settings)) {
      old = journal.verifier();
      oldKey = Files.readAllBytes(settings.keyFile());
      newKey = rotated(journal).newKey();
    }
    Files.write(settings.keyFile(), oldKey);

    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state())
          .isEqualTo(
              new JournalState.Distrusted(
                  "the newest checkpoint is signed by %s, and this node has %s: copy the file of the new key beside that of the old one, or in its place"
                      .formatted(newKey.label(), old.label())));
    }
  }

  @Test
  void aNodeWithoutTheNewKeySignsNothing() throws IOException {
    JournalSettings one = Journals.shared(Files.createDirectory(directory.resolve("one")));
    JournalSettings other =
        Journals.settings(Files.createDirectory(directory.resolve("other")), one.location());
    try (Journal first = Journals.opened(one)) {
      Files.copy(one.keyFile(), other.keyFile());
      try (Journal second = Journals.opened(other)) {
        Outcome.Prepared prepared = (Outcome.Prepared) rotate(first);
        assertThat(prepared.file()).exists();
        assertThat(first.verifier()).isEqualTo(second.verifier());
        VerifierKey newKey = rotated(first).newKey();
        assertThat(newKey).isEqualTo(prepared.newKey());

        assertThat(append(second, draft("a"))).isEqualTo(new Append.Stored(2, 2));
        await().until(() -> second.refusalToSign().isPresent());
        assertThat(newest(second).size()).isEqualTo(1);

        Files.copy(one.keyFile(), other.keyFile().resolveSibling("checkpoint.key.new"));
        await().until(() -> newest(second).size() == 2);
        assertThat(second.refusalToSign()).isEmpty();
        assertThat(second.verifier()).isEqualTo(newKey);
        assertThat(isSigned(newest(second), newKey)).isTrue();
      }
    }
  }

  private Path next() {
    return directory.resolve("checkpoint.key.new");
  }

  private static <T> T writableAgain(JournalSettings settings, Function<Journal, T> question) {
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      return question.apply(journal);
    }
  }

  private static Outcome.Rotated rotated(Journal journal) {
    return (Outcome.Rotated) rotate(journal);
  }

  private static Outcome rotate(Journal journal) {
    return journal
        .checkpointKeyRotation()
        .rotate((oldKey, newKey) ->
            new EventVocabulary()
                .draft(
                    new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                    Instant.now()));
  }

  private static StoredCheckpoint newest(Journal journal) {
    return journal.newestCheckpoint().orElseThrow();
  }

  private static boolean isSigned(StoredCheckpoint checkpoint, VerifierKey key) {
    return Checkpoint.open(checkpoint.note().getBytes(UTF_8), List.of(key))
        instanceof OpenedNote.Valid<Checkpoint>;
  }
}
