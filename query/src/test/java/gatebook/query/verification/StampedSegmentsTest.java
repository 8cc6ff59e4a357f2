package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.MismatchAccepted;
import gatebook.events.Proof;
import gatebook.events.call.Bytes;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.query.verification.VerificationReport.PositionRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A verification does not read segments whose stamps it can trust, and finds what it must. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class StampedSegmentsTest {
  private static final int EVENTS = 23;
  private static final long SEGMENT_BYTES = 5_000;
  private static final VerificationScope UNSTAMPED = new VerificationScope(false, 1);
  private static final VerificationScope EVERYTHING = new VerificationScope(true, 2);

  @Parameter private boolean isCompressed;
  @TempDir private Path directory;
  private JournalSettings settings;
  private CheckpointKey key;
  private SegmentEditor editor;
  private byte[] oldCheckpoint;

  /** The first positions of all segments. */
  private final List<Long> firsts = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    settings = settings(directory);
    editor = new SegmentEditor(directory.resolve("journal"));
    try (Journal journal = Journals.opened(settings)) {
      append(journal, 9);
      oldCheckpoint = Files.readAllBytes(settings.checkpointFile());
      append(journal, EVENTS - 9);
    }
    key = ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(settings.keyFile())).key();
    for (long first = 1; first <= EVENTS; first++) {
      if (Files.exists(plain(first, "segment"))) {
        firsts.add(first);
      }
    }
    assertThat(firsts).hasSizeGreaterThan(4);
    if (isCompressed) {
      editor.compress();
    }
    editor.stamp(key);
  }

  private static JournalSettings settings(Path directory) {
    return Journals.withCompression(
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), SEGMENT_BYTES), 4, 600_000),
        SegmentCompression.NONE);
  }

  private static void append(Journal journal, int events) {
    for (int i = 0; i < events; i++) {
      Journals.append(
          journal, Journals.draft("{\"n\":%d}".formatted(i), new Tag("call", "c" + i / 3)));
    }
  }

  /** A file of a sealed segment. */
  private Path file(long first, String ending) {
    return switch (ending) {
      case "segment" -> plain(first, isCompressed ? "segment.z" : "segment");
      case "stamp" -> plain(first, isCompressed ? "z.stamp" : "stamp");
      default -> plain(first, ending);
    };
  }

  private Path plain(long first, String ending) {
    return directory.resolve("journal/%019d.%s".formatted(first, ending));
  }

  private VerificationReport verify(VerificationScope scope, ExternalCheckpoint... against) {
    try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
      return new Verification(List.of(key.verifier()), VerificationLimits.DEFAULT)
          .verify(snapshot, List.of(against), scope);
    }
  }

  private static void assertSameFindings(VerificationReport one, VerificationReport other) {
    assertThat(one).usingRecursiveComparison().ignoringFields("basis").isEqualTo(other);
  }

  private PositionRange stamped() {
    return new PositionRange(1, firsts.getLast() - 1);
  }

  @Test
  void onlySegmentsWithoutAStampAreRead() {
    VerificationReport report = verify(UNSTAMPED);

    assertSameFindings(report, verify(EVERYTHING));
    assertThat(report.clean()).isTrue();
    assertThat(report.basis())
        .usingRecursiveComparison()
        .ignoringFields("oldestStamp")
        .isEqualTo(
            new VerificationReport.Basis(
                EVENTS - stamped().to(),
                List.of(new PositionRange(firsts.getLast(), EVENTS)),
                stamped().to(),
                List.of(stamped()),
                firsts.size() - 1L,
                Optional.empty(),
                List.of()));
    assertThat(report.basis().oldestStamp()).isPresent();
    assertThat(verify(EVERYTHING).basis().read()).containsExactly(new PositionRange(1, EVENTS));
  }

  @Test
  void anOpenJournalStampsItsSealedSegments() throws IOException {
    editor.deleteStamps();
    try (Journal journal = Journals.opened(settings)) {
      append(journal, 9);
      await().until(() -> stampedEvents(journal) > EVENTS);
    }
  }

  private long stampedEvents(Journal journal) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      VerificationReport report =
          new Verification(List.of(key.verifier()), VerificationLimits.DEFAULT)
              .verify(snapshot, List.of(), UNSTAMPED);
      assertThat(report.clean()).isTrue();
      return report.basis().stampedEvents();
    }
  }

  /** As in a copy. */
  @Test
  void filesWithOtherTimesAreReadAndNotTold() throws IOException {
    for (long first : firsts.subList(0, firsts.size() - 1)) {
      for (String ending : List.of("segment", "index")) {
        Files.setLastModifiedTime(file(first, ending), FileTime.fromMillis(1_700_000_000_000L));
      }
    }

    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.clean()).isTrue();
    assertThat(report.basis().stamps()).isZero();
    assertThat(report.basis().refusedStamps()).isEmpty();
  }

  @Test
  void aChangedStampIsRefusedAndLosesNothing() throws IOException {
    for (int round = 0; round < Proof.rounds(10, 50); round++) {
      Random random = new Random(round);
      Path stamp = file(firsts.get(1), "stamp");
      byte[] written = Files.readAllBytes(stamp);
      byte[] changed = written.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(stamp, changed);

      VerificationReport report = verify(UNSTAMPED);

      assertThat(report.clean()).describedAs("round " + round).isTrue();
      assertThat(report.basis().stamps()).isEqualTo(firsts.size() - 2L);
      assertThat(report.basis().refusedStamps())
          .describedAs("round " + round)
          .extracting(RefusedStamp::file)
          .containsExactly(String.valueOf(stamp.getFileName()));
      Files.write(stamp, written);
    }
  }

  @Test
  void aChangedIndexHasItsSegmentReadAgain() throws IOException {
    Path index = file(firsts.get(1), "index");
    byte[] written = Files.readAllBytes(index);
    for (int round = 0; round < Proof.rounds(6, 20); round++) {
      Random random = new Random(round);
      byte[] changed = written.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(index, changed);

      VerificationReport report = verify(UNSTAMPED);

      assertSameFindings(report, verify(EVERYTHING));
      assertThat(report.basis().refusedStamps())
          .describedAs("round " + round)
          .containsExactly(
              new RefusedStamp(
                  String.valueOf(file(firsts.get(1), "stamp").getFileName()),
                  "the index of the segment was changed after it was stamped"));
    }
  }

  @Test
  void aStampOfAnotherKeyIsRefused() throws IOException {
    Path stamps = Files.createDirectory(directory.resolve("other"));
    CheckpointKey other =
        ((LoadedKey.Key<CheckpointKey>)
                CheckpointKey.loadOrCreate(stamps.resolve("checkpoint.key"), "other.example"))
            .key();
    firsts.subList(0, firsts.size() - 1).forEach(it -> editor.signStamp(it, key, other));

    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.clean()).isTrue();
    assertThat(report.basis().stamps()).isEqualTo(0);
    assertThat(report.basis().refusedStamps())
        .hasSize(firsts.size() - 1)
        .allMatch(it ->
            it.why()
                .equals(
                    "it is signed by %s, which is not trusted here"
                        .formatted(other.verifier().label())));
  }

  @Test
  void aStampOfAnotherSegmentIsRefused() throws IOException {
    Path copied = file(firsts.get(2), "stamp");
    Files.copy(file(firsts.get(1), "stamp"), copied, StandardCopyOption.REPLACE_EXISTING);

    assertThat(verify(UNSTAMPED).basis().refusedStamps())
        .containsExactly(
            new RefusedStamp(
                String.valueOf(copied.getFileName()),
                "it is the stamp of %s".formatted(file(firsts.get(1), "segment").getFileName())));
  }

  @Test
  void aMissingSegmentIsFoundAlthoughOthersAreStamped() throws IOException {
    long missing = firsts.get(2);
    for (String ending : List.of("segment", "index", "stamp")) {
      Files.delete(file(missing, ending));
    }

    assertThat(findings(verify(UNSTAMPED)))
        .contains(new VerificationFinding.Missing(missing, firsts.get(3) - 1));
  }

  /** Moves all sealed segments to an archive, from which they are read from now on. */
  private Path archived() {
    Path archive = directory.resolve("archive");
    SegmentRetention retention =
        new SegmentRetention(
            Optional.of(Duration.ZERO),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> DirectoryTarget.open(archive)),
            Duration.ofMillis(20));
    settings = Journals.at(((SegmentLocation) settings.location()).with(retention), settings);
    try (Journal _ = Journals.opened(settings)) {
      await()
          .until(() ->
              firsts.subList(0, firsts.size() - 1).stream()
                  .noneMatch(first -> Files.exists(file(first, "segment"))));
    }
    return archive.resolve("segments");
  }

  @Test
  void archivedSegmentsAreVerifiedWithoutTheirFiles() throws IOException {
    VerificationReport before = verify(UNSTAMPED);
    VerificationReport everything = verify(EVERYTHING);
    Path archive = archived();

    assertThat(verify(UNSTAMPED).basis().stamped()).isEqualTo(before.basis().stamped());
    assertThat(verify(UNSTAMPED).clean()).isTrue();
    assertThat(verify(EVERYTHING)).usingRecursiveComparison().isEqualTo(everything);

    Path object = archive.resolve(file(firsts.get(1), "segment").getFileName());
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length - 1] ^= 1;
    Files.write(object, bytes);
    assertThat(verify(UNSTAMPED).clean()).isTrue();
    assertThat(findings(verify(EVERYTHING)))
        .contains(new VerificationFinding.Missing(firsts.get(1), firsts.get(2) - 1));

    Files.delete(object);
    assertThat(findings(verify(UNSTAMPED)))
        .contains(new VerificationFinding.Missing(firsts.get(1), firsts.get(2) - 1));
  }

  @Test
  void withoutTheArchiveTheRestIsVerified() throws IOException {
    VerificationReport before = verify(EVERYTHING);
    archived();
    settings =
        Journals.at(
            ((SegmentLocation) settings.location()).with(SegmentRetention.KEEP_ALL), settings);
    long last = firsts.getLast();

    for (VerificationScope scope : List.of(UNSTAMPED, EVERYTHING)) {
      VerificationReport report = verify(scope);
      assertThat(findings(report))
          .hasSize(firsts.size() - 1)
          .hasOnlyElementsOfType(VerificationFinding.NotRead.class);
      assertThat(report.totals()).isEqualTo(before.totals());
      assertThat(report.basis().read()).containsExactly(new PositionRange(last, EVENTS));
    }
    byte[] bytes = Files.readAllBytes(plain(last, "segment"));
    bytes[bytes.length - 1] ^= 1;
    Files.write(plain(last, "segment"), bytes);
    assertThat(findings(verify(UNSTAMPED)))
        .anyMatch(it -> !(it instanceof VerificationFinding.NotRead));
  }

  @Test
  void swappedSegmentsAreFoundWithTheirStamps() throws IOException {
    for (String ending : List.of("segment", "index", "stamp")) {
      Path spare = directory.resolve("spare");
      Files.move(file(firsts.get(1), ending), spare);
      Files.move(file(firsts.get(2), ending), file(firsts.get(1), ending));
      Files.move(spare, file(firsts.get(2), ending));
    }

    assertThat(verify(UNSTAMPED).clean()).isFalse();
    assertSameFindings(verify(UNSTAMPED), verify(EVERYTHING));
  }

  @Test
  void aTruncatedSegmentIsFound() throws IOException {
    Path segment = file(firsts.get(1), "segment");
    byte[] bytes = Files.readAllBytes(segment);
    Files.write(segment, Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(verify(UNSTAMPED).clean()).isFalse();
    assertSameFindings(verify(UNSTAMPED), verify(EVERYTHING));
  }

  @Test
  void aSegmentOfAnotherJournalIsFound() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    try (Journal journal = Journals.opened(settings(other))) {
      append(journal, EVENTS);
    }
    if (isCompressed) {
      new SegmentEditor(other.resolve("journal")).compress();
    }
    for (String ending : List.of("segment", "index")) {
      Files.copy(
          other.resolve("journal").resolve(file(1, ending).getFileName()),
          file(1, ending),
          StandardCopyOption.REPLACE_EXISTING);
    }

    assertThat(verify(UNSTAMPED).clean()).isFalse();
    assertSameFindings(verify(UNSTAMPED), verify(EVERYTHING));
  }

  @Test
  void anEditIsFoundWithItsModificationTimePutBack() throws IOException {
    Path segment = file(firsts.get(1), "segment");
    FileTime modified = Files.getLastModifiedTime(segment);
    edit(firsts.get(1));
    Files.setLastModifiedTime(segment, modified);

    assertThat(findings(verify(UNSTAMPED)))
        .contains(new VerificationFinding.Altered(firsts.get(1), false));
  }

  /** Who can set the clock of the system can put back all times: only reading everything helps. */
  @Test
  void onlyReadingAllFindsAnEditWithTimesPutBack() throws IOException {
    edit(firsts.get(1));
    editor.putBackTimes(firsts.get(1), key);

    VerificationReport all = verify(EVERYTHING);

    assertThat(verify(UNSTAMPED).clean()).isTrue();
    assertThat(findings(all)).contains(new VerificationFinding.Altered(firsts.get(1), false));
    assertThat(all.basis().refusedStamps())
        .containsExactly(
            new RefusedStamp(
                String.valueOf(file(firsts.get(1), "stamp").getFileName()),
                "the segment is not what was stamped, although its times are"));
  }

  private void edit(long position) throws IOException {
    Path index = file(position, "index");
    byte[] indexed = Files.readAllBytes(index);
    editor.edit(it -> it.position() == position ? EntryColumn.PAYLOAD.changed(it) : it);
    Files.write(index, indexed);
  }

  @Test
  void aCheckpointOverStampedEventsIsCompared() {
    ExternalCheckpoint kept = new ExternalCheckpoint("vault", oldCheckpoint);

    VerificationReport report = verify(UNSTAMPED, kept);

    assertThat(report.clean()).isTrue();
    assertThat(report.basis().stamps()).isPositive();
    byte[] rewritten = new Checkpoint(key.verifier().name(), 5, new byte[32]).signedBy(key);
    assertThat(findings(verify(UNSTAMPED, new ExternalCheckpoint("vault", rewritten))))
        .containsExactly(
            new VerificationFinding.ElsewhereMismatch(
                "the checkpoint kept in vault", 5, "history up to there was rewritten since"));
  }

  @Test
  void onlyReadingEverythingComparesTheIdsOfStampedEvents() {
    DraftEvent draft = Journals.draft("{}");
    try (Journal journal = Journals.opened(settings)) {
      Journals.append(journal, draft);
      append(journal, EVENTS);
    }
    editor.stamp(key);
    try (Journal journal = Journals.opened(settings)) {
      Journals.append(journal, draft);
    }

    assertThat(verify(UNSTAMPED).clean()).isTrue();
    assertThat(findings(verify(EVERYTHING)))
        .containsExactly(new VerificationFinding.Duplicate(2 * EVENTS + 2, EVENTS + 1, draft.id()));
  }

  @Test
  void anAcceptedMismatchStaysReported() throws IOException {
    edit(firsts.get(1));
    VerificationReport found = verify(UNSTAMPED);
    VerificationReport.CurrentTree tree = found.currentTree().orElseThrow();
    RightEdge edge = RightEdge.restored(tree.size(), tree.edge()).orElseThrow();
    MismatchAccepted accepted =
        new MismatchAccepted("alice", "restored", "", tree.size(), new Bytes(tree.root()), null);
    MismatchAcceptance.accept(
        settings,
        edge,
        List.of(MemoryContentKeys.vocabulary().draft(accepted, Instant.now())),
        Optional.empty());
    try (Journal journal = Journals.opened(settings)) {
      append(journal, EVENTS);
    }

    VerificationReport report = verify(UNSTAMPED);

    assertThat(report.accepted()).isPositive();
    assertThat(report.failing()).isEqualTo(0);
    assertSameFindings(report, verify(EVERYTHING));
  }

  private static List<VerificationFinding> findings(VerificationReport report) {
    return report.found().stream().map(VerificationReport.Found::finding).toList();
  }
}
