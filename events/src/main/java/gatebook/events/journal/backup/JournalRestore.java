package gatebook.events.journal.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.backup.BackupManifest.BackupFile;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.stamp.FileState;
import gatebook.events.journal.storage.AcknowledgedCount;
import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The restore of a journal from a backup, into a directory that has none. Every file is compared
 * with the manifest, every event is hashed, and the root must be the one that the checkpoint signs.
 *
 * <p>What is restored is marked: nothing is appended to it until an operator lets it go on. A
 * restore that was interrupted leaves nothing that could be taken for a journal, and is run again.
 */
public final class JournalRestore {
  private static final String DRAFT = ".restoring";

  private final ArchiveTarget source;
  private final JournalSettings settings;
  private final Path journal;
  private final Path draft;
  private final JournalBackup.Progress progress;

  /** The result of a restore. */
  public sealed interface Outcome {
    /**
     * The journal is restored.
     *
     * @param isProven whether a checkpoint that agrees with all restored events was read
     */
    record Restored(RestoredMark mark, boolean isProven) implements Outcome {}

    /** Nothing was restored; the sentence says to an operator why and what to do. */
    record Refused(String sentence) implements Outcome {}
  }

  /**
   * What is restored.
   *
   * @param name of the backup; else the newest one
   * @param origin of the log; else that of the newest backup
   */
  public record Selection(Optional<String> name, Optional<String> origin, RestoreEnd end) {}

  /**
   * Prepares a restore.
   *
   * @param journal the directory of the segments
   */
  public JournalRestore(
      ArchiveTarget source,
      JournalSettings settings,
      Path journal,
      JournalBackup.Progress progress) {
    this.source = source;
    this.settings = settings;
    this.journal = journal;
    this.draft = journal.resolveSibling(journal.getFileName() + DRAFT);
    this.progress = progress;
  }

  /** Ends the restore with a sentence; never leaves this class. */
  private static final class Refusal extends Exception {
    @java.io.Serial private static final long serialVersionUID = 1L;

    Refusal(String sentence) {
      super(sentence, null, false, false);
    }
  }

  /** Restores; blocks until it is done. */
  public Outcome run(Selection selection) {
    try {
      BackupManifest.Named backup = choose(selection);
      VerifierKey key = key(backup, backup.manifest().key());
      requireSigned(backup, key);
      List<VerifierKey> keys = new ArrayList<>(List.of(key));
      for (String older : backup.manifest().olderKeys().reversed()) {
        keys.add(key(backup, older));
      }
      prepare();
      if (selection.end() instanceof RestoreEnd.Everything) {
        requireRoom(backup.manifest());
      }
      return restore(backup, keys, selection.end());
    } catch (Refusal e) {
      return new Outcome.Refused(String.valueOf(e.getMessage()));
    } catch (OpenRefusal e) {
      return new Outcome.Refused(e.sentence());
    } catch (IOException e) {
      return new Outcome.Refused("the restore failed: " + StorageFailure.describe(e));
    }
  }

  private BackupManifest.Named choose(Selection selection) throws ArchiveFailure, Refusal {
    if (selection.name().isPresent()) {
      String name = selection.name().get();
      return new BackupManifest.Named(
          name,
          BackupManifest.read(source, name)
              .orElseThrow(
                  () -> new Refusal("%s has no backup %s".formatted(source.describe(), name))));
    }
    BackupManifest.Named newest =
        BackupManifest.newest(source, selection.origin())
            .orElseThrow(() ->
                new Refusal(
                    "%s has no backup%s"
                        .formatted(
                            source.describe(),
                            selection.origin().map(" of the log "::concat).orElse(""))));
    if (selection.end() instanceof RestoreEnd.Position(long position)
        && position > newest.manifest().size()) {
      throw new Refusal(
          "the newest backup, %s, ends at position %d"
              .formatted(newest.name(), newest.manifest().size()));
    }
    return newest;
  }

  private static VerifierKey key(BackupManifest.Named backup, String text) throws Refusal {
    return switch (VerifierKey.parse(text)) {
      case LoadedKey.Key<VerifierKey>(VerifierKey key) -> key;
      case LoadedKey.Refused<VerifierKey>(String why) ->
          throw new Refusal("the backup %s cannot be checked: %s".formatted(backup.name(), why));
    };
  }

  private static void requireSigned(BackupManifest.Named backup, VerifierKey key) throws Refusal {
    BackupManifest manifest = backup.manifest();
    boolean isSigned =
        Checkpoint.open(manifest.checkpoint().getBytes(UTF_8), List.of(key))
                instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey by)
            && checkpoint.origin().equals(by.name())
            && checkpoint.origin().equals(manifest.origin())
            && checkpoint.size() == manifest.size()
            && base64(checkpoint.root()).equals(manifest.root());
    if (!isSigned) {
      throw new Refusal(
          "the checkpoint of the backup %s is not what its key signed, or not over its events: use another backup"
              .formatted(backup.name()));
    }
  }

  /** Removes what an interrupted restore left, and refuses to touch anything else. */
  private void prepare() throws IOException, OpenRefusal, Refusal {
    Path data = data();
    if (!Files.isDirectory(data)) {
      Files.createDirectories(
          data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    boolean isUnfinished = RestoredMark.of(settings).filter(it -> !it.isWhole()).isPresent();
    if (!isUnfinished) {
      for (Path file : List.of(journal, settings.checkpointFile(), acknowledged())) {
        if (Files.exists(file)) {
          throw new Refusal(
              "there is a journal in %s: restore into a new directory".formatted(data));
        }
      }
    }
    remove(journal);
    remove(draft);
    new RestoredMark(false, "", 0, "", 0, "", "").write(RestoredMark.file(settings));
    Files.createDirectory(draft);
  }

  private void requireRoom(BackupManifest manifest) throws IOException, Refusal {
    long needed = manifest.files().stream().mapToLong(BackupFile::bytes).sum();
    long usable = Files.getFileStore(data()).getUsableSpace();
    if (usable < needed) {
      throw new Refusal(
          "the backup has %d bytes, and the disk of %s has room for %d: restore to another disk"
              .formatted(needed, data(), usable));
    }
  }

  private Path data() {
    return Optional.ofNullable(journal.toAbsolutePath().getParent()).orElse(journal);
  }

  private Path acknowledged() {
    return settings.checkpointFile().resolveSibling("acknowledged");
  }

  private static void remove(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private Outcome restore(BackupManifest.Named backup, List<VerifierKey> keys, RestoreEnd end)
      throws IOException, Refusal {
    BackupManifest manifest = backup.manifest();
    try (RestoredSegments segments = new RestoredSegments(draft, keys, end)) {
      long bytes = 0;
      for (int i = 0; i < manifest.files().size() && !segments.isDone(); i++) {
        BackupFile file = manifest.files().get(i);
        fetch(file);
        segments.read(file.first(), file.sealed());
        bytes += file.bytes();
        progress.reached(i + 1, manifest.files().size(), i + 1, bytes);
      }
      boolean isWhole = !segments.isCut();
      if (isWhole && !isRoot(manifest, segments.tree())) {
        throw new Refusal(
            "the events of the backup %s do not lead to the root that its checkpoint signs: use another backup"
                .formatted(backup.name()));
      }
      if (segments.isCut() && segments.droppedLater().isPresent()) {
        throw new Refusal(
            "the events up to %s were dropped for good before the backup %s was made, and the event that says so is behind the end of this restore: use an older backup, or a later end"
                .formatted(segments.droppedLater().get(), backup.name()));
      }
      segments.forceDirectory();
      Optional<StoredCheckpoint> newest = segments.newestStored();
      VerifierKey key = signer(newest, keys);
      RightEdge tree = segments.tree();
      RestoredMark mark =
          new RestoredMark(
              true,
              newest.flatMap(it -> it.note().lines().findFirst()).orElse(key.name()),
              tree.size(),
              base64(tree.root()),
              segments.newestCheckpoint().map(StoredCheckpoint::size).orElse(0L),
              key.text(),
              backup.name());
      appear(mark, newest);
      return new Outcome.Restored(mark, isWhole || segments.isProven());
    }
  }

  /** The key that signed the newest restored checkpoint, under the name with which it did. */
  private static VerifierKey signer(Optional<StoredCheckpoint> newest, List<VerifierKey> keys) {
    return newest
        .flatMap(it ->
            Checkpoint.open(it.note().getBytes(UTF_8), keys)
                    instanceof OpenedNote.Valid<Checkpoint>(_, VerifierKey key)
                ? Optional.of(key)
                : Optional.empty())
        .orElse(keys.getFirst());
  }

  private static boolean isRoot(BackupManifest manifest, RightEdge tree) {
    return tree.size() == manifest.size() && base64(tree.root()).equals(manifest.root());
  }

  private void fetch(BackupFile file) throws IOException, Refusal {
    Path into =
        draft.resolve(String.format(Locale.ROOT, "%019d%s", file.first(), file.extension()));
    if (!source.copyTo(file.name(), into)) {
      throw new Refusal(
          "the file %s of the backup is gone from %s: use another backup"
              .formatted(file.name(), source.describe()));
    }
    byte[] digest = FileState.digest(into, () -> {});
    if (Files.size(into) != file.bytes()
        || !Arrays.equals(digest, HexFormat.of().parseHex(file.sha256()))) {
      throw new Refusal(
          "the file %s in %s is not what was backed up: its SHA-256 is another; use another backup"
              .formatted(file.name(), source.describe()));
    }
  }

  /** The journal appears with its mark; until then a start finds a restore that is unfinished. */
  private void appear(RestoredMark mark, Optional<StoredCheckpoint> newest) throws IOException {
    Path data = data();
    if (newest.isPresent()) {
      new CheckpointFile(settings.checkpointFile()).write(newest.get().note());
    }
    AcknowledgedCount count = AcknowledgedCount.of(settings);
    count.write(mark.size());
    count.close();
    Files.move(draft, journal, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
      channel.force(true);
    }
    mark.write(RestoredMark.file(settings));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
