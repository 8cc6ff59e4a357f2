package gatebook.events.journal.segment;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.SegmentStamp.Opening;
import gatebook.events.journal.segment.SegmentStamp.StampedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Optional;

/**
 * The file with the stamp of a segment.
 *
 * @param segment the file of the segment that is stamped, plain or compressed
 */
record StampFile(SegmentFiles files, long first, Path segment) {
  private static final int BYTES_MAX = 1 << 16;

  /** The stamp of the file from which a segment is read. */
  static StampFile of(SegmentFiles files, long first) {
    return new StampFile(files, first, files.readSegment(first));
  }

  Path file() {
    return files.stampOf(segment, first);
  }

  /**
   * Opens the stamp; trusted only when a trusted key signed it for this segment, and when neither
   * the segment nor its index was changed since. Empty when there is none. A segment that is
   * compressed at the same time has the stamp of its new file.
   */
  Optional<Opening> open(Collection<VerifierKey> trusted) throws IOException {
    Optional<Opening> opening = openOnce(trusted);
    StampFile now = of(files, first);
    return now.equals(this) ? opening : now.openOnce(trusted);
  }

  private Optional<Opening> openOnce(Collection<VerifierKey> trusted) throws IOException {
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
    if (isChanged(segment, stamp.segmentFile())) {
      return new Opening.Refused("the segment was changed after it was stamped");
    }
    if (isChanged(files.index(first), stamp.indexFile())) {
      return new Opening.Refused("the index of the segment was changed after it was stamped");
    }
    return new Opening.Trusted(stamp);
  }

  private static boolean isChanged(Path file, StampedFile stamped) throws IOException {
    try {
      return !FileState.of(file).equals(stamped.state());
    } catch (NoSuchFileException _) {
      return true;
    }
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Replaces the stamp. A crash leaves the old one, or none, or the whole new one. */
  void write(byte[] note) throws IOException {
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
