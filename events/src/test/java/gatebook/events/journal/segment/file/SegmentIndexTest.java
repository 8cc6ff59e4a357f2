package gatebook.events.journal.segment.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index in a file says what the index in memory said from which it was written. */
class SegmentIndexTest {
  @TempDir Path directory;

  @Test
  void theFileSaysWhatTheMemorySaid() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SegmentHeader header = new SegmentHeader(1_000, random.nextLong(), new RightEdge());
      MemoryIndex memory = indexOf(header, random);
      Path file = directory.resolve(seed + ".index");
      IndexPages.write(file, IndexContent.of(memory, header));
      try (ReadHandles handles = new ReadHandles()) {
        StoredIndex stored =
            StoredIndex.open(new IndexPages(handles, file), header, new FilterMemory());

        assertThat(stored.extent()).isEqualTo(memory.extent());
        assertThat(stored.checkpoints()).isEqualTo(memory.checkpoints());
        assertThat(stored.nodes()).isEqualTo(memory.nodes());
        assertThat(stored.newestAt()).isEqualTo(memory.newestAt());
        int count = memory.extent().count();
        assertThat(stored.offsets(0, count)).isEqualTo(memory.offsets(0, count));
        expectSameTags(stored, memory);
      }
    }
  }

  private static void expectSameTags(StoredIndex stored, MemoryIndex memory) throws IOException {
    int mistaken = 0;
    for (int i = 0; i < 3_000; i++) {
      TagHash tag = TagHash.of("call:" + i);
      assertThat(stored.lines(tag)).as(tag.tag()).isEqualTo(memory.lines(tag));
      if (memory.mayContain(tag)) {
        assertThat(stored.mayContain(tag)).as(tag.tag()).isTrue();
      } else {
        mistaken += stored.mayContain(tag) ? 1 : 0;
      }
    }
    assertThat(mistaken).isLessThan(150);
    assertThat(stored.linesFound()).hasSize(lineCount(memory));
  }

  private static int lineCount(MemoryIndex memory) throws IOException {
    int count = 0;
    for (String tag : memory.tags()) {
      count += memory.lines(TagHash.of(tag)).size();
    }
    return count;
  }

  private static MemoryIndex indexOf(SegmentHeader header, Random random) throws IOException {
    MemoryIndex index = new MemoryIndex(header.first());
    long position = header.first();
    int end = SegmentHeader.BYTES;
    int tags = 1 + random.nextInt(3_000);
    for (int batch = 0; batch < random.nextInt(300); batch++) {
      List<Entry> entries = new ArrayList<>();
      position += random.nextInt(10) == 0 ? random.nextInt(5) : 0;
      for (int i = 0; i < 1 + random.nextInt(10); i++) {
        entries.add(entry(position++, random, tags));
      }
      StoredCheckpoint checkpoint =
          random.nextInt(5) == 0
              ? new StoredCheckpoint(batch, position - 1, "note", new byte[32])
              : null;
      CommittedBatch committed = new CommittedBatch(entries, checkpoint);
      ByteBuffer bytes = BatchRecord.encode(committed, header, ByteBuffer.allocate(0)).bytes();
      index.add(Objects.requireNonNull(BatchRecord.decode(bytes, end, header)));
      end += bytes.limit();
    }
    return index;
  }

  private static Entry entry(long position, Random random, int tags) {
    String tag = "call:" + random.nextInt(tags);
    String other = "task:" + random.nextInt(5);
    return new Entry(
        position,
        "id-" + position,
        "test.Happened",
        "1",
        "2026-01-01T00:00:0" + random.nextInt(10) + ".000000000Z",
        "node-" + random.nextInt(3),
        random.nextInt(4) == 0 ? tag + "\n" + other : tag,
        new byte[random.nextInt(50)],
        new byte[0],
        new byte[32]);
  }

  @Test
  void aChangedByteOfAnIndexIsNoticed() throws IOException {
    Random random = new Random(7);
    SegmentHeader header = new SegmentHeader(1, random.nextLong(), new RightEdge());
    MemoryIndex memory = indexOf(header, random);
    Path file = directory.resolve("one.index");
    IndexPages.write(file, IndexContent.of(memory, header));
    byte[] whole = java.nio.file.Files.readAllBytes(file);
    for (int i = 0; i < 200; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      java.nio.file.Files.write(file, changed);

      assertThat(readsAll(file, header, memory.extent().count())).as("change " + i).isFalse();
    }
  }

  private static boolean readsAll(Path file, SegmentHeader header, int count) throws IOException {
    try (ReadHandles handles = new ReadHandles()) {
      StoredIndex stored =
          StoredIndex.open(new IndexPages(handles, file), header, new FilterMemory());
      stored.offsets(0, count);
      stored.linesFound();
      stored.readFilter();
      return true;
    } catch (IndexPages.Damaged e) {
      return false;
    }
  }
}
