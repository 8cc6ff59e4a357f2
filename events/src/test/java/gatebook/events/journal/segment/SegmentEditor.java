package gatebook.events.journal.segment;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalEditor;
import gatebook.events.journal.StoredCheckpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Edits segments: writes their records anew, with checksums that are right, and no indexes. */
public record SegmentEditor(Path directory) implements JournalEditor {
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
        SegmentScan scan = files.scan(header, Files.size(files.segment(first)));
        for (BatchRecord it = scan.next(); it != null; it = scan.next()) {
          List<Entry> edited = it.entries().stream().map(edit).toList();
          index.add(edited, it.offsets(), it.checkpoint(), (int) it.at(), it.bytes());
        }
        if (Files.exists(files.index(first))) {
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
        SegmentScan scan = files.scan(header, Files.size(files.segment(first)));
        for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
          batches.add(new CommittedBatch(record.entries(), record.checkpoint()));
        }
        write(files.segment(first), header, edit.apply(batches));
        Files.deleteIfExists(files.index(first));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, SegmentHeader header, List<CommittedBatch> batches)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(header.encode());
      for (CommittedBatch batch : batches) {
        if (!batch.isEmpty()) {
          channel.write(BatchRecord.encode(batch, header, ByteBuffer.allocate(0)).bytes());
        }
      }
    }
  }
}
