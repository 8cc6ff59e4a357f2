package gatebook.events.journal.segment.file;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.JournalEditor;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.FileState;
import gatebook.events.journal.segment.stamp.SegmentCompressor;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.segment.stamp.StampFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Edits segments: writes their records anew, with checksums that are right, and no indexes. */
public record SegmentEditor(Path directory) implements JournalEditor {
  /** A small segment of a test has several blocks, too. */
  private static final int BLOCKS_MIN = 4;

  private SegmentFiles files() {
    return new SegmentFiles(directory, new ReadHandles(), new FilterMemory());
  }

  @Override
  public void deleteEvents(long... positions) {
    edit(entry -> LongStream.of(positions).anyMatch(it -> it == entry.position()) ? null : entry);
  }

  @Override
  public void deleteEverything() {
    editRecords(_ -> List.of());
  }

  @Override
  public void rename(long position, String name) {
    edit(entry ->
        entry.position() == position
            ? new Entry(
                position,
                entry.id(),
                name,
                entry.version(),
                entry.at(),
                entry.node(),
                entry.tags(),
                entry.payload(),
                entry.metadata(),
                entry.leaf())
            : entry);
  }

  @Override
  public void deleteCheckpointsAfter(long number) {
    editRecords(batches ->
        batches.stream()
            .map(it ->
                it.checkpoint() == null || it.checkpoint().number() <= number
                    ? it
                    : new CommittedBatch(it.entries(), null))
            .toList());
  }

  /** Replaces each entry, or removes it. */
  public void edit(EntryEdit entryEdit) {
    editRecords(batches -> {
      List<CommittedBatch> edited = new ArrayList<>();
      for (CommittedBatch batch : batches) {
        List<Entry> run = new ArrayList<>();
        for (Entry entry : batch.entries()) {
          Entry changed = entryEdit.of(entry);
          if (changed != null) {
            run.add(changed);
          } else {
            edited.add(new CommittedBatch(run, null));
            run = new ArrayList<>();
          }
        }
        edited.add(new CommittedBatch(run, batch.checkpoint()));
      }
      return edited;
    });
  }

  /** Replaces each checkpoint. */
  public void editCheckpoints(UnaryOperator<StoredCheckpoint> edit) {
    editRecords(batches ->
        batches.stream()
            .map(it ->
                it.checkpoint() == null
                    ? it
                    : new CommittedBatch(it.entries(), edit.apply(it.checkpoint())))
            .toList());
  }

  /** Keeps the records that end at a position or before it. */
  public void truncate(long position) {
    editRecords(batches ->
        batches.stream()
            .filter(it ->
                (it.entries().isEmpty() || it.entries().getLast().position() <= position)
                    && (it.checkpoint() == null || it.checkpoint().size() <= position))
            .toList());
  }

  /** Writes an index to each sealed segment as if its entries had other tags. */
  public void misindex(UnaryOperator<Entry> edit) {
    SegmentFiles files = files();
    try {
      for (long first : files.firsts()) {
        SegmentHeader header = files.readHeader(first).orElseThrow();
        MemoryIndex index = new MemoryIndex(first);
        List<Entry> entries = new ArrayList<>();
        SegmentScan scan = files.scan(header, files.size(first));
        for (BatchRecord it = scan.next(); it != null; it = scan.next()) {
          entries.addAll(it.entries());
          List<Entry> edited = it.entries().stream().map(edit).toList();
          index.add(edited, it.offsets(), it.checkpoint(), (int) it.at(), it.bytes());
        }
        boolean isEdited = entries.stream().anyMatch(it -> !edit.apply(it).equals(it));
        if (isEdited && Files.exists(files.index(first))) {
          IndexPages.write(files.index(first), IndexContent.of(index, header));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An edit of an entry; null removes it. */
  @FunctionalInterface
  public interface EntryEdit {
    @Nullable Entry of(Entry entry);
  }

  private void editRecords(UnaryOperator<List<CommittedBatch>> edit) {
    SegmentFiles files = files();
    try {
      for (long first : files.firsts()) {
        SegmentHeader header = files.readHeader(first).orElseThrow();
        List<CommittedBatch> batches = new ArrayList<>();
        SegmentScan scan = files.scan(header, files.size(first));
        for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
          batches.add(new CommittedBatch(record.entries(), record.checkpoint()));
        }
        if (write(files, header, edit.apply(batches))) {
          Files.deleteIfExists(files.index(first));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the segment has other bytes now; one that is compressed stays so. */
  private static boolean write(
      SegmentFiles files, SegmentHeader header, List<CommittedBatch> batches) throws IOException {
    long first = header.first();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    put(header.encode(), bytes);
    for (CommittedBatch batch : batches) {
      if (!batch.isEmpty()) {
        put(BatchRecord.encode(batch, header, ByteBuffer.allocate(0)).bytes(), bytes);
      }
    }
    boolean isChanged = !Arrays.equals(bytes.toByteArray(), bytes(files, first));
    if (isChanged) {
      write(files, first, bytes.toByteArray());
    }
    return isChanged;
  }

  /** The bytes of a segment, whether or not it is compressed. */
  public byte[] bytes(long first) {
    try {
      return bytes(files(), first);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(SegmentFiles files, long first) throws IOException {
    byte[] bytes = new byte[(int) files.size(first)];
    files.readFully(first, 0, bytes, 0, bytes.length);
    return bytes;
  }

  /** Writes the bytes of a segment anew; one that is compressed stays so. */
  public void write(long first, byte[] bytes) {
    try {
      write(files(), first, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(SegmentFiles files, long first, byte[] bytes) throws IOException {
    boolean isCompressed = files.isCompressed(first);
    Files.write(files.segment(first), bytes);
    if (isCompressed) {
      files.compressed().forget(first, files.compressedSegment(first));
      compress(files, first);
    }
  }

  private static void compress(SegmentFiles files, long first) throws IOException {
    int blockBytes =
        Math.clamp(
            files.size(first) / BLOCKS_MIN,
            JournalLimits.SEGMENT_BLOCK_BYTES_MIN,
            JournalLimits.DEFAULT.segmentBlockBytesMax());
    SegmentCompressor compressor = new SegmentCompressor(files, blockBytes);
    if (compressor.writeDraft(first, new BackgroundPace()).isEmpty()) {
      throw new IllegalStateException("nobody stopped it");
    }
    compressor.putInPlace(first);
    compressor.removePlain(first);
  }

  /** Compresses each sealed segment, stamped or not. */
  public void compress() {
    SegmentFiles files = files();
    try {
      List<Long> firsts = files.firsts();
      for (long first : firsts.subList(0, firsts.size() - 1)) {
        if (!files.isCompressed(first)) {
          compress(files, first);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void put(ByteBuffer from, ByteArrayOutputStream into) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    into.writeBytes(bytes);
  }

  /**
   * Verifies and stamps each sealed segment that has no stamp; then the clock of the file system
   * goes on.
   */
  public void stamp(CheckpointKey key) {
    SegmentFiles files = files();
    try {
      List<Long> firsts = files.firsts();
      for (long first : firsts.subList(0, firsts.size() - 1)) {
        StampFile stampFile = StampFile.of(files, first);
        if (!Files.exists(stampFile.file())) {
          SegmentStamp stamp =
              SegmentStamper.stamp(
                      files, first, CheckpointKeys.of(key), Optional.empty(), new BackgroundPace())
                  .orElseThrow();
          stampFile.write(stamp.signedBy(key));
        }
      }
      awaitTick();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes all stamps. */
  public void deleteStamps() {
    try {
      files().firsts().forEach(this::deleteStamp);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the stamp of a segment. */
  public void deleteStamp(long first) {
    try {
      Files.deleteIfExists(StampFile.of(files(), first).file());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitTick() throws IOException {
    Path probe = directory.resolveSibling("probe");
    Files.write(probe, new byte[] {1});
    FileState before = FileState.of(probe);
    do {
      Files.write(probe, new byte[] {1});
    } while (FileState.of(probe).equals(before));
  }

  /**
   * Has the stamp of a segment say the times that its files have now, as if somebody who controls
   * the clock of the system had put back the times of the files.
   */
  public void putBackTimes(long first, CheckpointKey key) {
    signStamp(first, key, key);
  }

  /** Has another key sign the stamp of a segment, with the times that its files have now. */
  public void signStamp(long first, CheckpointKey key, CheckpointKey other) {
    SegmentFiles files = files();
    try {
      StampFile stampFile = StampFile.of(files, first);
      byte[] note = Files.readAllBytes(stampFile.file());
      SegmentStamp was =
          ((SegmentStamp.Opening.Trusted) SegmentStamp.open(note, List.of(key.verifier()))).stamp();
      SegmentStamp now =
          new SegmentStamp(
              other.verifier().name(),
              was.segment(),
              was.settled(),
              new StampedFile(FileState.of(files.readSegment(first)), was.segmentFile().sha256()),
              new StampedFile(FileState.of(files.index(first)), was.indexFile().sha256()),
              was.at());
      stampFile.write(now.signedBy(other));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
