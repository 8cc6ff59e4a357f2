package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * The file with the stamp of a segment. That of an archived segment is in its mark.
 *
 * @param segment the file of the segment that is stamped, plain or compressed; the mark of one that
 *     is archived
 */
public record StampFile(SegmentFiles files, long first, Path segment) {
  private static final int BYTES_MAX = 1 << 16;
  private static final String SEGMENT_CHANGED = "the segment was changed after it was stamped";
  private static final String INDEX_CHANGED =
      "the index of the segment was changed after it was stamped";

  /** The stamp of the file from which a segment is read. */
  public static StampFile of(SegmentFiles files, long first) {
    return new StampFile(files, first, files.readSegment(first));
  }

  public Path file() {
    return isOfArchived() ? segment : files.stampOf(segment, first);
  }

  private boolean isOfArchived() {
    return segment.equals(files.archivedMark(first));
  }

  /**
   * Opens the stamp; trusted only when a trusted key signed it for this segment, and when neither
   * the segment nor its index was changed since. Empty when there is none. A segment that is
   * compressed at the same time has the stamp of its new file.
   */
  public Optional<Opening> open(Collection<VerifierKey> trusted) throws IOException {
    Optional<Opening> opening = openOnce(trusted);
    StampFile now = of(files, first);
    return now.equals(this) ? opening : now.openOnce(trusted);
  }

  /** The SHA-256 of the file that a stamp of these keys says; empty when there is none. */
  public Optional<byte[]> digest(Collection<VerifierKey> trusted) throws IOException {
    return open(trusted)
        .flatMap(opening ->
            switch (opening) {
              case Opening.Trusted(SegmentStamp stamp) -> Optional.of(stamp);
              case Opening.OtherTimes(SegmentStamp stamp) -> Optional.of(stamp);
              case Opening.Refused _ -> Optional.empty();
            })
        .filter(stamp -> stamp.segment().equals(name(segment)))
        .map(stamp -> stamp.segmentFile().sha256());
  }

  private Optional<Opening> openOnce(Collection<VerifierKey> trusted) throws IOException {
    if (isOfArchived()) {
      return Optional.of(openArchived(files.mark(first), trusted));
    }
    byte[] note;
    try {
      Path file = file();
      note = Files.size(file) > BYTES_MAX ? new byte[0] : Files.readAllBytes(file);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
    Opening opening = SegmentStamp.open(note, trusted);
    return Optional.of(
        opening instanceof Opening.Trusted(SegmentStamp stamp) ? unlessChanged(stamp) : opening);
  }

  private Opening unlessChanged(SegmentStamp stamp) throws IOException {
    if (!stamp.segment().equals(name(segment)) || stamp.settled().first() != first) {
      return new Opening.Refused("it is the stamp of %s".formatted(stamp.segment()));
    }
    Optional<FileState> now = state(segment); // none when it is compressed at the same time
    Optional<FileState> index = state(files.index(first));
    if (now.isEmpty() || now.get().bytes() != stamp.segmentFile().state().bytes()) {
      return new Opening.Refused(SEGMENT_CHANGED);
    }
    if (index.isEmpty() || index.get().bytes() != stamp.indexFile().state().bytes()) {
      return new Opening.Refused(INDEX_CHANGED);
    }
    return now.get().equals(stamp.segmentFile().state())
            && index.get().equals(stamp.indexFile().state())
        ? new Opening.Trusted(stamp)
        : new Opening.OtherTimes(stamp);
  }

  /** Fails unless the segment is in the archive, as far as that is known without reading it. */
  private Opening openArchived(ArchivedMark mark, Collection<VerifierKey> trusted)
      throws IOException {
    Opening opening = open(mark, trusted);
    if (!(opening instanceof Opening.Refused)) {
      files.archived().requireInArchive(mark);
    }
    return opening;
  }

  /** Opens the stamp in a mark, and does not ask the archive. */
  public Opening open(ArchivedMark mark, Collection<VerifierKey> trusted) throws IOException {
    Opening opening = SegmentStamp.open(mark.stamp(), trusted);
    if (!(opening instanceof Opening.Trusted(SegmentStamp stamp))) {
      return opening;
    }
    if (stamp.settled().first() != first) {
      return new Opening.Refused("it is the stamp of %s".formatted(stamp.segment()));
    }
    Optional<FileState> index = state(files.index(first));
    if (index.isEmpty() || index.get().bytes() != stamp.indexFile().state().bytes()) {
      return new Opening.Refused(INDEX_CHANGED);
    }
    return index.get().equals(stamp.indexFile().state()) ? opening : new Opening.OtherTimes(stamp);
  }

  private static Optional<FileState> state(Path file) throws IOException {
    try {
      return Optional.of(FileState.of(file));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /** Why files that have other times are not those that were stamped; empty when they are. */
  public Optional<String> refusal(SegmentStamp stamp) throws IOException {
    if (!hasSegmentBytes(stamp)) {
      return Optional.of(SEGMENT_CHANGED);
    }
    return hasBytes(files.index(first), stamp.indexFile())
        ? Optional.empty()
        : Optional.of(INDEX_CHANGED);
  }

  /** What is read from an archive has these bytes, or the reading fails. */
  private boolean hasSegmentBytes(SegmentStamp stamp) throws IOException {
    return isOfArchived() || hasBytes(segment, stamp.segmentFile());
  }

  private static boolean hasBytes(Path file, StampedFile stamped) throws IOException {
    return Arrays.equals(FileState.digest(file, () -> {}), stamped.sha256());
  }

  /** Whether a trusted stamp says that the segment has these bytes, whatever its times are. */
  boolean isOfTheseBytes(Collection<VerifierKey> trusted) throws IOException {
    return switch (open(trusted).orElse(new Opening.Refused(""))) {
      case Opening.Trusted _ -> true;
      case Opening.OtherTimes(SegmentStamp stamp) -> hasSegmentBytes(stamp);
      case Opening.Refused _ -> false;
    };
  }

  public static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Replaces the stamp. A crash leaves the old one, or none, or the whole new one. */
  public void write(byte[] note) throws IOException {
    Path file = file();
    Path draft = SegmentFiles.draft(file);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(note);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
