package gatebook.events.journal.segment;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.SegmentSnapshot.Part;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.SegmentIndex.CheckpointPlace;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.segment.stamp.StampFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StorageCopy;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The segments of a snapshot for a copy: all before the one with the newest checkpoint, and that
 * one up to the record of the checkpoint.
 */
record SegmentCopy(StoredCheckpoint checkpoint, List<CopiedFile> files) implements StorageCopy {
  private static final String PLAIN = ".segment";
  private static final int BUFFER_BYTES = 1 << 20;

  SegmentCopy {
    files = List.copyOf(files);
  }

  /** Empty when there is no checkpoint yet. */
  static Optional<SegmentCopy> of(SegmentFiles files, List<Part> parts, VerifierKey key)
      throws IOException {
    for (int i = parts.size() - 1; i >= 0; i--) {
      List<CheckpointPlace> places = parts.get(i).segment().index().checkpoints();
      if (!places.isEmpty()) {
        CheckpointPlace place = places.getLast();
        StoredCheckpoint checkpoint = checkpointAt(files, parts.get(i), place);
        List<CopiedFile> copied = new ArrayList<>();
        for (int j = 0; j < i; j++) {
          SegmentHeader next = parts.get(j + 1).header();
          copied.add(new Sealed(files, parts.get(j), next.first() - 1, next.edge().root(), key));
        }
        long end = (long) place.recordAt() + place.recordBytes();
        copied.add(new Beginning(files, parts.get(i), end, checkpoint));
        return Optional.of(new SegmentCopy(checkpoint, copied));
      }
    }
    return Optional.empty();
  }

  private static StoredCheckpoint checkpointAt(SegmentFiles files, Part part, CheckpointPlace place)
      throws IOException {
    return part.segment()
        .checkpointAt(place)
        .orElseThrow(() ->
            new IOException(
                "the newest checkpoint in %s cannot be read"
                    .formatted(files.readSegment(part.segment().first()).getFileName())));
  }

  @Override
  public byte[] rootOver(long size) throws IOException {
    for (CopiedFile file : files.reversed()) {
      if (file.first() <= size) {
        return ((Copied) file).rootOver(size);
      }
    }
    return new RightEdge().root();
  }

  /** A segment, or the beginning of one. */
  private interface Copied extends CopiedFile {
    SegmentFiles files();

    Part part();

    @Override
    default long first() {
      return part().segment().first();
    }

    @Override
    default boolean isDropped() {
      return part().header().dropped() != null;
    }

    /** Uses a file with the first bytes; the next start removes it if this process dies. */
    default <T> T useDraft(long end, FileUse<T> use) throws IOException {
      Path draft =
          Files.createTempFile(
              files().directory(),
              "copy-",
              ".new",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        write(end, draft);
        return use.of(draft, PLAIN, Optional.empty());
      } finally {
        Files.deleteIfExists(draft);
      }
    }

    private void write(long end, Path draft) throws IOException {
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, end)];
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        for (long at = 0; at < end; at += buffer.length) {
          int length = (int) Math.min(buffer.length, end - at);
          files().readFully(first(), at, buffer, 0, length);
          ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
        }
      }
    }

    /** Stored leaves are compared with roots only, which tell when they are wrong. */
    default byte[] rootOver(long size) throws IOException {
      RightEdge edge = part().header().edge().copy();
      LeafHasher hasher = new LeafHasher();
      SegmentScan scan = files().scan(part().header(), part().end());
      for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
        for (Entry entry : record.entries()) {
          while (edge.size() < Math.min(size, entry.position() - 1)) {
            edge.append(hasher.missing(edge.size() + 1));
          }
          if (edge.size() >= size) {
            return edge.root();
          }
          edge.append(entry.leaf());
        }
      }
      return edge.root();
    }
  }

  /** A sealed segment, as it is or compressed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sealed(SegmentFiles files, Part part, long last, byte[] root, VerifierKey key)
      implements Copied {
    @Override
    public boolean isSealed() {
      return true;
    }

    @Override
    public <T> T use(FileUse<T> use) throws IOException {
      Path file = files.readSegment(first());
      try {
        return useOnce(file, use);
      } catch (IOException e) {
        Path now = files.readSegment(first());
        if (now.equals(file)) {
          throw e;
        }
        return useOnce(now, use); // it was compressed or archived meanwhile
      }
    }

    /** Of an archived segment the bytes are copied that it had before it was compressed. */
    private <T> T useOnce(Path file, FileUse<T> use) throws IOException {
      if (files.isArchived(first())) {
        return useDraft(files.size(first()), use);
      }
      String name = String.valueOf(file.getFileName());
      StampFile stampFile = new StampFile(files, first(), file);
      return use.of(file, name.substring(name.indexOf('.')), stampFile.digest(List.of(key)));
    }
  }

  /** The beginning of a segment, up to the record of a checkpoint. */
  private record Beginning(SegmentFiles files, Part part, long end, StoredCheckpoint checkpoint)
      implements Copied {
    @Override
    public long last() {
      return checkpoint.size();
    }

    @Override
    public byte[] root() {
      return RightEdge.restored(checkpoint.size(), checkpoint.hashes())
          .orElseGet(RightEdge::new)
          .root();
    }

    @Override
    public boolean isSealed() {
      return false;
    }

    @Override
    public <T> T use(FileUse<T> use) throws IOException {
      return useDraft(end, use);
    }
  }
}
