package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.cli.StoppedPlace.Where;
import gatebook.api.data.KnownArchive;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.anchor.DirectoryAnchor;
import gatebook.events.journal.anchor.FileAnchor;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.file.SegmentEditor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class VerifyCommandTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @EnumSource
  void anUntouchedJournalIsClean(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);

    CommandRun commandRun = place.verify();

    assertThat(commandRun.code()).isEqualTo(0);
    assertThat(commandRun.out().lines().map(VerifyCommandTest::word))
        .containsExactly("journal", "checked", "root", "signed", "not yet", "key", "wrong");
    assertThat(commandRun.out())
        .contains(
            "checked   7 events, the last at position 7",
            "signed    2 checkpoints, the newest that agrees over 7 events",
            "not yet   every event is covered by a checkpoint",
            "wrong     nothing")
        .contains(place.verifierKey());
  }

  /** As in a copy that may not be written. */
  @Test
  void verifyingChangesNothingInTheDirectory() throws Exception {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS, 5_000);
    for (String file : List.of("owner.lock", "operator.token", "journal/lock")) {
      Files.delete(place.data.resolve(file));
    }
    Files.setPosixFilePermissions(place.data, PosixFilePermissions.fromString("r-xr-xr-x"));
    List<String> before = contents(place.data);

    CommandRun commandRun = place.verify("--all");

    assertThat(commandRun.code()).isEqualTo(0);
    assertThat(contents(place.data)).isEqualTo(before);
    Files.setPosixFilePermissions(place.data, PosixFilePermissions.fromString("rwx------"));
  }

  private static List<String> contents(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> contents = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        contents.add(
            "%s %s %s"
                .formatted(
                    file,
                    Files.getLastModifiedTime(file),
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file))));
      }
      return contents;
    }
  }

  @Test
  void whatWasReadAndWhatStampsSettleIsSaid() {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS, 5_000);
    SegmentEditor editor = (SegmentEditor) place.editor();
    editor.stamp(place.key());

    CommandRun stamped = place.verify();
    CommandRun all = place.verify("--all");
    editor.rename(1, "gatebook.Forged");

    assertThat(stamped.code()).isEqualTo(0);
    assertThat(stamped.out())
        .containsPattern("read      events [5-7] to 7\\R")
        .containsPattern(
            "stamped   events 1 to [4-6]: verified before, as [1-9] stamps? says?, the oldest of"
                + " 20[^ ]*Z; --all reads them again\\R");
    assertThat(all.code()).isEqualTo(0);
    assertThat(all.out()).doesNotContain("stamp");
    assertThat(place.verify().out())
        .contains(
            "refused   1 stamp: what a refused stamp is about was read",
            "  event 1 was altered: its leaf is not that of its row");
  }

  @ParameterizedTest
  @EnumSource
  void anAlteredColumnIsNamedByItsPosition(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    place.editor().rename(3, "gatebook.Forged");

    CommandRun commandRun = place.verify();

    assertThat(commandRun.code()).isEqualTo(1);
    assertThat(commandRun.out()).contains("  event 3 was altered: its leaf is not that of its row");
  }

  @ParameterizedTest
  @EnumSource
  void aDeletedRowIsNamedByItsPosition(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    place.editor().deleteEvents(4);

    CommandRun commandRun = place.verify();

    assertThat(commandRun.code()).isEqualTo(1);
    assertThat(commandRun.out()).contains("  event 4 is missing");
  }

  @ParameterizedTest
  @EnumSource
  void aTruncatedJournalIsFound(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    place.editor().deleteEvents(6, 7);

    CommandRun commandRun = place.verify("--json");

    assertThat(commandRun.code()).isEqualTo(1);
    assertThat(commandRun.out())
        .contains(
            "\"message\" : \"the journal ends at position 5, and the right edge says it had 7");
  }

  @ParameterizedTest
  @EnumSource
  void anExternalCheckpointIsCompared(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    Path kept = Files.copy(place.data.resolve("checkpoint"), temp.resolve("kept"));
    place.append();

    assertThat(place.verify("--against", kept.toString()).code()).isEqualTo(0);

    place.editor().deleteEvents(6, 7);
    assertThat(place.verify("--against", kept.toString()).out())
        .contains("  the checkpoint kept in " + kept + " over 7 events disagrees: ");
  }

  @ParameterizedTest
  @EnumSource
  void whatWitnessesCosignedIsCompared(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    Files.createDirectory(place.data.resolve("witnesses"));
    Path cosigned = place.data.resolve("witnesses/quorum.checkpoint");
    Files.copy(place.data.resolve("checkpoint"), cosigned);
    place.append();

    assertThat(place.verify().code()).isEqualTo(0);

    place.editor().deleteEvents(6, 7);
    assertThat(place.verify().out())
        .contains("  the checkpoint kept in " + cosigned + " over 7 events disagrees: ");
    Files.writeString(cosigned, Files.readString(cosigned).replaceFirst("gatebook/", "another/"));
    assertThat(place.verify().out()).doesNotContain("kept in " + cosigned);
  }

  @ParameterizedTest
  @EnumSource
  void anAcceptedMismatchIsReportedAndNoLongerFails(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    place.editor().rename(3, "gatebook.Forged");
    place.editor().deleteEvents(5);

    CommandRun accepted = place.verify("--accept", "the disk was restored by hand");

    assertThat(accepted.code()).isEqualTo(0);
    assertThat(accepted.out())
        .contains(
            "done      the journal was accepted as it stands, by event 9; the log goes on under the"
                + " origin gatebook/",
            "wrong     nothing");
    CommandRun afterwards = place.verify();
    assertThat(afterwards.code()).isEqualTo(0);
    assertThat(afterwards.out())
        .contains(
            "  event 3 was altered: its leaf is not that of its row (accepted by %s at position 9: the disk was restored by hand)"
                .formatted(System.getProperty("user.name")))
        .contains("  event 5 is missing (accepted by ");
    assertThat(place.state()).isEqualTo(new JournalState.Writable());
    place.append();
    assertThat(place.verify().code()).isEqualTo(0);
  }

  @ParameterizedTest
  @EnumSource
  void aJournalThatBreaksItsCheckpointsGetsAnotherOrigin(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    Path kept = Files.copy(place.data.resolve("checkpoint"), temp.resolve("kept"));
    Path directory = Files.createDirectory(temp.resolve("vault"));
    new DirectoryAnchor(directory, Instant::now).add(Files.readString(kept));
    Path file = temp.resolve("share");
    new FileAnchor(file).add(Files.readString(kept));
    for (Path anchor : List.of(directory, file)) {
      assertThat(place.verify("--against", anchor.toString()).code()).isEqualTo(0);
    }
    place.editor().rename(3, "gatebook.Forged");

    place.verify("--accept", "the disk was restored by hand");
    place.append();

    VerifierKey key = key(place);
    assertThat(origin(place)).startsWith("gatebook/").isNotEqualTo(key.name());
    assertThat(SignedNote.open(Files.readAllBytes(place.data.resolve("checkpoint")), List.of(key)))
        .isInstanceOfSatisfying(
            OpenedNote.Valid.class,
            note -> assertThat(note.key()).isEqualTo(key.named(origin(place))));
    assertThat(place.verify().code()).isEqualTo(0);
    for (Path against : List.of(kept, directory, file)) {
      assertThat(place.verify("--against", against.toString()).code()).isEqualTo(1);
    }
  }

  private static VerifierKey key(StoppedPlace place) {
    return ((LoadedKey.Key<CheckpointKey>)
            CheckpointKey.loadExisting(place.data.resolve("checkpoint.key")))
        .key()
        .verifier();
  }

  private static String origin(StoppedPlace place) {
    try {
      return Files.readAllLines(place.data.resolve("checkpoint")).getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eventsLostBehindTheNewestCheckpointAreFoundAndAccepted(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    Files.writeString(place.data.resolve("acknowledged"), "0000000000000000009\n");

    CommandRun found = place.verify();
    CommandRun accepted = place.verify("--accept", "the disk lost its last writes");

    assertThat(found.code()).isEqualTo(1);
    assertThat(found.out())
        .contains(
            "wrong     1 thing",
            "  the journal ends at position 7, and the file acknowledged says it had 9 events:"
                + " events 8 to 9 are lost");
    assertThat(accepted.code()).isEqualTo(0);
    assertThat(accepted.out())
        .contains(
            "done      the journal was accepted as it stands, by event 10; lost: events 8 to 9");
    assertThat(origin(place)).isEqualTo(key(place).name());
    assertThat(place.state()).isEqualTo(new JournalState.Writable());
    place.append();
    assertThat(place.verify().out())
        .contains("wrong     nothing", "  events 8 to 9 are missing (accepted by ");
  }

  @ParameterizedTest
  @EnumSource
  void acceptingACleanJournalChangesNothing(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);

    CommandRun commandRun = place.verify("--accept", "just in case");

    assertThat(commandRun.code()).isEqualTo(0);
    assertThat(commandRun.out())
        .contains(
            "checked   7 events", "done      there is nothing to accept: nothing was changed");
    assertThat(place.verify().out()).contains("checked   7 events");
  }

  @ParameterizedTest
  @EnumSource
  void aThirdPartyNeedsTheVerifierKeyOnly(Where where) throws Exception {
    StoppedPlace place = new StoppedPlace(temp, where);
    Path key = Files.writeString(temp.resolve("verifier"), place.verifierKey() + "\n");
    Files.delete(place.data.resolve("checkpoint.key"));

    CommandRun without = place.verify();
    CommandRun with = place.verify("--key", key.toString());

    assertThat(without)
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "the checkpoint key %s cannot be used: there is no such file (name a verifier key with --key)\n"
                    .formatted(place.data.resolve("checkpoint.key"))));
    assertThat(with.code()).isEqualTo(0);
    assertThat(place.data.resolve("checkpoint.key")).doesNotExist();
  }

  @Test
  void theServerThatHoldsTheDirectoryAnswers() throws Exception {
    Path data = temp.resolve("data");
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      node.append(StoppedPlace.outage());

      CommandRun held = run(Map.of(), "--data", data.toString());
      CommandRun asked =
          run(
              Map.of("GATEBOOK_TOKEN", node.token()),
              "--url",
              node.url(Port.ADMIN),
              "--data",
              temp.resolve("none").toString(),
              "--json");
      CommandRun accept = run(Map.of(), "--data", data.toString(), "--accept", "x");

      assertThat(held.code()).isEqualTo(0);
      assertThat(held.out()).contains("checked   1 event, the last at position 1");
      assertThat(asked.code()).isEqualTo(0);
      assertThat(asked.out()).contains("\"lastPosition\" : 2"); // the request is an event
      assertThat(accept.code()).isEqualTo(1);
      assertThat(accept.err()).startsWith("%s is in use by the running gatebook".formatted(data));
    }
  }

  @Test
  void aRefusedTokenDiffersFromAMissingServer() throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(temp.resolve("data"))) {
      assertThat(run(Map.of(), "--url", node.url(Port.ADMIN), "--token", "wrong"))
          .isEqualTo(
              new CommandRun(
                  1,
                  "",
                  "the server at %s/operator does not accept this token: give another with --token or GATEBOOK_TOKEN\n"
                      .formatted(node.url(Port.ADMIN))));
    }
    assertThat(run(Map.of(), "--url", "http://127.0.0.1:1", "--token", "t").err())
        .isEqualTo("no server answers at http://127.0.0.1:1/operator: is it running?\n");
  }

  @Test
  void whatIsInTheArchiveIsVerifiedThere() {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS, 5_000);
    Path archive = temp.resolve("archive");
    place.moveTo(archive);

    CommandRun without = place.verify();
    CommandRun with = place.verify("--archive", archive.toString());
    CommandRun all = place.verify("--archive", archive.toString(), "--all");

    assertThat(without.code()).isEqualTo(1);
    assertThat(without.out())
        .contains("are not verified (0000000000000000001.archived): its events are in an archive")
        .doesNotContain("missing", "damaged");
    assertThat(place.verify("--accept", "x").err()).contains("would be accepted as lost");
    assertThat(with.code()).isEqualTo(0);
    assertThat(with.out()).contains("stamped   events 1 to");
    assertThat(all.code()).isEqualTo(0);
    assertThat(all.out()).contains("checked   7 events");
  }

  @Test
  void theArchiveThatANodeUsedIsRemembered() throws IOException {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS, 5_000);
    Path archive = temp.resolve("archive");
    place.moveTo(archive);
    assertThat(KnownArchive.in(place.data).address()).isEmpty();
    KnownArchive.in(place.data).remember(new ArchiveAddress.Directory(archive));
    assertThat(place.verify("--all").code()).isEqualTo(0);

    Files.move(archive, temp.resolve("elsewhere"));

    assertThat(place.verify().out()).contains("there is no such directory");
    assertThat(archive).doesNotExist();
    assertThat(place.verify("--archive", temp.resolve("elsewhere").toString()).code()).isZero();
  }

  @Test
  void aMissingDataDirectoryIsNotCreated() {
    Path none = temp.resolve("none");

    CommandRun commandRun = run(Map.of(), "--data", none.toString());

    assertThat(commandRun)
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "%s is no data directory: name one with --data, or a server with --url\n"
                    .formatted(none)));
    assertThat(none).doesNotExist();
  }

  static Stream<List<String>> contradictingOptions() {
    return Stream.of(
        List.of("--accept", "x", "--url", "http://127.0.0.1:1"),
        List.of("--accept", "x", "--against", "file"),
        List.of("--accept", " "),
        List.of("--url", "http://127.0.0.1:1", "--key", "file"),
        List.of("--url", "file:///etc", "--token", "t"),
        List.of("--db", "jdbc:mysql://root:secret@db/gatebook"),
        List.of("--archive", "ftp://elsewhere"),
        List.of("--archive", "s3://logs", "--url", "http://127.0.0.1:1"),
        List.of("--no-such-option"));
  }

  @ParameterizedTest
  @MethodSource("contradictingOptions")
  void contradictingOptionsAreWrongUsage(List<String> args) {
    CommandRun commandRun = run(Map.of(), args.toArray(String[]::new));

    assertThat(commandRun.code()).isEqualTo(2);
    assertThat(commandRun.err()).doesNotContain("secret", "Exception");
  }

  private static String word(String line) {
    return line.substring(0, 9).strip();
  }

  private static CommandRun run(Map<String, String> environment, String... args) {
    return CommandRun.of(new VerifyCommand(environment), List.of(), args);
  }
}
