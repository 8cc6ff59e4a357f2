package gatebook.events.journal.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.ArchivedObject;
import gatebook.events.journal.backup.BackupManifest.BackupFile;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.stamp.FileState;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageCopy;
import gatebook.events.journal.storage.StorageCopy.CopiedFile;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A backup of a journal, made while events are appended: everything up to a checkpoint that is
 * signed first. It has no key but the public one.
 *
 * <p>Backups in one target share the files of sealed segments: one that an earlier backup has is
 * not copied again. The manifest comes last and at once, so a backup that was interrupted leaves
 * the ones before as they are.
 */
public final class JournalBackup {
  /** What operators read when the journal is in a database. */
  public static final String SHARED =
      "a journal in a database is backed up by the tools of the database: see OPERATING.md";

  private static final String SEGMENTS = "segments/";

  private final Journal journal;
  private final ArchiveTarget target;
  private final String version;
  private final Progress progress;

  /** Hears how far a backup is. */
  @FunctionalInterface
  public interface Progress {
    /**
     * So many files are in the target.
     *
     * @param copied how many of them had to be copied
     * @param bytes of those
     */
    void reached(int files, int ofFiles, int copied, long bytes);
  }

  /** The result of a backup. */
  public sealed interface Outcome {
    /**
     * The backup is whole.
     *
     * @param copied how many files were not in the target before
     * @param bytes of those
     */
    record Made(String name, BackupManifest manifest, int copied, long bytes) implements Outcome {}

    /** There is no new backup; the sentence says to an operator why and what to do. */
    record Refused(String sentence) implements Outcome {}
  }

  public JournalBackup(Journal journal, ArchiveTarget target, String version, Progress progress) {
    this.journal = journal;
    this.target = target;
    this.version = version;
    this.progress = progress;
  }

  /** Makes a backup; blocks until it is made. */
  public Outcome run(Instant at) {
    if (journal.isShared()) {
      return new Outcome.Refused(SHARED);
    }
    if (!journal.state().isReadOnly() && journal.sign().join() instanceof Append.Refused refused) {
      return new Outcome.Refused("the journal cannot be signed now: " + refused.reason());
    }
    try (JournalSnapshot snapshot = journal.snapshot()) {
      Optional<StorageCopy> copy = snapshot.copy(journal.verifier());
      return copy.isPresent()
          ? run(copy.get(), at)
          : new Outcome.Refused("the journal has no checkpoint yet: try again");
    } catch (IOException e) {
      return new Outcome.Refused("the backup failed: " + StorageFailure.describe(e));
    } catch (JournalUnreadable e) {
      return new Outcome.Refused(
          "the journal cannot be read: "
              + StorageFailure.describe(e.getCause() == null ? e : e.getCause()));
    }
  }

  private Outcome run(StorageCopy copy, Instant at) throws IOException {
    String note = copy.checkpoint().note();
    if (!(Checkpoint.open(note.getBytes(UTF_8), List.of(journal.verifier()))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey key))) {
      return new Outcome.Refused(
          "the newest checkpoint is not as it was signed: verify the journal");
    }
    Optional<String> fork = fork(copy, checkpoint);
    if (fork.isPresent()) {
      return new Outcome.Refused(fork.get());
    }
    Copying copying = new Copying(copy.files().size());
    List<BackupFile> files = new ArrayList<>();
    for (CopiedFile file : copy.files()) {
      files.add(copying.add(file));
    }
    String name = BackupManifest.name(at, checkpoint.size());
    BackupManifest manifest =
        new BackupManifest(
            BackupManifest.FORMAT,
            version,
            at.toString(),
            checkpoint.origin(),
            key.text(),
            journal.keyHistory().rotations().stream().map(it -> it.oldKey().text()).toList(),
            checkpoint.size(),
            base64(checkpoint.root()),
            note,
            files);
    target.put(BackupManifest.objectName(name), manifest.bytes());
    return new Outcome.Made(name, manifest, copying.copied, copying.bytes);
  }

  /** Why this journal cannot follow the newest backup of its origin; empty when it does. */
  private Optional<String> fork(StorageCopy copy, Checkpoint checkpoint) throws IOException {
    Optional<BackupManifest.Named> newest =
        BackupManifest.newest(target, Optional.of(checkpoint.origin()));
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    BackupManifest before = newest.get().manifest();
    if (before.size() > checkpoint.size()) {
      return Optional.of(
          "%s has a backup %s of this log, %s, with %d events, and this journal has %d: it is an older copy; back up to another place, and let a restored journal go on under an origin of its own"
              .formatted(
                  target.describe(),
                  newest.get().name(),
                  before.origin(),
                  before.size(),
                  checkpoint.size()));
    }
    return base64(copy.rootOver(before.size())).equals(before.root())
        ? Optional.empty()
        : Optional.of(
            "the %d events of the backup %s in %s are not those of this journal, although both are of the log %s: one is a fork of the other; back up to another place, and compare them with gatebook verify --against"
                .formatted(before.size(), newest.get().name(), target.describe(), before.origin()));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The copying of files that the target does not have. */
  private final class Copying {
    private final Map<Long, BackupFile> known = new HashMap<>();
    private final Map<String, Long> stored = new HashMap<>();
    private final int count;
    private int done;
    private int copied;
    private long bytes;

    Copying(int count) throws IOException {
      this.count = count;
      BackupManifest.newest(target, Optional.empty())
          .ifPresent(it ->
              it.manifest().files().stream()
                  .filter(BackupFile::sealed)
                  .forEach(file -> known.put(file.first(), file)));
      for (ArchivedObject object : target.list(SEGMENTS)) {
        stored.put(object.name(), object.bytes());
      }
    }

    BackupFile add(CopiedFile file) throws IOException {
      BackupFile there = known.get(file.first());
      BackupFile added =
          there != null && isSame(file, there)
              ? there
              : file.use((path, extension, stamped) -> put(file, path, extension, stamped));
      done++;
      progress.reached(done, count, copied, bytes);
      return added;
    }

    /**
     * Equal roots at its end mean that it has the same events, compressed or not, unless events
     * were dropped since.
     */
    private boolean isSame(CopiedFile file, BackupFile there) {
      return file.isSealed()
          && file.last() == there.last()
          && file.isDropped() == Boolean.TRUE.equals(there.dropped())
          && base64(file.root()).equals(there.root())
          && Long.valueOf(there.bytes()).equals(stored.get(there.name()));
    }

    private BackupFile put(CopiedFile file, Path path, String extension, Optional<byte[]> stamped)
        throws IOException {
      byte[] digest = FileState.digest(path, () -> {});
      if (stamped.isPresent() && !Arrays.equals(digest, stamped.get())) {
        throw new IOException(
            "the file %s is not what was verified before: verify the journal"
                .formatted(path.getFileName()));
      }
      String sha256 = HexFormat.of().formatHex(digest);
      String name =
          String.format(Locale.ROOT, "%s%019d-%s%s", SEGMENTS, file.first(), sha256, extension);
      long length = Files.size(path);
      if (!Long.valueOf(length).equals(stored.get(name)) && target.putIfAbsent(name, path)) {
        copied++;
        bytes += length;
      }
      return new BackupFile(
          file.first(),
          file.last(),
          file.isSealed(),
          name,
          length,
          sha256,
          base64(file.root()),
          file.isDropped() ? true : null);
    }
  }
}
